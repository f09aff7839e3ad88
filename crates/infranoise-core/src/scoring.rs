//! How trials become a score. The rule is chosen at analysis time and named in every table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Blame, TrialRecord};

/// What a trial counts as when results are shown. Planned trials are the sum of these six.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Solved.
    Pass,
    /// Not solved, by the agent's own doing.
    Fail,
    /// Ended by its own resource ceiling.
    Ceiling,
    /// Ended by what neither the agent nor its ceiling can have caused.
    Fault,
    /// Not solved, and whose doing that was cannot be known (or it was the task's).
    Undetermined,
    /// The agent phase was never begun.
    NotStarted,
}

impl Shown {
    /// Every outcome, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Pass, Self::Fail, Self::Ceiling, Self::Fault, Self::Undetermined, Self::NotStarted];

    /// The outcome of a recorded trial.
    #[must_use]
    pub fn of(record: &TrialRecord) -> Self {
        match record.classification.blame {
            Blame::Nobody => Self::Pass,
            Blame::Agent => Self::Fail,
            Blame::Ceiling { .. } => Self::Ceiling,
            Blame::Fault => Self::Fault,
            Blame::Task | Blame::Undetermined => Self::Undetermined,
            Blame::NotStarted => Self::NotStarted,
        }
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Ceiling => "ceiling",
            Self::Fault => "fault",
            Self::Undetermined => "undetermined",
            Self::NotStarted => "not started",
        })
    }
}

/// A rule that turns outcomes into a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoringRule {
    /// All that did not pass counts as fail, also what never started.
    Strict,
    /// Faults and what never started are dropped.
    ValidOnly,
    /// Faults, what never started and ceiling kills are dropped.
    ValidOnlyDropCeiling,
    /// Everything that is unknown fails.
    LowerBound,
    /// Everything that is unknown passes.
    UpperBound,
}

/// What one trial contributes under a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// It counts, as solved or not.
    Counts {
        /// Whether it is solved.
        solved: bool,
    },
    /// It is left out of numerator and denominator.
    Dropped,
}

impl ScoringRule {
    /// Every rule, in the order of tables.
    pub const ALL: [Self; 5] =
        [Self::Strict, Self::ValidOnly, Self::ValidOnlyDropCeiling, Self::LowerBound, Self::UpperBound];

    /// What a trial with this outcome contributes.
    #[must_use]
    pub fn score(self, shown: Shown) -> Score {
        let solved = Score::Counts { solved: true };
        let unsolved = Score::Counts { solved: false };
        match (self, shown) {
            (_, Shown::Pass) => solved,
            (_, Shown::Fail) => unsolved,
            (Self::ValidOnly | Self::ValidOnlyDropCeiling, Shown::Fault | Shown::NotStarted)
            | (Self::ValidOnlyDropCeiling, Shown::Ceiling) => Score::Dropped,
            (Self::UpperBound, Shown::Fault | Shown::Undetermined | Shown::NotStarted) => solved,
            (Self::Strict | Self::LowerBound | Self::UpperBound | Self::ValidOnly, Shown::Ceiling)
            | (Self::Strict | Self::LowerBound, Shown::Fault | Shown::NotStarted)
            | (
                Self::Strict | Self::LowerBound | Self::ValidOnly | Self::ValidOnlyDropCeiling,
                Shown::Undetermined,
            ) => unsolved,
        }
    }

    /// The rule in a sentence, for the foot of a table.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Strict => "strict: every planned trial counts; all that did not pass is a fail",
            Self::ValidOnly => "valid only: faults and trials that never started are dropped",
            Self::ValidOnlyDropCeiling => {
                "valid only, ceilings dropped too: faults, ceiling kills and trials that never started are dropped"
            }
            Self::LowerBound => "lower bound: all that is unknown fails",
            Self::UpperBound => "upper bound: all that is unknown passes",
        }
    }
}

impl std::fmt::Display for ScoringRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Strict => "strict",
            Self::ValidOnly => "valid-only",
            Self::ValidOnlyDropCeiling => "valid-only (ceilings dropped)",
            Self::LowerBound => "lower bound",
            Self::UpperBound => "upper bound",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_knows_every_outcome() {
        let row = |rule: ScoringRule| {
            Shown::ALL.map(|shown| match rule.score(shown) {
                Score::Counts { solved: true } => '1',
                Score::Counts { solved: false } => '0',
                Score::Dropped => '-',
            })
        };
        // pass, fail, ceiling, fault, undetermined, not started
        assert_eq!(row(ScoringRule::Strict), ['1', '0', '0', '0', '0', '0']);
        assert_eq!(row(ScoringRule::ValidOnly), ['1', '0', '0', '-', '0', '-']);
        assert_eq!(row(ScoringRule::ValidOnlyDropCeiling), ['1', '0', '-', '-', '0', '-']);
        assert_eq!(row(ScoringRule::LowerBound), ['1', '0', '0', '0', '0', '0']);
        assert_eq!(row(ScoringRule::UpperBound), ['1', '0', '0', '1', '1', '1']);
    }
}
