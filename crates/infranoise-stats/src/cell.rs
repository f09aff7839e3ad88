//! What the methods count: trials of one task in one arm.

use crate::check;
use crate::error::{Result, StatError};

/// Trials of one task in one arm, and how many of them had the counted event (a pass, or an infra error).
///
/// A cell without trials is allowed: methods that compare arms leave such a task out and say how many they used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cell {
    hits: u32,
    trials: u32,
}

impl Cell {
    /// A cell with `hits` events in `trials` trials.
    ///
    /// # Errors
    /// More hits than trials.
    pub fn try_new(hits: u32, trials: u32) -> Result<Self> {
        if hits > trials {
            Err(StatError::HitsExceedTrials { hits, trials })
        } else {
            Ok(Self { hits, trials })
        }
    }

    /// The number of trials with the counted event.
    pub fn hits(self) -> u32 {
        self.hits
    }

    /// The number of trials.
    pub fn trials(self) -> u32 {
        self.trials
    }

    /// Hits over trials; `None` without trials.
    pub fn rate(self) -> Option<f64> {
        (self.trials > 0).then(|| f64::from(self.hits) / f64::from(self.trials))
    }
}

/// One task in two arms. Differences are always B minus A; A is the tighter arm, or the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pair {
    /// The tighter (or first) arm.
    pub a: Cell,
    /// The looser (or second) arm.
    pub b: Cell,
}

impl Pair {
    /// The pairs of two lists that name the tasks in the same order.
    ///
    /// # Errors
    /// Lists of different length.
    pub fn zip(a: &[Cell], b: &[Cell]) -> Result<Vec<Self>> {
        check::same_length("arm A", a.len(), "arm B", b.len())?;
        Ok(a.iter().zip(b).map(|(&a, &b)| Self { a, b }).collect())
    }

    /// The same task with the arms exchanged.
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }

    /// Rate in B minus rate in A; `None` if either arm has no trial.
    pub fn difference(self) -> Option<f64> {
        Some(self.b.rate()? - self.a.rate()?)
    }

    /// Trials in both arms together.
    pub(crate) fn trials(self) -> u64 {
        u64::from(self.a.trials) + u64::from(self.b.trials)
    }
}

/// Trials of one task in one arm by their end: pass, infra error, or failure of the agent.
///
/// An infra error is article-compatible: a fault, or a ceiling kill that ends the trial. Failures that had survived
/// a resource event (a killed tool, throttling) may be told apart as *maimed*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Outcomes {
    passes: u32,
    infra_errors: u32,
    maimed: u32,
    trials: u32,
}

impl Outcomes {
    /// Outcomes without a maimed trial.
    ///
    /// # Errors
    /// More passes and infra errors than trials.
    pub fn try_new(passes: u32, infra_errors: u32, trials: u32) -> Result<Self> {
        Self::with_maimed(passes, infra_errors, 0, trials)
    }

    /// Outcomes of which `maimed` are failures after a survived resource event.
    ///
    /// # Errors
    /// More passes, infra errors and maimed trials than trials.
    pub fn with_maimed(passes: u32, infra_errors: u32, maimed: u32, trials: u32) -> Result<Self> {
        let hits = passes.saturating_add(infra_errors).saturating_add(maimed);
        if hits > trials {
            return Err(StatError::HitsExceedTrials { hits, trials });
        }
        Ok(Self { passes, infra_errors, maimed, trials })
    }

    /// Trials that passed.
    pub fn passes(self) -> u32 {
        self.passes
    }

    /// Trials that an infra error ended.
    pub fn infra_errors(self) -> u32 {
        self.infra_errors
    }

    /// Failures after a survived resource event.
    pub fn maimed(self) -> u32 {
        self.maimed
    }

    /// All failures that no infra error ended, the maimed among them.
    pub fn agent_failures(self) -> u32 {
        self.trials - self.passes - self.infra_errors
    }

    /// All trials.
    pub fn trials(self) -> u32 {
        self.trials
    }

    /// The passes as a cell.
    pub fn pass_cell(self) -> Cell {
        Cell { hits: self.passes, trials: self.trials }
    }

    /// The infra errors as a cell.
    pub fn infra_cell(self) -> Cell {
        Cell { hits: self.infra_errors, trials: self.trials }
    }

    /// The agent failures as a cell.
    pub fn failure_cell(self) -> Cell {
        Cell { hits: self.agent_failures(), trials: self.trials }
    }

    /// The agent failures without a resource event as a cell: the only ones that speak of capability.
    pub fn event_free_failure_cell(self) -> Cell {
        Cell { hits: self.agent_failures() - self.maimed, trials: self.trials }
    }
}
