//! How much memory trials want, and what was asked for and held.

use infranoise_core::{ArmId, TaskId};
use infranoise_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VerdictWord;

/// The share of trials that would want more than a ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DemandPoint {
    /// The ceiling as a multiple of the task spec.
    pub multiple: f64,
    /// Share of trials that want more (Kaplan-Meier; a kill is censored at its ceiling).
    pub exceeds: f64,
    /// Its 95 % interval (log-log), where it can be had.
    pub interval: Option<(f64, f64)>,
}

/// What one task seems to need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NeedRow {
    /// The task.
    pub task: TaskId,
    /// Its memory spec in bytes.
    pub spec_bytes: Option<u64>,
    /// Trials with a peak.
    pub trials: u64,
    /// Of them killed at their ceiling.
    pub killed: u64,
    /// Median peak of the trials that were not killed, in bytes.
    pub median_bytes: Option<u64>,
    /// The highest peak of a trial that was not killed, in bytes.
    pub highest_bytes: Option<u64>,
    /// The highest ceiling at which a trial was killed, in bytes.
    pub killed_at_bytes: Option<u64>,
    /// Floor: the median peak of trials that were not killed, up to the next MiB.
    pub floor_bytes: Option<u64>,
    /// Ceiling: a quarter above the highest peak seen, up to the next MiB. Absent where the highest ceiling seen still killed: then
    /// nobody has seen how much the task wants.
    pub ceiling_bytes: Option<u64>,
    /// Whether the ceiling lies above the spec, so that the spec is too tight.
    pub under_provisioned: bool,
}

/// One setting of an arm: asked for, and held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingRow {
    /// The setting: `memory ceiling`, `kill scope` …
    pub what: String,
    /// By arm.
    pub arms: Vec<SettingCell>,
    /// Whether all arms ask for the same.
    pub same: bool,
}

/// A setting in one arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettingCell {
    /// The arm.
    pub arm: ArmId,
    /// What it asks for, in words.
    pub asked: String,
    /// What the engine held, in words, commonest first; absent where nothing is recorded.
    pub held: Option<String>,
    /// Whether the kernel or the engine holds it in every trial.
    pub firm: bool,
}

/// Two arms, and whether they can be told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApartRow {
    /// One arm.
    pub base: ArmId,
    /// The other.
    pub arm: ArmId,
    /// The difference of their strict scores on these tasks (arm minus base).
    pub effect: Option<Estimate>,
    /// Exact p-value after Holm's correction over all pairs of arms.
    pub p_holm: Option<f64>,
    /// The verdict.
    pub word: VerdictWord,
}

/// What was known of the widest comparison after a number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MonitorPoint {
    /// Rounds that count so far.
    pub rounds: u32,
    /// Recorded trials of the two arms so far.
    pub trials: u64,
    /// The difference of strict scores so far (loosest arm minus the first), with the interval of a single look.
    pub effect: Estimate,
    /// The interval that stays valid though one looks after each round (Lan-DeMets spending, O'Brien-Fleming kind); absent so early that
    /// a look can spend nothing.
    pub looked: Option<(f64, f64)>,
}
