//! The record of a trial.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::Observed;
use crate::{
    Allocation, Bytes, Classification, Enforcement, HostWindow, Outcome, SandboxId, SourceRecord, Stated,
    Stop, TaskSpec, TelemetrySummary, TrialKey,
};

/// Which re-execution of a trial this is, counted from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Attempt(pub u32);

/// How the effective resources of a trial are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Set by us and read back.
    Enforced,
    /// The source says so.
    Declared,
    /// It follows from the source's configuration and the back end's habits.
    Inferred,
    /// Not known.
    Unknown,
}

/// One command of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StrategyCommand {
    /// The command's first 120 characters.
    pub command: String,
    /// Its memory peak.
    pub memory_peak_bytes: Observed<Bytes>,
    /// Its CPU time in microseconds.
    pub cpu_us: Observed<u64>,
    /// How it ended.
    pub stop: Stop,
}

/// What the agent did, so that a change of strategy between arms is seen and not inferred.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Strategy {
    /// The name that the agent itself gives to its way, where it has one (`heavy`, then `lean`).
    pub named: Vec<String>,
    /// Packages that it installed, as named on the command line.
    pub packages: Vec<String>,
    /// Its heaviest commands by memory peak, at most five, heaviest first.
    pub heaviest: Vec<StrategyCommand>,
}

/// Tokens and money.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens in, cached ones included.
    pub tokens_in: Observed<u64>,
    /// Tokens in that came from a cache.
    pub tokens_cached: Observed<u64>,
    /// Tokens out.
    pub tokens_out: Observed<u64>,
    /// Cost in US dollars.
    pub cost_usd: Observed<f64>,
}

/// Everything that is known of a trial, and no verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// Which trial.
    pub key: TrialKey,
    /// Which execution of it.
    pub attempt: Attempt,
    /// Its place in the order of the sweep, counted from 0.
    pub position: u64,
    /// The block (task x repeat) that it was randomised in, counted from 0.
    pub block: u64,
    /// The round (one pass over all tasks and arms), counted from 0.
    pub round: u32,
    /// The seed from which the agent draws; the same for all arms of a block.
    pub seed: u64,
    /// The engine, as in `local`.
    pub engine: String,
    /// The sandbox that it ran in, where there was one.
    pub sandbox: Option<SandboxId>,
    /// When it began, in milliseconds since 1970 (UTC); 0 where an imported source does not say.
    pub started_at_ms: u64,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// What the task recommends.
    pub spec: TaskSpec,
    /// Requested.
    pub allocation: Option<Allocation>,
    /// Effective, as read back.
    pub enforcement: Enforcement,
    /// How the effective resources are known.
    pub provenance: Provenance,
    /// What happened.
    pub outcome: Outcome,
    /// What was measured.
    pub telemetry: TelemetrySummary,
    /// The host meanwhile.
    pub host: HostWindow,
    /// What the agent did.
    pub strategy: Strategy,
    /// Tokens and money.
    pub usage: Usage,
    /// Things that were seen and do not fit elsewhere, said in sentences.
    pub notes: Vec<String>,
    /// For a trial of another harness: where it was read from and what that says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<SourceRecord>>,
}

impl Facts {
    /// When it began, in milliseconds since 1970 (UTC), if that is known.
    #[must_use]
    pub fn started_at(&self) -> Stated<u64> {
        match self.started_at_ms {
            0 if self.source.is_some() => Stated::NotStated,
            at => Stated::Value(at),
        }
    }
}

/// The facts of a trial and the verdict on them. The verdict is derived and can be recomputed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialRecord {
    /// The facts.
    pub facts: Facts,
    /// The verdict.
    pub classification: Classification,
}

impl TrialRecord {
    /// Whether this attempt counts rather than another one of the same trial: a started one before one that did not start, then the
    /// earlier started one, or the later of those that did not start.
    #[must_use]
    pub fn counts_before(&self, other: &Self) -> bool {
        let started = |record: &Self| record.facts.outcome.agent_started();
        let (own, theirs) = (self.facts.attempt, other.facts.attempt);
        match (started(self), started(other)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) => own < theirs,
            (false, false) => own > theirs,
        }
    }
}
