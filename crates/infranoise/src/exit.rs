//! The exit codes, documented in README.md and tested.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked for is done.
    Done,
    /// Something unexpected happened.
    Unexpected,
    /// Usage or configuration.
    Usage,
    /// Gate: a real regression.
    Regression,
    /// Inconclusive: underpowered, or coverage too low.
    Inconclusive,
    /// Nothing matched.
    NothingMatched,
    /// Infra-error rate or spending over the limit.
    OverLimit,
    /// Not comparable.
    NotComparable,
    /// Doctor failed, the engine does not start, or not one trial of a sweep did.
    Unfit,
    /// The sweep is not complete.
    Incomplete,
    /// The store, or stdout, is not writable.
    NotWritable,
    /// Interrupted; the same command goes on.
    Interrupted,
}

impl Exit {
    /// The code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unexpected => 1,
            Self::Usage => 2,
            Self::Regression => 3,
            Self::Inconclusive => 4,
            Self::NothingMatched => 5,
            Self::OverLimit => 6,
            Self::NotComparable => 7,
            Self::Unfit => 8,
            Self::Incomplete => 9,
            Self::NotWritable => 10,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
