//! The one place here that reads the clock.

use std::time::{Duration, Instant};

/// A beginning to count from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Begins now.
    #[expect(clippy::disallowed_methods, reason = "sampling is about time; nothing here decides by it")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since then.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// Milliseconds since then.
    pub fn elapsed_ms(self) -> u32 {
        u32::try_from(self.elapsed().as_millis()).unwrap_or(u32::MAX)
    }
}
