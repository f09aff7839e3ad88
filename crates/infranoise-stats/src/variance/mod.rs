//! Variance components: how much of a score is task, arm, round and seed.
//!
//! All are moments of 0/1 outcomes on the probability scale, unbiased whatever the distribution of task rates.
//! Negative components are kept as they come out; truncate only for display.

mod block;
mod interval;
mod oneway;
mod pairs;
mod score;
mod twoway;

pub use block::{BlockComponents, block_varcomp};
pub use interval::{OnewayIntervals, oneway_intervals};
pub use oneway::{OnewayComponents, oneway_varcomp};
pub use pairs::{PairComponents, pair_moment_varcomp};
pub use score::{ScoreDesign, score_variance};
pub use twoway::{TwowayComponents, twoway_varcomp};

use crate::cell::Cell;
use crate::error::{Result, StatError};

/// The number of trials that all cells share.
fn common_trials(cells: &[Cell]) -> Result<f64> {
    let expected = cells.first().map_or(0, |cell| cell.trials());
    if let Some(index) = cells.iter().position(|cell| cell.trials() != expected) {
        return Err(StatError::Unbalanced { index, expected, found: cells[index].trials() });
    }
    crate::check::at_least("trials in each cell", 2, expected as usize)?;
    Ok(f64::from(expected))
}

/// Mean square within cells of k trials: mean of k y (1 - y) / (k - 1).
fn mean_square_error(cells: &[Cell], k: f64) -> f64 {
    let sum: f64 = cells.iter().filter_map(|cell| cell.rate()).map(|y| y * (1.0 - y)).sum();
    k / (k - 1.0) * sum / cells.len() as f64
}
