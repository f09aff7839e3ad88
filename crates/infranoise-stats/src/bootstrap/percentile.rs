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
    const ENOUGH_TASKS: usize = 30;
    check::open_unit("level", level)?;
    let rates: Vec<f64> = tasks.iter().filter_map(|cell| cell.rate()).collect();
    check::at_least("tasks with trials", 2, rates.len())?;
    let value = mean(&rates);
    let (clusters, too_few_tasks) = (rates.len(), rates.len() < ENOUGH_TASKS);
    let se = squares(&rates, value).sqrt() / clusters as f64;
    let mut means = Vec::with_capacity(resampling.draws as usize);
    resampled_means(&Grid::try_new(1, rates)?, resampling, |mean| means.push(mean[0]))?;
    let estimate = Estimate {
        value,
        low: percentile(&mut means, (1.0 - level) / 2.0)?,
        high: percentile(&mut means, (1.0 + level) / 2.0)?,
        level,
        method: Method::ClusterBootstrapPct,
        n: tasks.iter().map(|cell| u64::from(cell.trials())).sum(),
        clusters: clusters as u64,
    };
    Ok(ClusterBootstrap { estimate, se, too_few_tasks })
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
