//! The local engine's clock: milliseconds since a sandbox was created.

use std::time::{Duration, Instant};

/// When a sandbox was created, and how long ago that is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Starts counting.
    #[expect(clippy::disallowed_methods, reason = "an engine measures when things happen in its sandboxes")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since then.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// The same in milliseconds.
    pub(crate) fn ms(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
