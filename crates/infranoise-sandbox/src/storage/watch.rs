//! Who looks at the space of every trial, so that a moment at which it was full is seen although no kernel counts refused writes.
//!
//! A trial's space is looked at before it could have been filled since the last look, at a speed that no disk exceeds: far from full ten times
//! a second, close to it every two milliseconds. One look is one call; what is full for less time than lies between two may be missed. The host's disk is looked at ten times a second.
//! Deliberately absent: whose fault a full disk is.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::volume::{Gauge, Room};

/// With less than this left a trial's space counts as full: ext4 refuses a write whole if it has no room for the folio that it would fill, and those
/// have up to two MiB.
const FULL_BELOW: u64 = 2 << 20;
/// The same for small spaces: this part of the whole.
const FULL_PART: u64 = 16;
/// With less than this left, the host's disk is: ext4 keeps 16 MiB to itself whatever happens.
const HOST_FULL_BELOW_BYTES: u64 = 17 << 20;
/// Faster than any disk, in bytes for each millisecond.
const FASTEST: u64 = 4 << 20;
/// Faster than any file system makes inodes, for each millisecond.
const FASTEST_INODES: u64 = 400;
/// Of the thread that looks, as `nice` counts.
const PRIORITY: i32 = -15;
/// Between two looks at the same space.
const LEAST: Duration = Duration::from_millis(2);
const WHILE_FULL: Duration = Duration::from_millis(20);
const MOST: Duration = Duration::from_millis(100);

/// What was seen of one trial's space. Numbers only grow, but for the lows.
#[derive(Debug)]
pub(crate) struct Seen {
    /// How often the space was found full, having been less full before.
    times_full: AtomicU64,
    /// Whether it was full at the last look.
    full: AtomicU64,
    most_used: AtomicU64,
    low_bytes: AtomicU64,
    low_inodes: AtomicU64,
    /// How often the host's disk was found full.
    host_full: AtomicU64,
    host_low: AtomicU64,
}

impl Default for Seen {
    fn default() -> Self {
        let (zero, most) = (|| AtomicU64::new(0), || AtomicU64::new(u64::MAX));
        Self {
            times_full: zero(),
            full: zero(),
            most_used: zero(),
            low_bytes: most(),
            low_inodes: most(),
            host_full: zero(),
            host_low: most(),
        }
    }
}

/// A reading of [`Seen`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fullness {
    pub times_full: u64,
    pub full_now: bool,
    pub low_bytes: u64,
    pub low_inodes: u64,
    pub host_full: u64,
    pub host_low: u64,
}

impl Seen {
    /// The most bytes in use at any look.
    pub(crate) fn most_used(&self) -> u64 {
        self.most_used.load(Ordering::Relaxed)
    }

    pub(crate) fn now(&self) -> Fullness {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Fullness {
            times_full: read(&self.times_full),
            full_now: read(&self.full) > 0,
            low_bytes: read(&self.low_bytes),
            low_inodes: read(&self.low_inodes),
            host_full: read(&self.host_full),
            host_low: read(&self.host_low),
        }
    }

    fn own(&self, room: Room, at_first: Room) {
        let full = room.free_bytes < FULL_BELOW.min(at_first.free_bytes / FULL_PART) || room.free_inodes == 0;
        if self.full.swap(u64::from(full), Ordering::Relaxed) == 0 && full {
            self.times_full.fetch_add(1, Ordering::Relaxed);
        }
        self.low_bytes.fetch_min(room.free_bytes, Ordering::Relaxed);
        self.low_inodes.fetch_min(room.free_inodes, Ordering::Relaxed);
        self.most_used.fetch_max(at_first.free_bytes.saturating_sub(room.free_bytes), Ordering::Relaxed);
    }

    fn host(&self, free_bytes: u64) {
        if free_bytes < HOST_FULL_BELOW_BYTES {
            self.host_full.fetch_add(1, Ordering::Relaxed);
        }
        self.host_low.fetch_min(free_bytes, Ordering::Relaxed);
    }
}

/// What is looked at for one trial.
#[derive(Debug)]
pub(crate) struct Watched {
    /// The trial's own file system, if it has one.
    pub own: Option<Gauge>,
    /// The folder on the host where its files lie.
    pub host: PathBuf,
    pub seen: Arc<Seen>,
}

