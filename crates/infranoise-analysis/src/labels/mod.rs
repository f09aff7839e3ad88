//! How right is the classifier? People judge a random sample, and what they say gives precision and recall.
//!
//! [`draw`] draws the sample: by verdict, so that rare verdicts are judged too, and blind, so that a judge does not see the verdict.
//! [`score`] compares. A judge says what a trial counts as in the words of [`Shown`]; `undetermined` means that it cannot be known, so that
//! a classifier that claims too much is found out as well.
//!
//! Deliberately absent: files and the look of the sheet.

mod accuracy;
mod draw;
mod score;
#[cfg(test)]
mod tests;

use infranoise_core::{ArmId, Shown, SweepId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doc::Estimate;

pub use draw::draw;
pub use score::score;

/// A sample of trials for people to judge. Two people who draw with the same seed from the same records get the same sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelSheet {
    /// The sweep.
    pub sweep: SweepId,
    /// The seed of the draw.
    pub seed: u64,
    /// How many trials there are of each verdict, and how many were drawn.
    pub strata: Vec<Stratum>,
    /// The trials, in random order.
    pub items: Vec<LabelItem>,
}

/// One trial to be judged. The classifier's verdict is not in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelItem {
    /// The trial's folder.
    pub trial: String,
    /// Which execution of it.
    pub attempt: u32,
    /// The task.
    pub task: TaskId,
    /// The arm.
    pub arm: ArmId,
    /// For a trial of another harness, the file that held it.
    #[serde(default)]
    pub file: Option<String>,
    /// What the judge says; absent until someone does.
    #[serde(default)]
    pub truth: Option<Shown>,
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// The trials of one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stratum {
    /// The verdict.
    pub verdict: Shown,
    /// How many trials have it.
    pub trials: u64,
    /// How many of them are in the sample; in a report, how many were judged.
    pub sampled: u64,
}

/// A class that precision and recall are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelClass {
    /// Infrastructure errors: ceiling kills and faults together.
    Infra,
    /// Solved.
    Pass,
    /// Not solved, by the agent's own doing.
    Fail,
    /// Ended by its own ceiling.
    Ceiling,
    /// Ended by what neither the agent nor its ceiling can have caused.
    Fault,
    /// It cannot be known.
    Undetermined,
    /// The agent's phase was never begun.
    NotStarted,
}

impl LabelClass {
    /// Every class, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Infra,
        Self::Pass,
        Self::Fail,
        Self::Ceiling,
        Self::Fault,
        Self::Undetermined,
        Self::NotStarted,
    ];

    /// Whether an outcome is of this class.
    #[must_use]
    pub fn holds(self, shown: Shown) -> bool {
        match self {
            Self::Infra => matches!(shown, Shown::Ceiling | Shown::Fault),
            Self::Pass => shown == Shown::Pass,
            Self::Fail => shown == Shown::Fail,
            Self::Ceiling => shown == Shown::Ceiling,
            Self::Fault => shown == Shown::Fault,
            Self::Undetermined => shown == Shown::Undetermined,
            Self::NotStarted => shown == Shown::NotStarted,
        }
    }
}

/// What the judges' labels say about the classifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelReport {
    /// Trials by verdict, and how many of each were judged.
    pub strata: Vec<Stratum>,
    /// Share of all trials on which judge and classifier agree, weighted by how often each verdict occurs.
    pub agreement: Rate,
    /// Precision and recall of each class that occurs.
    pub classes: Vec<ClassAccuracy>,
    /// How often each verdict met each judgement.
    pub confusion: Vec<Confusion>,
    /// The trials on which they disagree.
    pub disagreements: Vec<Disagreement>,
    /// Items that nobody has judged yet.
    pub unjudged: u64,
    /// What must be known before believing the numbers.
    pub warnings: Vec<String>,
}

/// Precision and recall of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClassAccuracy {
    /// The class.
    pub class: LabelClass,
    /// Of the trials that the classifier puts into it, the share that belongs there.
    pub precision: Rate,
    /// Of the trials that belong there, the share that the classifier puts into it.
    pub recall: Rate,
}

/// A rate with its interval, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rate {
    /// The rate, with an interval that covers it at least as often as it says.
    Known(Estimate),
    /// It cannot be estimated.
    Absent {
        /// Why not.
        why: String,
    },
}

/// How often a verdict met a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confusion {
    /// What the classifier says.
    pub verdict: Shown,
    /// What the judge says.
    pub truth: Shown,
    /// How many judged trials.
    pub count: u64,
}

/// A trial on which judge and classifier disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// The trial's folder.
    pub trial: String,
    /// Which execution of it.
    pub attempt: u32,
    /// What the classifier says.
    pub verdict: Shown,
    /// The rule that decided.
    pub rule: String,
    /// What the judge says.
    pub truth: Shown,
    /// Why.
    pub note: String,
}
