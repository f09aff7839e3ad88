//! The mean over trials with a cluster-robust standard error.

use crate::cell::Cell;
use crate::check;
use crate::error::Result;

/// A mean over trials.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialMean {
    /// Hits over trials, all tasks pooled.
    pub value: f64,
    /// Standard error with tasks as clusters (CR1).
    pub se: f64,
    /// The same without the factor G/(G-1) (CR0): too small for few tasks.
    pub se_cr0: f64,
    /// Trials.
    pub n: u64,
    /// Tasks with trials.
    pub clusters: u64,
}

/// The mean over trials, standard error clustered by task:
/// sqrt(G/(G-1) * sum (x_t - k_t p)^2) / n.
///
/// Tasks with more trials weigh more, so with unequal numbers of trials this answers another question than the mean
/// over tasks; it is here to reproduce published numbers. Equal numbers give the standard error of
/// [`task_mean_ci`](super::task_mean_ci). Source: Liang and Zeger 1986; Miller 2024. Complexity: O(T).
///
/// # Errors
/// Fewer than two tasks with trials.
pub fn trial_mean_cluster(tasks: &[Cell]) -> Result<TrialMean> {
    let used: Vec<Cell> = tasks.iter().copied().filter(|cell| cell.trials() > 0).collect();
    check::at_least("tasks with trials", 2, used.len())?;
    let n: u64 = used.iter().map(|cell| u64::from(cell.trials())).sum();
    let hits: u64 = used.iter().map(|cell| u64::from(cell.hits())).sum();
    let value = hits as f64 / n as f64;
    let squares: f64 =
        used.iter().map(|cell| (f64::from(cell.hits()) - f64::from(cell.trials()) * value).powi(2)).sum();
    let clusters = used.len() as f64;
    let se_cr0 = squares.sqrt() / n as f64;
    let se = (clusters / (clusters - 1.0)).sqrt() * se_cr0;
    Ok(TrialMean { value, se, se_cr0, n, clusters: used.len() as u64 })
}
