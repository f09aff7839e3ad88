//! A failed step on the way to a sandbox.

use std::fmt::Display;
use std::io;

/// Which step failed, and what the system said.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) step: String,
    pub(super) errno: i32,
}

/// Names the step that an error belongs to.
pub(super) trait Step<T> {
    fn step(self, what: impl Display) -> Result<T, Failed>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, what: impl Display) -> Result<T, Failed> {
        self.map_err(|error| Failed {
            step: what.to_string(),
            errno: error.into().raw_os_error().unwrap_or(0),
        })
    }
}
