//! Whom a trial's failure is to be blamed on, by what rule and with what evidence.
//!
//! [`RULES`] is a list in order of precedence; the first rule that has something to say decides. A rule sees the facts of one trial
//! and a [`Context`]; it never parses text that a program inside the sandbox wrote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, EvidenceState};
use crate::{Facts, Resource};

mod cause;
mod context;
mod reading;
mod rules;
#[cfg(test)]
mod tests;

pub use cause::Cause;
pub use context::{ApiAtDeadline, Context, HostAtKill, Qualification};
pub use rules::RULES;

/// Whom a trial's end is put down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Blame {
    /// The trial passed.
    Nobody,
    /// The agent.
    Agent,
    /// The trial's own resource ceiling: a property of the arm.
    Ceiling {
        /// Which resource.
        resource: Resource,
    },
    /// What neither the agent nor its ceiling can have caused.
    Fault,
    /// The task itself: the oracle or the nop agent shows it too.
    Task,
    /// It cannot be known from what was observed.
    Undetermined,
    /// The agent phase was never begun. Not a verdict on a trial: it is in coverage and bounds, in no error rate.
    NotStarted,
}

impl std::fmt::Display for Blame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nobody => f.pad("nobody"),
            Self::Agent => f.pad("agent"),
            Self::Ceiling { resource } => f.pad(&format!("ceiling ({resource})")),
            Self::Fault => f.pad("fault"),
            Self::Task => f.pad("task"),
            Self::Undetermined => f.pad("undetermined"),
            Self::NotStarted => f.pad("not started"),
        }
    }
}

/// The name of a rule, stable across versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RuleId(pub String);

/// A verdict on a trial, with what shows it. Derived from the facts, stored beside them, recomputable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Classification {
    /// Whom.
    pub blame: Blame,
    /// What.
    pub cause: Cause,
    /// The phase in which it happened.
    pub phase: Option<crate::Phase>,
    /// The rule that decided.
    pub rule: RuleId,
    /// What shows it.
    pub evidence: Vec<Evidence>,
    /// Resource events that the trial lived through without being ended by them, in words.
    pub survived: Vec<String>,
}

impl Classification {
    /// The weakest state of the evidence behind the verdict.
    #[must_use]
    pub fn weakest_evidence(&self) -> EvidenceState {
        self.evidence.iter().map(|piece| piece.state).max().unwrap_or(EvidenceState::Unavailable)
    }
}

/// What a rule says when it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whom.
    pub blame: Blame,
    /// What.
    pub cause: Cause,
    /// Where.
    pub phase: Option<crate::Phase>,
    /// What shows it.
    pub evidence: Vec<Evidence>,
}

/// One rule of classification.
pub struct Rule {
    /// Its name, stable across versions.
    pub id: &'static str,
    /// What it says, in one sentence, for `infranoise explain` and the docs.
    pub sentence: &'static str,
    /// The decision: `None` where the rule has nothing to say.
    pub decide: fn(&Facts, &Context) -> Option<Verdict>,
}

/// Decides whom a trial's end is to be blamed on: the first of [`RULES`] that applies. Pure; the same facts and context give the
/// same verdict.
#[must_use]
pub fn classify(facts: &Facts, context: &Context) -> Classification {
    let decided =
        RULES.iter().find_map(|rule| (rule.decide)(facts, context).map(|verdict| (rule.id, verdict)));
    let (rule, mut verdict) = decided.unwrap_or_else(|| ("no-rule", rules::nothing_known()));
    verdict.evidence.extend(rules::foreign::unseen(facts, verdict.blame));
    let ended_by = match verdict.blame {
        Blame::Ceiling { resource } => Some((resource, verdict.phase)),
        Blame::Nobody
        | Blame::Agent
        | Blame::Fault
        | Blame::Task
        | Blame::Undetermined
        | Blame::NotStarted => None,
    };
    Classification {
        blame: verdict.blame,
        cause: verdict.cause,
        phase: verdict.phase,
        rule: RuleId(rule.to_owned()),
        evidence: verdict.evidence,
        survived: reading::survived(facts, ended_by),
    }
}
