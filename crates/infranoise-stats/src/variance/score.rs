//! From components to the variance of a score.

use crate::check;
use crate::error::Result;

/// How a score is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreDesign {
    /// Tasks.
    pub tasks: u64,
    /// Repeats of each task.
    pub repeats: u64,
    /// Rounds over which the repeats are spread.
    pub rounds: u64,
}

/// Variance of one score: var_task / T + var_seed / (T k) + var_round / B.
///
/// `var_task` belongs in it only for a claim about unseen tasks: pass 0 for these tasks. Complexity: O(1).
///
/// # Errors
/// A design without tasks, repeats or rounds; a variance that is negative or not finite.
pub fn score_variance(design: ScoreDesign, var_task: f64, var_seed: f64, var_round: f64) -> Result<f64> {
    check::at_least("tasks", 1, design.tasks as usize)?;
    check::at_least("repeats", 1, design.repeats as usize)?;
    check::at_least("rounds", 1, design.rounds as usize)?;
    let var_task = check::not_negative("var_task", var_task)?;
    let var_seed = check::not_negative("var_seed", var_seed)?;
    let var_round = check::not_negative("var_round", var_round)?;
    let (tasks, repeats, rounds) = (design.tasks as f64, design.repeats as f64, design.rounds as f64);
    Ok(var_task / tasks + var_seed / (tasks * repeats) + var_round / rounds)
}

#[cfg(test)]
mod tests {
    use super::{ScoreDesign, score_variance};

    #[test]
    fn by_hand() {
        let design = ScoreDesign { tasks: 10, repeats: 5, rounds: 2 };
        assert!((score_variance(design, 0.1, 0.2, 0.003).unwrap() - (0.01 + 0.004 + 0.0015)).abs() < 1e-17);
        assert!(score_variance(ScoreDesign { rounds: 0, ..design }, 0.1, 0.2, 0.0).is_err());
        assert!(score_variance(design, -0.1, 0.2, 0.0).is_err());
    }
}
