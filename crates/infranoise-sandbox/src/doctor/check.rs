//! What a check is, and what it says.

use serde::Serialize;

use super::probe::Probe;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Something will be weaker, slower or unseen.
    Warn,
    /// Trials cannot be held to their limits here, or cannot start.
    Fail,
}

/// What a check says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckResult {
    /// How it came out.
    pub status: Status,
    /// What was found, in one sentence.
    pub says: String,
    /// What the person can do, for everything but [`Status::Ok`].
    pub way_out: Option<String>,
}

impl CheckResult {
    /// As it should be.
    pub(super) fn ok(says: impl Into<String>) -> Self {
        Self { status: Status::Ok, says: says.into(), way_out: None }
    }

    /// Not as it should be, but one can live with it.
    pub(super) fn warn(says: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { status: Status::Warn, says: says.into(), way_out: Some(way_out.into()) }
    }

    /// It will not do.
    pub(super) fn fail(says: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { status: Status::Fail, ..Self::warn(says, way_out) }
    }
}

/// One check: a line in [`CHECKS`](super::CHECKS).
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name in scripts.
    pub id: &'static str,
    /// What is checked, for people.
    pub what: &'static str,
    /// Carries it out.
    pub run: fn(&Probe) -> CheckResult,
}

/// A check and what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The check's name in scripts.
    pub id: String,
    /// What was checked.
    pub what: String,
    /// What it says.
    pub result: CheckResult,
}
