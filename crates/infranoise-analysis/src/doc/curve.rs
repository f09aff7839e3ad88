//! What all arms say together.

use infranoise_core::ArmId;
use infranoise_stats::{Estimate, TestResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A trend over the arms in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrendRow {
    /// What is followed: `strict score`, `ceiling kills`, `infra errors` …
    pub what: String,
    /// Change per step from one arm to the next, over tasks like these.
    pub slope: Option<TestResult>,
    /// The stratified trend test for these tasks (Mantel): z and its two-sided p.
    pub these_tasks: Option<(f64, f64)>,
    /// Why there is none, if there is none.
    pub why_not: Option<String>,
}

/// Where success begins to rise faster than infra errors fall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurningPoint {
    /// The arm with the highest agent-failure rate.
    pub at: ArmId,
    /// The share of task resamples in which each arm is that arm.
    pub shares: Vec<(ArmId, f64)>,
    /// The smallest set of arms that together hold at least 90 % of the resamples.
    pub set_90: Vec<ArmId>,
    /// The agent-failure rate of each arm.
    pub agent_failure_rates: Vec<(ArmId, f64)>,
    /// Resamples.
    pub draws: u32,
}

/// Variance components on the probability scale; negatives are kept, since cutting them off would bias sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Components {
    /// Between repeats of the same task in the same arm.
    pub seed: f64,
    /// Between tasks.
    pub task: f64,
    /// Task by arm.
    pub task_by_arm: Option<f64>,
    /// Between arms.
    pub arm: Option<f64>,
    /// Between rounds (time), with its F ratio.
    pub round: Option<(f64, f64)>,
    /// Share of the variance within an arm that lies between tasks.
    pub rho: f64,
}

/// The smallest score difference that can be told from none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoiseFloor {
    /// If configurations are matched, as a share.
    pub matched: f64,
    /// If the other result's configuration may differ by as much as the arms of this sweep do.
    pub unmatched: f64,
    /// The shift that `unmatched` allows for.
    pub infra_shift: f64,
    /// Smallest difference between two arms that this design finds with 80 % power.
    pub detectable: f64,
    /// Repeats that equivalence within the margin would take (true difference 0, 80 % power), where some number would.
    pub repeats_for_margin: Option<u64>,
    /// The widest interval of a score, for the record.
    pub score_interval: Option<Estimate>,
}
