//! Trials by the circumstances in which they ran, and where their time and money went.

use std::collections::BTreeMap;

use infranoise_core::{ArmId, Phase, TaskId};
use infranoise_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Trials that share a circumstance, with how they ended. All arms are pooled, since blocks hit all arms alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRow {
    /// The circumstance: the hour of the day in UTC (0 to 23), or how many trials ran at the start of this one.
    pub at: u32,
    /// Trials whose agent phase started.
    pub trials: u64,
    /// Share that passed, with its interval.
    pub passed: Option<Estimate>,
    /// Share that ended by an infra error, with its interval; absent where that is not observable.
    pub infra_errors: Option<Estimate>,
}

/// Where the time of an arm's trials went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockRow {
    /// The arm.
    pub arm: ArmId,
    /// Trials.
    pub trials: u64,
    /// Mean wall time of a trial, in milliseconds.
    pub wall_ms: f64,
    /// The same with its 95 % interval (normal, trials taken as independent), in milliseconds.
    pub wall_interval_ms: Option<(f64, f64)>,
    /// Mean time of each phase, in milliseconds; over all trials, those without the phase counting as 0.
    pub phases_ms: BTreeMap<Phase, f64>,
    /// Mean time inside the agent phase in which no command of it ran (waiting for a model, thinking), in milliseconds; absent where
    /// commands are not recorded one by one.
    pub agent_idle_ms: Option<f64>,
    /// Trials whose agent ran into its time limit.
    pub timed_out: u64,
    /// Of them passed.
    pub timed_out_passed: u64,
}

/// Agent phases by how long they took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DurationBin {
    /// From, in milliseconds.
    pub from_ms: u64,
    /// To, in milliseconds (not included).
    pub to_ms: u64,
    /// Agent phases that ended by themselves.
    pub phases: u64,
    /// Agent phases that were ended by their time limit.
    pub at_deadline: u64,
    /// Single commands that ended so.
    pub commands: u64,
}

/// How a measurement spreads over trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpreadRow {
    /// The arm.
    pub arm: ArmId,
    /// Whether the trials passed; absent where both kinds are pooled.
    pub passed: Option<bool>,
    /// Trials with the measurement.
    pub n: u64,
    /// Trials without it.
    pub not_observed: u64,
    /// Lowest, lower quartile, median, upper quartile, highest.
    pub five: Option<[f64; 5]>,
    /// 95 % interval of the median (by order statistics, without an assumption on the shape), where there are enough trials.
    pub median_interval: Option<(f64, f64)>,
}

/// What the verifier did on a task in an arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerifierRow {
    /// The task.
    pub task: TaskId,
    /// The arm.
    pub arm: ArmId,
    /// Trials that reached the verifier.
    pub reached: u64,
    /// Of them with a reward.
    pub graded: u64,
    /// Of them with no reward, or with one that cannot be read.
    pub broken: u64,
    /// Of them ended by the verifier's time limit.
    pub timed_out: u64,
    /// Where the agent is an oracle: graded trials that did not pass, which is the verifier's doing.
    pub oracle_failed: Option<u64>,
}

/// What the trials of an arm cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostRow {
    /// The arm.
    pub arm: ArmId,
    /// Trials.
    pub trials: u64,
    /// Hours of all its trials together.
    pub trial_hours: f64,
    /// GiB of guaranteed memory times hours; absent where allocations are not recorded.
    pub floor_gib_hours: Option<f64>,
    /// GiB of memory that trials really took at their peaks times hours; absent where peaks are not observed.
    pub peak_gib_hours: Option<f64>,
    /// Hours of CPU time; absent where it is not observed.
    pub cpu_hours: Option<f64>,
    /// Tokens in and out; absent where not recorded.
    pub tokens: Option<(u64, u64)>,
    /// Dollars with the number of trials that say theirs; absent where none does.
    pub dollars: Option<(f64, u64)>,
}
