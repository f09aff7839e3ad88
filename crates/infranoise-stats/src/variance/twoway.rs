//! A sweep: tasks, arms, task by arm, and seeds.

use super::{common_trials, mean_square_error};
use crate::cell::Cell;
use crate::check;
use crate::error::Result;
use crate::grid::Grid;
use crate::moments::{mean, squares};

/// Components of a balanced sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TwowayComponents {
    /// Mean square of tasks.
    pub ms_task: f64,
    /// Mean square of arms.
    pub ms_arm: f64,
    /// Mean square of task by arm.
    pub ms_interaction: f64,
    /// Mean square within cells.
    pub ms_error: f64,
    /// Variance between repeats.
    pub var_seed: f64,
    /// Variance of the arms' effects between tasks.
    pub var_interaction: f64,
    /// Variance of the arms' means. With few arms it has no honest interval.
    pub var_arm: f64,
    /// Variance of the tasks' means.
    pub var_task: f64,
}

/// Splits the variance of a balanced sweep.
///
/// var_seed = MSE, var_interaction = (MS_TC - MSE) / k, var_arm = (MS_C - MS_TC) / (T k),
/// var_task = (MS_T - MS_TC) / (C k). Source: Searle, Casella, McCulloch 1992. Complexity: O(T C).
///
/// # Errors
/// Fewer than two tasks, arms or trials per cell; unequal trials.
pub fn twoway_varcomp(grid: &Grid<Cell>) -> Result<TwowayComponents> {
    check::at_least("tasks", 2, grid.tasks())?;
    check::at_least("arms", 2, grid.arms())?;
    let k = common_trials(grid.cells())?;
    let (tasks, arms) = (grid.tasks() as f64, grid.arms() as f64);
    let rates: Vec<f64> = grid.cells().iter().filter_map(|cell| cell.rate()).collect();
    let grand = mean(&rates);
    let task_means: Vec<f64> = rates.chunks_exact(grid.arms()).map(mean).collect();
    let arm_means: Vec<f64> = (0..grid.arms())
        .map(|arm| rates.iter().skip(arm).step_by(grid.arms()).sum::<f64>() / tasks)
        .collect();
    let residuals: f64 = rates
        .chunks_exact(grid.arms())
        .zip(&task_means)
        .flat_map(|(row, task)| row.iter().zip(&arm_means).map(move |(y, arm)| y - task - arm + grand))
        .map(|residual| residual * residual)
        .sum();
    let ms_task = k * arms * squares(&task_means, grand) / (tasks - 1.0);
    let ms_arm = k * tasks * squares(&arm_means, grand) / (arms - 1.0);
    let ms_interaction = k * residuals / ((tasks - 1.0) * (arms - 1.0));
    let ms_error = mean_square_error(grid.cells(), k);
    Ok(TwowayComponents {
        ms_task,
        ms_arm,
        ms_interaction,
        ms_error,
        var_seed: ms_error,
        var_interaction: (ms_interaction - ms_error) / k,
        var_arm: (ms_arm - ms_interaction) / (tasks * k),
        var_task: (ms_task - ms_interaction) / (arms * k),
    })
}
