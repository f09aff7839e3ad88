//! The host once a second, and what it was like between any two moments.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use infranoise_core::{Bytes, HostWindow, Observed};

use super::reading::{Files, Reading, Ticks};
use crate::telemetry::clock::Clock;
use crate::telemetry::kept::Buffer;

/// At most so many readings are kept: six hours at one a second.
const KEPT: usize = 6 * 3600;

/// Over less than this, shares say nothing.
const SHORTEST: Duration = Duration::from_millis(10);

/// Reads the host at a fixed interval, in a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct Monitor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// A moment of the monitor's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostMoment(Duration);

#[derive(Debug)]
struct Shared {
    files: Files,
    clock: Clock,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    readings: VecDeque<Reading>,
    stop: bool,
}

impl Monitor {
    /// Starts the thread; `root` is `/` but in tests.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(root: &Path, interval: Duration) -> io::Result<Self> {
        let (files, clock) = (Files::open(root), Clock::start());
        let shared = Arc::new(Shared { files, clock, state: Mutex::default(), wake: Condvar::new() });
        let theirs = Arc::clone(&shared);
        shared.look(&mut Buffer::new());
        let thread = Builder::new().name("host".to_owned()).spawn(move || theirs.watch(interval))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Looks at the host now. A window that begins and ends with such looks is exact.
    #[must_use]
    pub fn mark(&self) -> HostMoment {
        HostMoment(self.shared.look(&mut Buffer::new()))
    }

    /// The host between two moments, while so many trials went on. Partial where the beginning is no longer remembered.
    #[must_use]
    pub fn window(&self, from: HostMoment, to: HostMoment, concurrent_trials: u32) -> HostWindow {
        window(&self.shared.lock().readings, from.0, to.0, concurrent_trials)
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic in there has been reported already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// A thread that panicked while it held the lock left readings behind, not half-made ones.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads and remembers. The lock is held meanwhile, so that readings stay in order.
    fn look(&self, buffer: &mut Buffer) -> Duration {
        let mut state = self.lock();
        let at = self.clock.elapsed();
        if state.readings.len() == KEPT {
            state.readings.pop_front();
        }
        state.readings.push_back(self.files.read(at, buffer));
        at
    }

    fn watch(&self, interval: Duration) {
        let mut buffer = Buffer::new();
        let mut next = interval;
        loop {
            let state = self.lock();
            if state.stop {
                return;
            }
            let now = self.clock.elapsed();
            if now < next {
                drop(self.wake.wait_timeout(state, next - now));
                continue;
            }
            drop(state);
            self.look(&mut buffer);
            next = now + interval;
        }
    }
}

/// Sums up the readings between two moments: from the last one before the beginning to the first one after the end.
fn window(readings: &VecDeque<Reading>, from: Duration, to: Duration, concurrent_trials: u32) -> HostWindow {
    let begin = readings.partition_point(|reading| reading.at <= from).saturating_sub(1);
    let end = readings.partition_point(|reading| reading.at < to).min(readings.len().saturating_sub(1));
    let (Some(first), Some(last)) = (readings.get(begin), readings.get(end)) else {
        return HostWindow { concurrent_trials, ..HostWindow::default() };
    };
    let forgotten = first.at > from;
    let span_us = last.at.saturating_sub(first.at).as_micros() as f64;
    let long_enough = last.at.saturating_sub(first.at) >= SHORTEST;
    let share = |counter: fn(&Reading) -> Option<u64>| {
        let grown = counter(last).zip(counter(first)).map(|(last, first)| last.saturating_sub(first));
        grown.filter(|_| long_enough).map(|us| (us as f64 / span_us).min(1.0))
    };
    let within = readings.range(begin..=end.max(begin));
    let least = within.filter_map(|reading| reading.memory_available_bytes).min();
    HostWindow {
        cpu_pressure_share: known(share(|reading| reading.cpu_some_us), forgotten),
        memory_pressure_share: known(share(|reading| reading.memory_some_us), forgotten),
        io_pressure_share: known(share(|reading| reading.io_some_us), forgotten),
        steal_share: known(last.ticks.zip(first.ticks).and_then(stolen), forgotten),
        load_1m: known(last.load_1m, false),
        memory_available_min_bytes: known(least.map(Bytes), forgotten),
        concurrent_trials,
    }
}

/// The share of CPU time that others got.
fn stolen((last, first): (Ticks, Ticks)) -> Option<f64> {
    let all = last.all.saturating_sub(first.all);
    (all > 0).then(|| last.stolen.saturating_sub(first.stolen) as f64 / all as f64)
}

fn known<T>(reading: Option<T>, forgotten: bool) -> Observed<T> {
    match reading {
        Some(value) if forgotten => Observed::Partial(value),
        Some(value) => Observed::Observed(value),
        None => Observed::Unavailable("the host does not say it, or the span was too short".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> Reading {
        Reading {
            at: Duration::from_secs(second),
            cpu_some_us: Some(second * 250_000),
            memory_some_us: None,
            io_some_us: Some(0),
            ticks: Some(Ticks { all: second * 200, stolen: second * 20 }),
            load_1m: Some(second as f64),
            memory_available_bytes: Some(100 - second),
        }
    }

    fn look(from: u64, to: u64) -> HostWindow {
        let readings: VecDeque<Reading> = (5..=20).map(at).collect();
        window(&readings, Duration::from_secs(from), Duration::from_secs(to), 3)
    }

    #[test]
    fn a_window_is_what_lies_between_its_edges() {
        let window = look(8, 12);
        assert_eq!(window.cpu_pressure_share, Observed::Observed(0.25));
        assert_eq!(window.io_pressure_share, Observed::Observed(0.0));
        assert_eq!(window.steal_share, Observed::Observed(0.1));
        assert_eq!(window.load_1m, Observed::Observed(12.0));
        assert_eq!(window.memory_available_min_bytes, Observed::Observed(Bytes(88)));
        assert!(matches!(window.memory_pressure_share, Observed::Unavailable(_)), "not zero");
        assert_eq!(window.concurrent_trials, 3);
    }

    #[test]
    fn what_is_forgotten_or_empty_is_said() {
        assert_eq!(look(1, 12).cpu_pressure_share, Observed::Partial(0.25));
        assert!(matches!(look(9, 9).cpu_pressure_share, Observed::Unavailable(_)));
        let none = window(&VecDeque::new(), Duration::ZERO, Duration::from_secs(1), 1);
        assert!(none.load_1m.value().is_none());
    }

    #[test]
    fn a_living_host_is_watched() {
        let monitor = Monitor::start(Path::new("/"), Duration::from_millis(20)).expect("a thread");
        let from = monitor.mark();
        std::thread::sleep(Duration::from_millis(100));
        let window = monitor.window(from, monitor.mark(), 1);
        assert!(window.memory_available_min_bytes.value().is_some_and(|bytes| bytes.0 > 0), "{window:?}");
        assert!(window.load_1m.value().is_some());
        assert!(monitor.shared.lock().readings.len() >= 4);
    }
}
