//! Two arms against each other.

use infranoise_core::{ArmId, ScoringRule, TaskId};
use infranoise_stats::{Estimate, TestResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a claim is about. The two are never mixed in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimScope {
    /// These very tasks: only the trials' own randomness counts.
    TheseTasks,
    /// Tasks like these: the tasks are a sample.
    NewTasks,
}

impl std::fmt::Display for ClaimScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::TheseTasks => "these tasks",
            Self::NewTasks => "tasks like these",
        })
    }
}

/// The three verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictWord {
    /// The interval excludes no difference.
    Different,
    /// The interval lies within the margin.
    Equivalent,
    /// Both at once: a difference too small to matter.
    DifferentButNegligible,
    /// Neither.
    CannotTell,
}

/// A verdict in words, with what it would take to know more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict3 {
    /// Which.
    pub word: VerdictWord,
    /// The verdict as it is printed, as in *can't tell (needs k = 34)*.
    pub says: String,
    /// Repeats that would settle equivalence within the margin, where some number would.
    pub needs_repeats: Option<u64>,
}

/// One statement about a difference, with what it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// What it is about.
    pub scope: ClaimScope,
    /// Effect (this arm minus the base), interval and p.
    pub test: Option<TestResult>,
    /// The p-value after Holm's correction over the comparisons with the same base, where there are several.
    pub p_holm: Option<f64>,
    /// Two one-sided tests against the margin: the larger p.
    pub p_equivalence: Option<f64>,
    /// The 90 % interval that equivalence is judged by.
    pub interval_90: Option<Estimate>,
    /// Why there is no test, if there is none.
    pub why_not: Option<String>,
}

/// A difference in score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The scoring rule.
    pub rule: ScoringRule,
    /// Tasks with trials in both arms.
    pub tasks: u64,
    /// Tasks left out because one arm has no trial of them.
    pub tasks_left_out: u64,
    /// About these tasks.
    pub these_tasks: Claim,
    /// About tasks like these.
    pub new_tasks: Claim,
    /// The verdict on these tasks.
    pub verdict: Verdict3,
    /// The task that carries most of it.
    #[serde(default)]
    pub influence: Option<Influence>,
    /// The difference if every trial that is missing (not recorded, or not started) failed in the base and passed here, and the other way
    /// round: lowest and highest. Given where more than 1 % of the planned trials are missing.
    #[serde(default)]
    pub worst_case: Option<(f64, f64)>,
}

/// A difference in infra errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KillComparison {
    /// What is counted: `ceiling kills`, `faults` or `infra errors`.
    pub what: String,
    /// Events and trials in the base.
    pub base: (u64, u64),
    /// Events and trials in this arm.
    pub arm: (u64, u64),
    /// Difference of rates (this arm minus the base) over tasks, with its interval.
    pub risk_difference: Option<Estimate>,
    /// The common odds ratio over tasks with its exact interval.
    pub odds_ratio: Option<Estimate>,
    /// The exact stratified p-value (Cochran-Mantel-Haenszel).
    pub p_exact: Option<f64>,
    /// The same after Holm's correction.
    pub p_holm: Option<f64>,
    /// The largest p-value when any one task is left out.
    pub p_leave_one_out_max: Option<f64>,
    /// Why there is no test, if there is none.
    pub why_not: Option<String>,
}

/// A part of a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its mean over tasks, as a share.
    pub value: f64,
    /// The same with its interval for tasks like these; absent where tasks do not differ in it.
    pub estimate: Option<Estimate>,
}

/// The split at one share of killed trials that would have failed anyway.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhiPoint {
    /// Where the share comes from.
    pub assumption: String,
    /// Share of killed trials that would have failed anyway.
    pub phi: f64,
    /// Noise removed, as a share.
    pub noise_removed: f64,
    /// The rest, as a share.
    pub rest: f64,
}

/// How much one task carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Influence {
    /// The task without which the difference changes most.
    pub task: TaskId,
    /// The difference without it, as a share.
    pub without: f64,
    /// The largest exact p-value when any one task is left out.
    pub largest_p: Option<f64>,
}

/// What a difference in score is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decomposition {
    /// Tasks with an undisturbed trial in this arm, over which the parts are means; they add up to the difference on these tasks alone.
    #[serde(default)]
    pub tasks: u64,
    /// Infra errors that went away and whose trials then pass at the rate of the others.
    pub noise_removed: Part,
    /// The rest: consistent with newly solved.
    pub rest: Part,
    /// Trials that had failed after a survived resource event, healed: a part of its own, between the two.
    #[serde(default)]
    pub maimed: Option<Part>,
    /// Fall of the rate of trials that failed after a survived resource event: at most this share of the difference is maimed trials healed.
    pub maimed_at_most: f64,
    /// Share of killed trials that would have failed anyway, as far as pairs tell: doomed over killed pairs.
    pub doomed_pairs: (u64, u64),
    /// `noise removed` if all killed trials were doomed, and if none was.
    pub noise_removed_bounds: (f64, f64),
    /// Sharp bounds on `noise removed` without any assumption.
    #[serde(default)]
    pub sharp_bounds: Option<(f64, f64)>,
    /// `noise removed` and the rest at several shares of doomed trials: 0, what independence gives, what pairs show, 1.
    #[serde(default)]
    pub phi_line: Vec<PhiPoint>,
    /// Change of the agent-failure rate among trials without a resource event: only this speaks of capability.
    #[serde(default)]
    pub event_free_failure_change: Option<TestResult>,
    /// Change of the agent-failure rate; below zero only if a looser ceiling helps beyond removing kills.
    pub agent_failure_change: Option<TestResult>,
}

/// One arm against a base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The base.
    pub base: ArmId,
    /// The arm.
    pub arm: ArmId,
    /// Differences in score under each rule that allows a comparison (strict first).
    pub scores: Vec<Difference>,
    /// Differences in infra errors.
    pub kills: Vec<KillComparison>,
    /// What the difference in the strict score is made of.
    pub decomposition: Option<Decomposition>,
    /// Pairs (same task, repeat and seed) that fail in the base and pass in this arm.
    pub flips_up: u64,
    /// Pairs that pass in the base and fail in this arm.
    pub flips_down: u64,
    /// Pairs.
    pub pairs: u64,
}
