//! The percentile interval of a score.

use super::resample::{Resampling, resampled_means};
use crate::cell::Cell;
use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grid::Grid;
use crate::method::Method;
use crate::moments::{mean, squares};

/// The result of [`cluster_bootstrap_pct`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterBootstrap {
    /// The score with its percentile interval.
    pub estimate: Estimate,
    /// Standard error over all possible resamples, exactly: sqrt(sum (y_t - p)^2) / T.
    pub se: f64,
    /// Whether there are fewer than 30 tasks: the interval then covers too little (81 % instead of 95 % at T = 10,
    /// p = 0.9) and a warning belongs in its place.
    pub too_few_tasks: bool,
}

/// Percentile interval of the mean task rate over resampled tasks.
///
/// A robustness check of [`wilson_neff`](crate::rate::wilson_neff) from 30 tasks on. Source: Efron 1979; Cameron,
/// Gelbach, Miller 2008. Complexity: O(draws * T).
///
/// # Errors
/// Fewer than two tasks with trials, no draw, a level outside (0, 1).
pub fn cluster_bootstrap_pct(tasks: &[Cell], level: f64, resampling: Resampling) -> Result<ClusterBootstrap> {
    let used: Vec<Cell> = tasks.iter().copied().filter(|cell| cell.trials() > 0).collect();
    check::at_least("tasks with trials", 2, used.len())?;
    let mut arms = cluster_bootstrap_arms(&Grid::try_new(1, used)?, level, resampling)?;
    Ok(arms.remove(0))
}

/// [`cluster_bootstrap_pct`] of every arm, from the same resamples of whole tasks (those with trials in every arm).
///
/// # Errors
/// Fewer than two tasks with trials in every arm, no draw, a level outside (0, 1).
pub fn cluster_bootstrap_arms(
    grid: &Grid<Cell>,
    level: f64,
    resampling: Resampling,
) -> Result<Vec<ClusterBootstrap>> {
    check::open_unit("level", level)?;
    let complete: Vec<&[Cell]> = grid.rows().filter(|row| row.iter().all(|cell| cell.trials() > 0)).collect();
    check::at_least("tasks with trials in every arm", 2, complete.len())?;
    let rates = complete.iter().flat_map(|row| row.iter().filter_map(|cell| cell.rate())).collect();
    let rates = Grid::try_new(grid.arms(), rates)?;
    let mut means = vec![Vec::with_capacity(resampling.draws as usize); grid.arms()];
    resampled_means(&rates, resampling, |of_draw| {
        means.iter_mut().zip(of_draw).for_each(|(means, mean)| means.push(*mean));
    })?;
    (0..grid.arms())
        .map(|arm| {
            let trials = complete.iter().map(|row| u64::from(row[arm].trials())).sum();
            summary(&rates.arm(arm), trials, &mut means[arm], level)
        })
        .collect()
}

/// One arm: its rates, and their means over the resamples.
pub(super) fn summary(rates: &[f64], trials: u64, means: &mut [f64], level: f64) -> Result<ClusterBootstrap> {
    const ENOUGH_TASKS: usize = 30;
    let value = mean(rates);
    let estimate = Estimate {
        value,
        low: percentile(means, (1.0 - level) / 2.0)?,
        high: percentile(means, (1.0 + level) / 2.0)?,
        level,
        method: Method::ClusterBootstrapPct,
        n: trials,
        clusters: rates.len() as u64,
    };
    let se = squares(rates, value).sqrt() / rates.len() as f64;
    Ok(ClusterBootstrap { estimate, se, too_few_tasks: rates.len() < ENOUGH_TASKS })
}

/// The value below which a share of the values lies, interpolated between neighbours (type 7 of Hyndman and Fan).
/// Reorders the values. Complexity: O(n).
///
/// # Errors
/// No value, or a share outside [0, 1].
pub fn percentile(values: &mut [f64], share: f64) -> Result<f64> {
    check::at_least("values", 1, values.len())?;
    let position = check::unit("share", share)? * (values.len() - 1) as f64;
    let below = position.floor();
    let (_, &mut low, above) = values.select_nth_unstable_by(below as usize, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    Ok(low + (position - below) * (high - low))
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_interpolate() {
        let mut values = [4.0, 1.0, 3.0, 2.0];
        let mut check = |share, expect: f64| assert_eq!(percentile(&mut values, share), Ok(expect));
        check(0.0, 1.0);
        check(1.0, 4.0);
        check(0.5, 2.5);
        check(0.25, 1.75);
        assert!(percentile(&mut [], 0.5).is_err());
        assert!(percentile(&mut [1.0], f64::NAN).is_err());
    }
}
