//! The Analysis document: everything that tables, figures, JSON and gates are made from.
//!
//! Every number stands with its interval, its scoring rule or denominator, and the words for it. Rates and differences are shares
//! (0.06 is six points); a heading that shows them multiplies by 100.

use std::collections::BTreeMap;

use infranoise_core::{
    ArmId, Blame, Cause, Ceiling, EvidenceState, Factor, HostFingerprint, KillScope, Phase, ScoringRule,
    Shown, Subject, SweepId, TaskId,
};
pub use infranoise_stats::{Estimate, TestResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod balance;
mod circumstance;
mod comparison;
mod curve;
mod demand;
mod points;

pub use balance::BalanceRow;
pub use circumstance::{ClockRow, CostRow, DurationBin, GroupRow, SpreadRow, VerifierRow};
pub use comparison::{
    Claim, ClaimScope, Comparison, Decomposition, Difference, Influence, KillComparison, Part, PhiPoint,
    Verdict3, VerdictWord,
};
pub use curve::{Components, NoiseFloor, TrendRow, TurningPoint};
pub use demand::{ApartRow, DemandPoint, MonitorPoint, NeedRow, SettingCell, SettingRow};
pub use points::{CauseRow, PeakPoint, StrategyRow, TimelinePoint, TrialRow};

/// The version of this document: the major number changes when a field changes its meaning or goes.
///
/// * 1.0: first.
/// * 1.1: settings, apart, monitor, demand, needs, hours, concurrency, clocks, durations, throttling, received, sent, verifiers, costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnalysisVersion {
    /// Changes of meaning.
    pub major: u16,
    /// Additions.
    pub minor: u16,
}

/// The version that this program writes.
pub const ANALYSIS_VERSION: AnalysisVersion = AnalysisVersion { major: 1, minor: 1 };

/// What the trials say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// The format's version.
    pub version: AnalysisVersion,
    /// The program and version that made it.
    pub made_by: String,
    /// What was analysed.
    pub about: About,
    /// The answer in a few sentences, first the headline.
    pub answer: Answer,
    /// Arms, in the plan's order (tightest first).
    pub arms: Vec<ArmSummary>,
    /// Differences to the first arm and to the reference arm.
    pub comparisons: Vec<Comparison>,
    /// Trends over the arms in the plan's order.
    pub trends: Vec<TrendRow>,
    /// Where success rises faster than infra errors fall; absent with fewer than three arms.
    pub turning_point: Option<TurningPoint>,
    /// Where the variance lies; absent where it cannot be estimated.
    pub components: Option<Components>,
    /// The smallest score difference that this design can tell from none.
    pub noise_floor: Option<NoiseFloor>,
    /// Whether arms were confounded with something else that may move scores.
    #[serde(default)]
    pub balance: Vec<BalanceRow>,
    /// What is absent above, and why.
    #[serde(default)]
    pub absent: BTreeMap<String, String>,
    /// Task by arm.
    pub matrix: Vec<TaskRow>,
    /// What ended trials, by arm.
    pub causes: Vec<CauseRow>,
    /// Memory peaks, one per trial.
    pub peaks: Vec<PeakPoint>,
    /// When trials ran and what the host was like.
    pub timeline: Vec<TimelinePoint>,
    /// What agents did, by arm and outcome.
    pub strategies: Vec<StrategyRow>,
    /// What each arm asks for and what was held, setting by setting.
    #[serde(default)]
    pub settings: Vec<SettingRow>,
    /// Every pair of arms, and whether they can be told apart.
    #[serde(default)]
    pub apart: Vec<ApartRow>,
    /// The widest comparison after each round.
    #[serde(default)]
    pub monitor: Vec<MonitorPoint>,
    /// The share of trials that want more than a ceiling, over ceilings.
    #[serde(default)]
    pub demand: Vec<DemandPoint>,
    /// What each task seems to need.
    #[serde(default)]
    pub needs: Vec<NeedRow>,
    /// Trials by the hour of the day at their start (UTC).
    #[serde(default)]
    pub hours: Vec<GroupRow>,
    /// Trials by how many ran at once.
    #[serde(default)]
    pub concurrency: Vec<GroupRow>,
    /// Where time went, by arm.
    #[serde(default)]
    pub clocks: Vec<ClockRow>,
    /// Agent phases and commands by how long they took.
    #[serde(default)]
    pub durations: Vec<DurationBin>,
    /// Share of the agent phase that was throttled at the CPU ceiling, by arm and by whether the trial passed.
    #[serde(default)]
    pub throttling: Vec<SpreadRow>,
    /// Bytes that trials received from the network, by arm.
    #[serde(default)]
    pub received: Vec<SpreadRow>,
    /// Bytes that trials sent to the network, by arm.
    #[serde(default)]
    pub sent: Vec<SpreadRow>,
    /// What verifiers did, by task and arm; rows in which all is well are left out.
    #[serde(default)]
    pub verifiers: Vec<VerifierRow>,
    /// Whether any trial reached a verifier whose doings are recorded.
    #[serde(default)]
    pub verified: u64,
    /// What arms cost.
    #[serde(default)]
    pub costs: Vec<CostRow>,
    /// One line per trial, for lists and filters.
    pub trials: Vec<TrialRow>,
    /// Scoring rules and denominators that appear above, each in a sentence.
    pub footnotes: Vec<String>,
    /// Things that the person should know before believing the numbers.
    pub warnings: Vec<String>,
}

