//! Whom a trial's failure is to be blamed on, by what rule and with what evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::{Facts, Resource};

mod cause;

pub use cause::Cause;

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
    /// The rule that decided.
    pub rule: RuleId,
    /// What shows it.
    pub evidence: Vec<Evidence>,
    /// Resource events that the trial lived through without being ended by them, in words.
    pub survived: Vec<String>,
}

/// What a rule may know beyond the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Context {}

/// One rule of classification.
pub struct Rule {
    /// Its name.
    pub id: &'static str,
}

/// Decides.
#[must_use]
pub fn classify(_facts: &Facts, _context: &Context) -> Classification {
    todo!()
}
