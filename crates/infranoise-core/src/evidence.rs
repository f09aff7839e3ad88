//! No verdict without evidence: where a reading came from, what it was and how far it can be trusted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far something could be observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceState {
    /// Read from the source that knows.
    Observed,
    /// Something was read, but not all.
    Partial,
    /// It exists here but could not be read this time.
    Unavailable,
    /// It does not exist on this kernel, engine or in this source.
    Unsupported,
}

/// One piece of evidence behind a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// How far it was observed.
    pub state: EvidenceState,
    /// The file, field or call, as in `memory.oom_control (leaf e2)`.
    pub source: String,
    /// The reading, as in `oom_kill 1`.
    pub reading: String,
    /// What it says, in one sentence.
    pub says: String,
}

impl Evidence {
    /// Evidence that was read from the source that knows.
    #[must_use]
    pub fn observed(source: impl Into<String>, reading: impl Into<String>, says: impl Into<String>) -> Self {
        Self {
            state: EvidenceState::Observed,
            source: source.into(),
            reading: reading.into(),
            says: says.into(),
        }
    }

    /// Evidence that holds only in part.
    #[must_use]
    pub fn partial(source: impl Into<String>, reading: impl Into<String>, says: impl Into<String>) -> Self {
        Self { state: EvidenceState::Partial, ..Self::observed(source, reading, says) }
    }

    /// Evidence that is missing, and why.
    #[must_use]
    pub fn missing(state: EvidenceState, source: impl Into<String>, says: impl Into<String>) -> Self {
        Self { state, ..Self::observed(source, "not read", says) }
    }
}

/// A reading that may be missing. "Not observable here" is never a zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Observed<T> {
    /// Read from the source that knows.
    Observed(T),
    /// A lower bound or a part of it.
    Partial(T),
    /// It exists here but could not be read.
    Unavailable(String),
    /// It does not exist here.
    Unsupported(String),
}

impl<T> Observed<T> {
    /// The reading, whole or in part.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Observed(value) | Self::Partial(value) => Some(value),
            Self::Unavailable(_) | Self::Unsupported(_) => None,
        }
    }

    /// The state of this reading.
    pub fn state(&self) -> EvidenceState {
        match self {
            Self::Observed(_) => EvidenceState::Observed,
            Self::Partial(_) => EvidenceState::Partial,
            Self::Unavailable(_) => EvidenceState::Unavailable,
            Self::Unsupported(_) => EvidenceState::Unsupported,
        }
    }

    /// Applies a function to the reading, keeping its state.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Observed<U> {
        match self {
            Self::Observed(value) => Observed::Observed(f(value)),
            Self::Partial(value) => Observed::Partial(f(value)),
            Self::Unavailable(why) => Observed::Unavailable(why),
            Self::Unsupported(why) => Observed::Unsupported(why),
        }
    }
}

impl<T> Default for Observed<T> {
    fn default() -> Self {
        Self::Unavailable("not recorded".to_owned())
    }
}
