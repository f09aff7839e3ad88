//! The noise of one score if the same tasks were tried again.

use crate::cell::Cell;
use crate::check;
use crate::error::Result;

/// Standard error of a score between repeats of the same tasks.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SeedSe {
    /// Estimated from the repeats.
    Estimated(f64),
    /// Some task has one trial only, so nothing can be estimated; it is at most this.
    AtMost(f64),
}

impl SeedSe {
    /// The number, whatever it is.
    pub fn value(self) -> f64 {
        match self {
            Self::Estimated(se) | Self::AtMost(se) => se,
        }
    }
}

/// How much the score of these tasks moves from one repetition to the next:
/// (1/T) sqrt(sum y_t (1 - y_t) / (k_t - 1)).
///
/// With one trial in some task it is not estimable; the answer is then the bound sqrt(p (1 - p) / T).
/// Assumes independent repeats. Source: Miller 2024. Complexity: O(T).
///
/// # Errors
/// No task with trials.
pub fn seed_se(tasks: &[Cell]) -> Result<SeedSe> {
    let used: Vec<(f64, f64)> =
        tasks.iter().filter_map(|cell| Some((cell.rate()?, f64::from(cell.trials())))).collect();
    check::at_least("tasks with trials", 1, used.len())?;
    let count = used.len() as f64;
    if used.iter().any(|&(_, trials)| trials < 2.0) {
        let p = used.iter().map(|(rate, _)| rate).sum::<f64>() / count;
        return Ok(SeedSe::AtMost((p * (1.0 - p) / count).sqrt()));
    }
    let sum: f64 = used.iter().map(|(rate, trials)| rate * (1.0 - rate) / (trials - 1.0)).sum();
    Ok(SeedSe::Estimated(sum.sqrt() / count))
}
