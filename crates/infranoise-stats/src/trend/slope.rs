//! The linear contrast of each task.

use crate::cell::Cell;
use crate::check;
use crate::error::Result;
use crate::estimate::TestResult;
use crate::grid::Grid;
use crate::method::Method;
use crate::t_test::t_test;

/// The scores 0, 1, 2, ...: "uncapped" has no multiple, so arms are scored by rank.
pub fn rank_scores(arms: usize) -> Vec<f64> {
    (0..arms).map(|arm| arm as f64).collect()
}

/// Scores less their mean, and their sum of squares.
pub(super) fn centred(scores: &[f64], arms: usize) -> Result<(Vec<f64>, f64)> {
    check::same_length("scores", scores.len(), "arms", arms)?;
    check::at_least("arms", 2, arms)?;
    check::increasing("the scores", scores)?;
    let mean = scores.iter().sum::<f64>() / arms as f64;
    let centred: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    let squares = centred.iter().map(|score| score * score).sum();
    Ok((centred, squares))
}

/// **Default test of a monotone trend over ordered arms**, in points per step, for unseen tasks.
///
/// L_t = sum_c w_c y_tc with w_c = (s_c - mean s) / sum (s_c - mean s)^2; t test of the mean of L_t, T - 1 degrees
/// of freedom. The direction must be declared beforehand for a one-sided p. Tasks without trials in some arm are left
/// out (see `clusters`). That scores rise in order is no evidence by itself: at the noise of SWE-bench a truly
/// monotone curve looks monotone in 8-18 % of experiments. Source: Page 1963 and Mantel 1963 for the idea of scored
/// contrasts; t test as in Miller 2024. Complexity: O(T C).
///
/// # Errors
/// Fewer than two arms or two complete tasks; scores that do not increase; the same slope in every task.
pub fn trend_slope(grid: &Grid<Cell>, scores: &[f64], level: f64) -> Result<TestResult> {
    let (centred, squares) = centred(scores, grid.arms())?;
    let mut slopes = Vec::with_capacity(grid.tasks());
    let mut trials = 0;
    for row in grid.rows() {
        let contrast: Option<f64> =
            row.iter().zip(&centred).map(|(cell, score)| Some(score * cell.rate()?)).sum();
        if let Some(contrast) = contrast {
            slopes.push(contrast / squares);
            trials += row.iter().map(|cell| u64::from(cell.trials())).sum::<u64>();
        }
    }
    t_test(&slopes, trials, level, Method::TrendSlope)
}
