//! What another harness left behind of a trial: its own words for the failure, and clues from its logs.
//!
//! An importer reads text; a rule never does. So whatever a log says arrives here as a [`Clue`]: what it suggests, in which phase,
//! whether the trial ended there or went on, and how far that can be trusted. A substring alone is no clue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::{Cause, Phase};

/// Where a trial was read from, and what the source itself says of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceRecord {
    /// The importer, as in `harbor`.
    pub format: String,
    /// The version of the harness that wrote it, where it says so.
    pub version: Option<String>,
    /// The file that holds the trial, relative to what was imported.
    pub file: String,
    /// The source's own name of the trial.
    pub trial: String,
    /// The source's own word for what went wrong.
    pub failure: Option<SourceFailure>,
    /// Whether the source's own score counts this trial; absent where it does not say.
    pub counted: Option<bool>,
    /// Whether the trial would have passed, where a log proves it.
    pub would_have_passed: Option<bool>,
    /// How many trials the harness was told to run at once.
    pub concurrency: Option<u32>,
    /// What its logs suggest, strongest first.
    pub clues: Vec<Clue>,
}

/// The source's own word for a failure: an exception class, a failure mode, an exit status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceFailure {
    /// The class or mode, as in `AgentTimeoutError`.
    pub class: String,
    /// Its message, shortened.
    pub message: String,
}

/// Whether a trial ended with what a clue tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// It is the last thing that happened.
    Terminal,
    /// The trial went on after it.
    Recovered,
    /// The source does not show the order.
    Unknown,
}

/// How far a clue can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Several explanations fit.
    Low,
    /// One explanation fits best.
    Medium,
    /// Only one explanation fits.
    High,
}

/// What a clue suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClueKind {
    /// Something outside the agent ended or bent the trial.
    Infra(Cause),
    /// The agent's own doing, whatever the source calls it.
    Agent(Cause),
    /// The task or its verifier is broken for everybody.
    TaskDefect,
    /// A process was killed, and no counter says by whom.
    Killed,
    /// The verifier's own output shows the tests passing, although its verdict was lost.
    VerdictLost,
    /// The verifier's own output shows tests failing, although its verdict was lost.
    TestsFailed,
}

/// One thing that the source's logs, times or exception tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clue {
    /// What it suggests.
    pub kind: ClueKind,
    /// In which phase.
    pub phase: Phase,
    /// Whether the trial ended there.
    pub position: Position,
    /// How far it can be trusted.
    pub confidence: Confidence,
    /// Where it stands and what it reads.
    pub evidence: Evidence,
}
