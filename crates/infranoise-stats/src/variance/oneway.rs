//! One arm: tasks and seeds.

use super::{common_trials, mean_square_error};
use crate::cell::Cell;
use crate::check;
use crate::error::{Result, StatError};
use crate::moments::{mean, squares};

/// Components of one arm.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnewayComponents {
    /// Mean rate.
    pub mean: f64,
    /// Mean square between tasks.
    pub ms_task: f64,
    /// Mean square within tasks.
    pub ms_error: f64,
    /// Variance of task rates.
    pub var_task: f64,
    /// Variance between repeats of a task.
    pub var_seed: f64,
    /// Correlation of two trials of one task, rho = var_task / (var_task + var_seed).
    pub rho: f64,
    /// Trials.
    pub n: u64,
    /// Tasks.
    pub clusters: u64,
}

/// Splits the variance of one arm's trials into tasks and seeds.
///
/// MSB = k sum (y_t - p)^2 / (T - 1), MSE = mean of k y_t (1 - y_t) / (k - 1), var_seed = MSE,
/// var_task = (MSB - MSE) / k. Source: Searle, Casella, McCulloch 1992. Complexity: O(T).
///
/// # Errors
/// Fewer than two tasks or two trials per task, unequal trials; no variance at all (rho is not defined).
pub fn oneway_varcomp(tasks: &[Cell]) -> Result<OnewayComponents> {
    check::at_least("tasks", 2, tasks.len())?;
    let k = common_trials(tasks)?;
    let rates: Vec<f64> = tasks.iter().filter_map(|cell| cell.rate()).collect();
    let mean = mean(&rates);
    let ms_task = k * squares(&rates, mean) / (rates.len() - 1) as f64;
    let ms_error = mean_square_error(tasks, k);
    let var_task = (ms_task - ms_error) / k;
    let total = var_task + ms_error;
    if mean == 0.0 || mean == 1.0 || total == 0.0 {
        return Err(StatError::NoSpread { what: "the trials", value: mean });
    }
    Ok(OnewayComponents {
        mean,
        ms_task,
        ms_error,
        var_task,
        var_seed: ms_error,
        rho: var_task / total,
        n: (k as u64) * tasks.len() as u64,
        clusters: tasks.len() as u64,
    })
}
