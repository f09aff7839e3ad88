//! The stratified trend test.

use crate::cell::Cell;
use crate::check;
use crate::error::{Result, StatError};
use crate::grid::Grid;
use crate::special::normal;

/// The result of [`mantel_trend`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MantelTrend {
    /// The statistic; positive if hits rise with the score.
    pub z: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// One-sided p-value against "hits rise".
    pub p_greater: f64,
    /// One-sided p-value against "hits fall".
    pub p_less: f64,
    /// Trials of informative tasks.
    pub n: u64,
    /// Informative tasks: trials in two arms at least, and both outcomes.
    pub clusters: u64,
}

/// Trend of hits over scored arms within tasks: the robustness check of [`trend_slope`](super::trend_slope), for
/// these tasks.
///
/// U = sum_t [sum_c s_c x_tc - m_t sbar_t], V = sum_t m_t (N_t - m_t) / (N_t (N_t - 1)) sum_c k_tc (s_c - sbar_t)^2,
/// sbar_t = sum_c k_tc s_c / N_t, z = U / sqrt(V). Tasks may lack arms. Source: Mantel 1963. Complexity: O(T C).
///
/// # Errors
/// Scores of another length than the arms; no informative task.
pub fn mantel_trend(grid: &Grid<Cell>, scores: &[f64]) -> Result<MantelTrend> {
    check::same_length("scores", scores.len(), "arms", grid.arms())?;
    check::all_finite("score", scores)?;
    let (mut shift, mut variance) = (0.0, 0.0);
    let (mut trials, mut tasks) = (0, 0);
    for row in grid.rows() {
        let n: f64 = row.iter().map(|cell| f64::from(cell.trials())).sum();
        let hits: f64 = row.iter().map(|cell| f64::from(cell.hits())).sum();
        if hits == 0.0 || hits == n {
            continue;
        }
        let weighted =
            |of: fn(Cell) -> u32| row.iter().zip(scores).map(|(&cell, s)| f64::from(of(cell)) * s).sum();
        let (score_sum, hit_score_sum): (f64, f64) = (weighted(Cell::trials), weighted(Cell::hits));
        let mean = score_sum / n;
        let squares: f64 =
            row.iter().zip(scores).map(|(cell, s)| f64::from(cell.trials()) * (s - mean) * (s - mean)).sum();
        if squares == 0.0 {
            continue;
        }
        shift += hit_score_sum - hits * mean;
        variance += hits * (n - hits) / (n * (n - 1.0)) * squares;
        trials += n as u64;
        tasks += 1;
    }
    if tasks == 0 {
        return Err(StatError::NoInformation {
            what: "a table in which no task has both outcomes in two arms",
        });
    }
    let z = shift / f64::sqrt(variance);
    Ok(MantelTrend {
        z,
        p: normal::two_sided(z),
        p_greater: normal::sf(z),
        p_less: normal::cdf(z),
        n: trials,
        clusters: tasks,
    })
}
