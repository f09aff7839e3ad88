//! Rows that figures draw.

use infranoise_core::{ArmId, Blame, Cause, Phase, Shown, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How often a cause ended trials of an arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CauseRow {
    /// The arm.
    pub arm: ArmId,
    /// What the trials count as.
    pub shown: Shown,
    /// Whom.
    pub blame: Blame,
    /// What.
    pub cause: Cause,
    /// Where.
    pub phase: Option<Phase>,
    /// How many trials.
    pub count: u64,
}

/// The memory peak of a trial against its ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeakPoint {
    /// The trial's folder name.
    pub trial: String,
    /// The task.
    pub task: TaskId,
    /// The arm.
    pub arm: ArmId,
    /// What the trial counts as.
    pub shown: Shown,
    /// The task's memory spec in bytes.
    pub spec_bytes: Option<u64>,
    /// The ceiling in bytes; absent where there is none.
    pub ceiling_bytes: Option<u64>,
    /// The kernel's peak in bytes.
    pub peak_bytes: Option<u64>,
    /// The highest sample of memory that cannot be reclaimed, in bytes.
    pub nonreclaimable_bytes: Option<u64>,
    /// Whether the trial was killed at its ceiling, so that its demand is at least the peak.
    pub censored: bool,
}

/// A trial on the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelinePoint {
    /// The trial's folder name.
    pub trial: String,
    /// Its place in the order, counted from 0.
    pub position: u64,
    /// The arm.
    pub arm: ArmId,
    /// The task.
    pub task: TaskId,
    /// What the trial counts as.
    pub shown: Shown,
    /// Start, in milliseconds since the first trial.
    pub start_ms: u64,
    /// End, in milliseconds since the first trial.
    pub end_ms: u64,
    /// Share of the time in which some task on the host waited for a CPU.
    pub host_cpu_pressure: Option<f64>,
    /// Share of the time in which some task on the host waited for memory.
    pub host_memory_pressure: Option<f64>,
}

/// How often a strategy was seen, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StrategyRow {
    /// The arm.
    pub arm: ArmId,
    /// The agent's own names for what it did, in order, as in `heavy > lean`.
    pub strategy: String,
    /// Trials.
    pub trials: u64,
    /// Of them passed.
    pub passed: u64,
    /// Of them ended by their own ceiling.
    pub ceiling: u64,
}

/// One trial in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialRow {
    /// The trial's folder name.
    pub trial: String,
    /// The task.
    pub task: TaskId,
    /// The arm.
    pub arm: ArmId,
    /// The repeat.
    pub repeat: u32,
    /// Which attempt counts.
    pub attempt: u32,
    /// How many attempts there are.
    pub attempts: u32,
    /// What it counts as.
    pub shown: Shown,
    /// Whom.
    pub blame: Blame,
    /// What.
    pub cause: Cause,
    /// Where.
    pub phase: Option<Phase>,
    /// The rule that decided.
    pub rule: String,
    /// The evidence, each piece in one line.
    pub evidence: Vec<String>,
    /// Resource events that it lived through.
    pub survived: Vec<String>,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// The kernel's memory peak in bytes.
    pub peak_bytes: Option<u64>,
    /// What the same task and repeat counts as in the loosest arm: would it have passed?
    pub pair_in_loosest: Option<Shown>,
}
