//! Means of several values per task over resampled tasks.

use super::draw::TaskDraws;
use crate::check;
use crate::error::Result;
use crate::grid::Grid;

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resampling {
    /// Resamples to draw.
    pub draws: u32,
    /// The seed, recorded beside every result.
    pub seed: u64,
}

impl Default for Resampling {
    /// 10,000 draws.
    fn default() -> Self {
        Self { draws: 10_000, seed: 20_260_205 }
    }
}

/// Calls `use_means` with the mean of each column, once for each resample of whole rows (tasks).
///
/// All columns of a task are resampled together, which keeps what they share. Complexity: O(draws * T * columns).
///
/// # Errors
/// No task, no draw, or a value that is not finite.
pub fn resampled_means(
    values: &Grid<f64>,
    resampling: Resampling,
    mut use_means: impl FnMut(&[f64]),
) -> Result<()> {
    check::at_least("draws", 1, resampling.draws as usize)?;
    check::all_finite("value", values.cells())?;
    let mut draws = TaskDraws::new(values.tasks(), resampling.seed)?;
    let (columns, cells) = (values.arms(), values.cells());
    let share = 1.0 / values.tasks() as f64;
    let mut means = vec![0.0; columns];
    for _ in 0..resampling.draws {
        means.fill(0.0);
        for task in draws.resample() {
            let row = &cells[task * columns..(task + 1) * columns];
            means.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        means.iter_mut().for_each(|sum| *sum *= share);
        use_means(&means);
    }
    Ok(())
}
