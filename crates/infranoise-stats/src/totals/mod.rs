//! Two arms of which only totals are known (a table in a paper, a leaderboard).
//!
//! With trials per task at hand use [`crate::difference`]: pooled tests take trials as independent, which is far too
//! wide for a difference on the same tasks (size below 1 % at nominal 5 %).

mod boschloo;
mod firth;
mod fisher;
mod miettinen_nurminen;

pub use boschloo::boschloo;
pub use firth::{FirthLogit, firth_logit};
pub use fisher::{Fisher, fisher};
pub use miettinen_nurminen::mn_score_ci;

use crate::check;
use crate::error::{Result, StatError};

/// Events and trials of one arm, all tasks together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Trials with the counted event.
    pub hits: u32,
    /// Trials.
    pub trials: u32,
}

impl Total {
    fn checked(self) -> Result<Self> {
        check::at_least("trials in each arm", 1, self.trials as usize)?;
        let Self { hits, trials } = self;
        if hits > trials { Err(StatError::HitsExceedTrials { hits, trials }) } else { Ok(self) }
    }

    fn rate(self) -> f64 {
        f64::from(self.hits) / f64::from(self.trials)
    }
}