impl Watched {
    /// Looks, and says when to look again.
    fn look(&self, host_too: bool) -> Duration {
        if host_too && let Some(free) = host_free(&self.host) {
            self.seen.host(free);
        }
        let Some(gauge) = &self.own else { return MOST };
        let Some(room) = gauge.room() else { return MOST };
        self.seen.own(room, gauge.at_first());
        if self.seen.now().full_now {
            // It is seen already.
            return WHILE_FULL;
        }
        let ms = (room.free_bytes / FASTEST).min(room.free_inodes / FASTEST_INODES);
        Duration::from_millis(ms).clamp(LEAST, MOST)
    }
}

/// What root can still write where this folder lies.
fn host_free(folder: &std::path::Path) -> Option<u64> {
    let said = rustix::fs::statvfs(folder).ok()?;
    // A file system without a size of its own says nothing.
    (said.f_blocks > 0).then(|| said.f_bfree.saturating_mul(said.f_frsize))
}

/// Stands for one trial under watch.
#[derive(Debug)]
pub(crate) struct Watching(u64);

#[derive(Debug, Default)]
struct State {
    watched: Vec<(u64, Duration, Watched)>,
    next: u64,
    stop: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

/// The thread that looks. It sleeps while there is nothing to look at.
#[derive(Debug)]
pub(crate) struct SpaceWatch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SpaceWatch {
    pub(crate) fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = Builder::new().name("space-watch".to_owned()).spawn(move || theirs.look_at_all())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Looks at a trial's space from now on.
    pub(crate) fn watch(&self, watched: Watched) -> Watching {
        let mut state = lock(&self.shared);
        let number = state.next;
        state.next += 1;
        state.watched.push((number, Duration::ZERO, watched));
        drop(state);
        self.shared.wake.notify_all();
        Watching(number)
    }

    /// Looks now: at the end of a command.
    pub(crate) fn look(&self, watching: &Watching) {
        let state = lock(&self.shared);
        if let Some((_, _, watched)) = state.watched.iter().find(|(number, ..)| *number == watching.0) {
            watched.look(true);
        }
    }

    /// Looks no more, and lets go of what was looked at.
    pub(crate) fn forget(&self, watching: &Watching) {
        lock(&self.shared).watched.retain(|(number, ..)| *number != watching.0);
    }
}

impl Drop for SpaceWatch {
    fn drop(&mut self) {
        lock(&self.shared).stop = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn look_at_all(&self) {
        // Ahead of those whom it watches, where that is permitted.
        let _ = rustix::process::setpriority_process(None, PRIORITY);
        let clock = crate::telemetry::clock::Clock::start();
        let mut host_due = Duration::ZERO;
        let mut state = lock(self);
        loop {
            if state.stop {
                return;
            }
            let now = clock.elapsed();
            let host_too = now >= host_due;
            if host_too {
                host_due = now + MOST;
            }
            for (_, due, watched) in &mut state.watched {
                if host_too || now >= *due {
                    *due = now + watched.look(host_too);
                }
            }
            let next = state.watched.iter().map(|(_, due, _)| *due).min();
            state = match next {
                None => self.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(due) => {
                    let left = due.min(host_due).saturating_sub(clock.elapsed()).max(LEAST);
                    self.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_the_space_fills_up_counts_once() {
        let seen = Seen::default();
        let room = |free_bytes, free_inodes| Room { free_bytes, free_inodes };
        let at_first = room(1 << 20, 100);
        for (free_bytes, free_inodes, times) in [
            (1 << 20, 100, 0),
            (0, 90, 1),
            (4096, 90, 1),
            (1 << 19, 90, 1),
            (0, 90, 2),
            (1 << 19, 50, 2),
            (1 << 19, 0, 3),
        ] {
            seen.own(room(free_bytes, free_inodes), at_first);
            assert_eq!(seen.now().times_full, times, "{free_bytes} {free_inodes}");
        }
        assert_eq!((seen.most_used(), seen.now().low_inodes), (1 << 20, 0));
        assert_eq!(seen.now().host_full, 0);
        seen.host(HOST_FULL_BELOW_BYTES - 1);
        assert_eq!(seen.now().host_full, 1);
    }
}