/// What was analysed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// The sweep.
    pub sweep: SweepId,
    /// Whether this is the bundled demonstration, whose mix of tasks is composed.
    pub staged: bool,
    /// Who was measured.
    pub subject: Subject,
    /// The engine.
    pub engine: String,
    /// Where the root file system came from.
    pub root: String,
    /// The host, at planning time.
    pub host: HostFingerprint,
    /// Whether the trials come from another harness: then nothing was shuffled, and the host is not known.
    #[serde(default)]
    pub imported: bool,
    /// How many tasks.
    pub tasks: u64,
    /// Repeats of each task in each arm.
    pub repeats: u32,
    /// The seed of order and draws.
    pub seed: u64,
    /// Equivalence margin, as a share (0.03 is three points).
    pub margin: f64,
    /// Planned trials.
    pub planned: u64,
    /// Recorded trials (first started attempts).
    pub recorded: u64,
    /// When the first trial began, in milliseconds since 1970 (UTC).
    pub started_at_ms: Option<u64>,
    /// When the last trial ended, in milliseconds since 1970 (UTC).
    pub ended_at_ms: Option<u64>,
}

/// The answer in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// One sentence.
    pub headline: String,
    /// What supports and what limits it.
    pub sentences: Vec<String>,
}

/// A rate with its numerator and its denominator, named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// How many.
    pub count: u64,
    /// Out of how many.
    pub of: u64,
    /// What the denominator is, in words.
    pub denominator: String,
    /// The share with its interval for these tasks; absent where there is no trial, or where it is not observable.
    pub estimate: Option<Estimate>,
    /// The interval for tasks like these, where it can be had.
    pub new_tasks: Option<Estimate>,
    /// Whether it could be observed at all; "not observable" is said, never shown as 0 %.
    pub observable: EvidenceState,
}

/// A score under a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRow {
    /// The rule.
    pub rule: ScoringRule,
    /// The mean over tasks; absent without a trial.
    #[serde(default)]
    pub value: Option<f64>,
    /// The same with the interval for tasks like these; absent with a single task.
    pub estimate: Option<Estimate>,
    /// Standard error if the same tasks were run again.
    pub seed_se: Option<f64>,
    /// Tasks that count.
    pub tasks: u64,
    /// Trials that count.
    pub trials: u64,
    /// Trials that the rule drops.
    pub dropped: u64,
    /// Tasks of which no trial counts, bounded and listed.
    pub tasks_without_valid: Vec<TaskId>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmSummary {
    /// Its name.
    pub name: ArmId,
    /// What it asks for, in words.
    pub says: String,
    /// The memory ceiling as a multiple of the task spec; `uncapped` where there is none, absent where bands differ by task.
    pub headroom: Option<Ceiling<Factor>>,
    /// For an uncapped arm: the host's memory as a multiple of the median task spec.
    pub real_multiple: Option<f64>,
    /// The kill scope that was asked for.
    pub kill_scope: KillScope,
    /// Planned trials.
    pub planned: u64,
    /// How planned trials ended; their sum is `planned`, what is not yet recorded counts as not started.
    pub counts: BTreeMap<Shown, u64>,
    /// Planned trials without a record, part of "not started" above.
    pub not_recorded: u64,
    /// Trials whose agent phase started, over planned.
    pub coverage: f64,
    /// Trials ended by their own ceiling.
    pub ceiling_kills: Rate,
    /// Trials ended by a fault.
    pub faults: Rate,
    /// Both together: the article-compatible infra-error rate.
    pub infra_errors: Rate,
    /// Trials that ended without any infra error and yet failed.
    pub agent_failures: Rate,
    /// Trials that lived through a resource event.
    pub survived_events: u64,
    /// Trials that lived through a resource event and passed.
    pub passed_despite_event: u64,
    /// Scores under each rule.
    pub scores: Vec<ScoreRow>,
    /// What the engine really held, in words, with how many trials each.
    pub enforcement: BTreeMap<String, u64>,
    /// Requested and effective that differ, in words.
    pub mismatches: Vec<String>,
}

impl ArmSummary {
    /// The score under a rule.
    #[must_use]
    pub fn score(&self, rule: ScoringRule) -> Option<&ScoreRow> {
        self.scores.iter().find(|row| row.rule == rule)
    }

    /// How many planned trials ended so.
    #[must_use]
    pub fn count(&self, shown: Shown) -> u64 {
        self.counts.get(&shown).copied().unwrap_or(0)
    }
}

/// One task over all arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRow {
    /// The task.
    pub task: TaskId,
    /// Its memory spec in bytes, stated or assumed.
    pub memory_spec_bytes: Option<u64>,
    /// Its cells, in the arms' order.
    pub cells: Vec<TaskCell>,
}

/// One task in one arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskCell {
    /// The arm.
    pub arm: ArmId,
    /// How its planned trials ended.
    pub counts: BTreeMap<Shown, u64>,
    /// Planned trials.
    pub planned: u64,
    /// The commonest cause among trials that did not pass.
    pub main_cause: Option<Cause>,
    /// The highest memory peak, in bytes.
    pub peak_bytes: Option<u64>,
}

/// How a blame and a cause are written in tables.
#[must_use]
pub fn cause_words(blame: Blame, cause: Cause, phase: Option<Phase>) -> String {
    match phase {
        Some(phase) => format!("{blame}: {cause} ({phase})"),
        None => format!("{blame}: {cause}"),
    }
}
