//! The one place that reads the clock.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 (UTC).
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this module owns the clock")]
pub fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX))
}

/// Measures spans on the monotonic clock, which no correction of the time of day can bend.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this module owns the clock")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Milliseconds since the start.
    #[must_use]
    pub fn ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
