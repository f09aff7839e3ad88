//! The drawn curve of a sweep: isotonic, with a band.

use super::pava;
use crate::bootstrap::{Resampling, percentile, resampled_means};
use crate::cell::Cell;
use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grid::Grid;
use crate::method::Method;

/// Which way a curve may go as ceilings rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Never falls: success.
    Rising,
    /// Never rises: infra errors.
    Falling,
}

/// The isotonic curve of the arms' mean rates with a pointwise percentile band over resampled tasks.
///
/// Each resample of whole tasks gives means and their isotonic fit (equal weights). For a figure: the band is
/// pointwise, and below 30 tasks too narrow. Tasks without trials in some arm are left out.
/// Source: Barlow et al. 1972 for the curve, Efron 1979 for the band. Complexity: O(draws * T * C).
///
/// # Errors
/// No task with trials in every arm, no draw, a level outside (0, 1).
pub fn pava_band(
    grid: &Grid<Cell>,
    direction: Direction,
    level: f64,
    resampling: Resampling,
) -> Result<Vec<Estimate>> {
    check::open_unit("level", level)?;
    let sign = match direction {
        Direction::Rising => 1.0,
        Direction::Falling => -1.0,
    };
    let (rates, trials) = complete_rates(grid, sign);
    let tasks = rates.len() / grid.arms();
    check::at_least("tasks with trials in every arm", 1, tasks)?;
    let rates = Grid::try_new(grid.arms(), rates)?;
    let weights = vec![1.0; grid.arms()];
    let means: Vec<f64> =
        (0..grid.arms()).map(|arm| rates.arm(arm).iter().sum::<f64>() / tasks as f64).collect();
    let mut fits = vec![Vec::with_capacity(resampling.draws as usize); grid.arms()];
    resampled_means(&rates, resampling, |means| {
        let fit = pava::pooled(means, &weights);
        fits.iter_mut().zip(fit).for_each(|(fits, value)| fits.push(sign * value));
    })?;
    pava::pooled(&means, &weights)
        .zip(&mut fits)
        .map(|(value, fits)| {
            Ok(Estimate {
                value: sign * value,
                low: percentile(fits, (1.0 - level) / 2.0)?,
                high: percentile(fits, (1.0 + level) / 2.0)?,
                level,
                method: Method::Pava,
                n: trials,
                clusters: tasks as u64,
            })
        })
        .collect()
}

/// Signed rates of the tasks with trials in every arm, in row order, and their trials.
fn complete_rates(grid: &Grid<Cell>, sign: f64) -> (Vec<f64>, u64) {
    let mut rates = Vec::with_capacity(grid.cells().len());
    let mut trials = 0;
    for row in grid.rows() {
        let before = rates.len();
        rates.extend(row.iter().filter_map(|cell| cell.rate()).map(|rate| sign * rate));
        if rates.len() - before == row.len() {
            trials += row.iter().map(|cell| u64::from(cell.trials())).sum::<u64>();
        } else {
            rates.truncate(before);
        }
    }
    (rates, trials)
}
