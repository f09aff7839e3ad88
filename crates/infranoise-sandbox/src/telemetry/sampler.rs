//! The one thread that samples all trials.

use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use infranoise_core::{Phase, TelemetrySummary};

use super::clock::Clock;
use super::growing::Growing;
use super::kept::Buffer;
use super::sample::Sample;
use super::slot::Slot;
use super::sources::Sources;

/// Samples every registered trial at a fixed interval, in a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct Sampler {
    shared: Arc<Shared>,
    growing: Growing,
    thread: Option<JoinHandle<()>>,
    interval: Duration,
}

/// A trial under sampling: given back to [`Sampler::finish`].
#[derive(Debug)]
pub struct SamplerHandle(Arc<Mutex<Option<Slot>>>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    slots: Vec<Arc<Mutex<Option<Slot>>>>,
    stop: bool,
}

/// A thread that panicked while it held the lock left readings behind, not half-made ones.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sampler {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(interval: Duration) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread =
            Builder::new().name("telemetry".to_owned()).spawn(move || theirs.sample_all(interval))?;
        Ok(Self { shared, growing: Growing::start()?, thread: Some(thread), interval })
    }

    /// Takes a trial's first sample and puts it under sampling.
    #[must_use]
    pub fn register(&self, sources: Sources) -> SamplerHandle {
        let slot = Arc::new(Mutex::new(Some(Slot::new(sources, &mut Buffer::new()))));
        lock(&self.shared.state).slots.push(Arc::clone(&slot));
        SamplerHandle(slot)
    }

    /// Lets a file grow with the trial's samples, so that others can look on.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn grow(&self, handle: &SamplerHandle, path: &Path) -> io::Result<()> {
        self.growing.add(&handle.0, path, self.interval_ms())
    }

    /// A phase of the trial begins now: what its counters say at this moment is kept.
    pub fn mark_phase(&self, handle: &SamplerHandle, phase: Phase) {
        if let Some(slot) = lock(&handle.0).as_mut() {
            slot.mark(phase, &mut Buffer::new());
        }
    }

    /// Takes a sample now, with the slow readings: for the end of a command.
    pub fn sample_now(&self, handle: &SamplerHandle) {
        if let Some(slot) = lock(&handle.0).as_mut() {
            slot.sample(true, &mut Buffer::new());
        }
    }

    /// Takes the last readings and sums up. To be called while the trial's groups are still there.
    #[must_use]
    pub fn finish(&self, handle: SamplerHandle) -> (TelemetrySummary, Vec<Sample>) {
        lock(&self.shared.state).slots.retain(|slot| !Arc::ptr_eq(slot, &handle.0));
        let slot = lock(&handle.0).take();
        slot.map_or_else(Default::default, |slot| slot.finish(self.interval_ms()))
    }

    /// The intended interval, in milliseconds.
    #[must_use]
    pub fn interval_ms(&self) -> u32 {
        u32::try_from(self.interval.as_millis()).unwrap_or(u32::MAX)
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        lock(&self.shared.state).stop = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic in there has been reported already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Samples on the beat: a beat that was missed is left out, not made up for.
    fn sample_all(&self, interval: Duration) {
        let clock = Clock::start();
        let mut buffer = Buffer::new();
        let mut beat = interval;
        let mut state = lock(&self.state);
        loop {
            let now = clock.elapsed();
            if state.stop {
                return;
            }
            if now < beat {
                let waited = self.wake.wait_timeout(state, beat - now);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            for slot in &state.slots {
                if let Some(slot) = lock(slot).as_mut() {
                    slot.sample(false, &mut buffer);
                }
            }
            let late = clock.elapsed().saturating_sub(beat).as_nanos() / interval.as_nanos().max(1);
            beat += interval * (1 + u32::try_from(late).unwrap_or(u32::MAX - 1));
        }
    }
}
