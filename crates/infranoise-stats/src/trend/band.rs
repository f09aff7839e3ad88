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
    let rows: Vec<&[Cell]> = grid.rows().filter(|row| row.iter().all(|cell| cell.trials() > 0)).collect();
    check::at_least("tasks with trials in every arm", 1, rows.len())?;
    let cells = || rows.iter().flat_map(|row| row.iter());
    let rates = Grid::try_new(grid.arms(), cells().filter_map(|cell| cell.rate()).collect())?;
    let means: Vec<f64> =
        (0..grid.arms()).map(|arm| rates.arm(arm).iter().sum::<f64>() / rows.len() as f64).collect();
    let mut band = Band::new(grid.arms(), direction, resampling);
    resampled_means(&rates, resampling, |means| band.add(means))?;
    band.finish(&means, level, cells().map(|cell| u64::from(cell.trials())).sum(), rows.len() as u64)
}

/// Collects the isotonic fits of resamples.
pub(crate) struct Band {
    sign: f64,
    weights: Vec<f64>,
    fits: Vec<Vec<f64>>,
}

impl Band {
    pub(crate) fn new(arms: usize, direction: Direction, resampling: Resampling) -> Self {
        let sign = match direction {
            Direction::Rising => 1.0,
            Direction::Falling => -1.0,
        };
        let fits = vec![Vec::with_capacity(resampling.draws as usize); arms];
        Self { sign, weights: vec![1.0; arms], fits }
    }

    fn fit(&self, means: &[f64]) -> impl Iterator<Item = f64> + use<> {
        let sign = self.sign;
        let signed: Vec<f64> = means.iter().map(|mean| sign * mean).collect();
        pava::pooled(&signed, &self.weights).map(move |value| sign * value)
    }

    /// Adds the arms' means in one resample.
    pub(crate) fn add(&mut self, means: &[f64]) {
        let fit = self.fit(means);
        self.fits.iter_mut().zip(fit).for_each(|(fits, value)| fits.push(value));
    }

    /// The curve through the arms' means, with the band.
    pub(crate) fn finish(
        mut self,
        means: &[f64],
        level: f64,
        n: u64,
        clusters: u64,
    ) -> Result<Vec<Estimate>> {
        self.fit(means)
            .zip(&mut self.fits)
            .map(|(value, fits)| {
                let low = percentile(fits, (1.0 - level) / 2.0)?;
                let high = percentile(fits, (1.0 + level) / 2.0)?;
                Ok(Estimate { value, low, high, level, method: Method::Pava, n, clusters })
            })
            .collect()
    }
}
