//! Intervals of the components of one arm.

use super::{OnewayComponents, common_trials};
use crate::bootstrap::{Resampling, percentile, resampled_means};
use crate::cell::Cell;
use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grid::Grid;
use crate::method::Method;

/// The components of one arm with percentile intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnewayIntervals {
    /// Variance of task rates.
    pub var_task: Estimate,
    /// Variance between repeats of a task.
    pub var_seed: Estimate,
    /// Correlation of two trials of one task.
    pub rho: Estimate,
}

/// Percentile intervals of [`oneway_varcomp`](super::oneway_varcomp) over resampled tasks.
///
/// A resample in which nothing varies counts as no task variance and no correlation. Components of arms and rounds
/// have too few levels for an honest interval. Source: Efron 1979. Complexity: O(draws * T).
///
/// # Errors
/// As [`oneway_varcomp`](super::oneway_varcomp), and no draw or a level outside (0, 1).
pub fn oneway_intervals(tasks: &[Cell], level: f64, resampling: Resampling) -> Result<OnewayIntervals> {
    check::open_unit("level", level)?;
    let whole = super::oneway_varcomp(tasks)?;
    let k = common_trials(tasks)?;
    // Means of y and y^2 over tasks are all that the components need.
    let moments = tasks.iter().filter_map(|cell| cell.rate()).flat_map(|rate| [rate, rate * rate]).collect();
    let count = tasks.len() as f64;
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    resampled_means(&Grid::try_new(2, moments)?, resampling, |means| {
        let var_seed = k / (k - 1.0) * (means[0] - means[1]);
        let between = count / (count - 1.0) * (means[1] - means[0] * means[0]);
        let var_task = between - var_seed / k;
        let total = var_task + var_seed;
        let rho = if total > 0.0 { var_task / total } else { 0.0 };
        parts.iter_mut().zip([var_task, var_seed, rho]).for_each(|(list, value)| list.push(value));
    })?;
    let [mut var_task, mut var_seed, mut rho] = parts;
    let interval = |value: f64, values: &mut [f64]| {
        let OnewayComponents { n, clusters, .. } = whole;
        let (low, high) =
            (percentile(values, (1.0 - level) / 2.0)?, percentile(values, (1.0 + level) / 2.0)?);
        Ok(Estimate { value, low, high, level, method: Method::OnewayVarcomp, n, clusters })
    };
    Ok(OnewayIntervals {
        var_task: interval(whole.var_task, &mut var_task)?,
        var_seed: interval(whole.var_seed, &mut var_seed)?,
        rho: interval(whole.rho, &mut rho)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resampled_components_are_components_of_resamples() {
        let cell = |hits| Cell::try_new(hits, 4).unwrap();
        let tasks: Vec<Cell> = [0, 4, 4, 3, 1, 0, 2, 4].map(cell).into();
        let resampling = Resampling { draws: 101, seed: 9 };
        let intervals = oneway_intervals(&tasks, 0.5, resampling).unwrap();
        // The same draws, each analysed as a table of its own.
        let mut draws = crate::bootstrap::TaskDraws::new(tasks.len(), 9).unwrap();
        let mut counts = vec![0; tasks.len()];
        let mut values: Vec<f64> = (0..101)
            .map(|_| {
                draws.resample(&mut counts);
                let resample: Vec<Cell> = tasks
                    .iter()
                    .zip(&counts)
                    .flat_map(|(&task, &count)| std::iter::repeat_n(task, count as usize))
                    .collect();
                super::super::oneway_varcomp(&resample).unwrap().var_task
            })
            .collect();
        assert!((percentile(&mut values, 0.25).unwrap() - intervals.var_task.low).abs() < 1e-14);
        assert!((percentile(&mut values, 0.75).unwrap() - intervals.var_task.high).abs() < 1e-14);
        assert_eq!(intervals.rho.value, super::super::oneway_varcomp(&tasks).unwrap().rho);
    }
}
