//! Everything that a sweep wants from resampling, from the same resamples.

use super::percentile::{ClusterBootstrap, summary};
use super::resample::{Resampling, resampled_means};
use crate::cell::Outcomes;
use crate::check;
use crate::decomposition::{complete_rows, first_maximum};
use crate::error::Result;
use crate::estimate::Estimate;
use crate::grid::Grid;
use crate::moments::mean;
use crate::trend::{Band, Direction};

/// What resampling says on a sweep. Lists have one entry per arm.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweepBootstrap {
    /// Success rates with percentile intervals.
    pub success: Vec<ClusterBootstrap>,
    /// Infra-error rates with percentile intervals.
    pub infra: Vec<ClusterBootstrap>,
    /// The isotonic (never falling) curve of success with its band.
    pub success_curve: Vec<Estimate>,
    /// The isotonic (never rising) curve of infra errors with its band.
    pub infra_curve: Vec<Estimate>,
    /// How often each arm is the turning point.
    pub turning_point_shares: Vec<f64>,
}

/// Percentile intervals, isotonic bands and turning-point shares of a sweep from one set of resamples of whole tasks:
/// the same as [`cluster_bootstrap_arms`](super::cluster_bootstrap_arms), [`pava_band`](crate::trend::pava_band) and
/// [`crossover`](crate::decomposition::crossover) one by one, for the price of one.
///
/// Complexity: O(draws * T * C).
///
/// # Errors
/// Fewer than two tasks with trials in every arm, no draw, a level outside (0, 1).
pub fn sweep_bootstrap(grid: &Grid<Outcomes>, level: f64, resampling: Resampling) -> Result<SweepBootstrap> {
    check::open_unit("level", level)?;
    let rows: Vec<&[Outcomes]> = complete_rows(grid).collect();
    check::at_least("tasks with trials in every arm", 2, rows.len())?;
    let arms = grid.arms();
    let kinds = [Outcomes::passes, Outcomes::infra_errors, Outcomes::agent_failures];
    let rates: Vec<f64> = rows
        .iter()
        .flat_map(|row| {
            kinds.iter().flat_map(|of| row.iter().map(|&cell| f64::from(of(cell)) / f64::from(cell.trials())))
        })
        .collect();
    let rates = Grid::try_new(kinds.len() * arms, rates)?;
    let mut means = vec![Vec::with_capacity(resampling.draws as usize); 2 * arms];
    let mut rising = Band::new(arms, Direction::Rising, resampling);
    let mut falling = Band::new(arms, Direction::Falling, resampling);
    let mut wins = vec![0_u32; arms];
    resampled_means(&rates, resampling, |of_draw| {
        means.iter_mut().zip(of_draw).for_each(|(means, mean)| means.push(*mean));
        rising.add(&of_draw[..arms]);
        falling.add(&of_draw[arms..2 * arms]);
        wins[first_maximum(&of_draw[2 * arms..])] += 1;
    })?;
    let trials: Vec<u64> =
        (0..arms).map(|arm| rows.iter().map(|row| u64::from(row[arm].trials())).sum()).collect();
    let (all, tasks) = (trials.iter().sum(), rows.len() as u64);
    let centres: Vec<f64> = (0..2 * arms).map(|column| mean(&rates.arm(column))).collect();
    let mut intervals = means
        .iter_mut()
        .enumerate()
        .map(|(column, means)| summary(&rates.arm(column), trials[column % arms], means, level));
    Ok(SweepBootstrap {
        success: intervals.by_ref().take(arms).collect::<Result<_>>()?,
        infra: intervals.collect::<Result<_>>()?,
        success_curve: rising.finish(&centres[..arms], level, all, tasks)?,
        infra_curve: falling.finish(&centres[arms..], level, all, tasks)?,
        turning_point_shares: wins
            .iter()
            .map(|&wins| f64::from(wins) / f64::from(resampling.draws))
            .collect(),
    })
}
