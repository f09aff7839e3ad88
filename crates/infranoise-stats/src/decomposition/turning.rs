//! The turning point: the headroom above which success rises faster than infra errors fall.
//!
//! Pass, infra error and agent failure sum to one, so that is where the agent-failure rate begins to fall. If ceilings
//! did nothing but kill, it could never fall when a ceiling rises.

use crate::cell::{Outcomes, Pair};
use crate::check;
use crate::difference::paired_task_t;
use crate::error::{Result, StatError};
use crate::estimate::TestResult;
use crate::grid::Grid;

/// Mean rates over tasks for each arm.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curves {
    /// Success rate of each arm.
    pub success: Vec<f64>,
    /// Infra-error rate of each arm.
    pub infra: Vec<f64>,
    /// Agent-failure rate of each arm.
    pub failure: Vec<f64>,
    /// The arm with the highest agent-failure rate; the tighter one of ties.
    pub turning_point: usize,
    /// Tasks with trials in every arm, on which the rates are based.
    pub tasks: u64,
}

/// Rates closer than this are a tie.
pub(super) const TIE: f64 = 1e-12;

/// The curves of a sweep, on tasks with trials in every arm, and the turning point c* = argmax of the agent-failure
/// rate. With few repeats the argmax is uncertain (at 10 repeats the true one wins in 41 % of simulated experiments of 89 tasks):
/// show the bootstrap shares beside it. Complexity: O(T C).
///
/// # Errors
/// No task with trials in every arm.
pub fn curves(grid: &Grid<Outcomes>) -> Result<Curves> {
    let rows: Vec<&[Outcomes]> = complete_rows(grid).collect();
    check::at_least("tasks with trials in every arm", 1, rows.len())?;
    let tasks = rows.len() as f64;
    let curve = |of: fn(Outcomes) -> u32| -> Vec<f64> {
        (0..grid.arms())
            .map(|arm| rows.iter().map(|row| share(of(row[arm]), row[arm])).sum::<f64>() / tasks)
            .collect()
    };
    let failure = curve(Outcomes::agent_failures);
    let turning_point = first_maximum(&failure);
    Ok(Curves {
        success: curve(Outcomes::passes),
        infra: curve(Outcomes::infra_errors),
        failure,
        turning_point,
        tasks: rows.len() as u64,
    })
}

/// Rows with trials in every arm.
pub(crate) fn complete_rows(grid: &Grid<Outcomes>) -> impl Iterator<Item = &[Outcomes]> {
    grid.rows().filter(|row| row.iter().all(|cell| cell.trials() > 0))
}

pub(super) fn share(count: u32, of: Outcomes) -> f64 {
    f64::from(count) / f64::from(of.trials())
}

/// The position of the largest value, the first of those within [`TIE`].
pub(crate) fn first_maximum(values: &[f64]) -> usize {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter().position(|&value| value >= largest - TIE).unwrap_or(0)
}

/// Paired t test of the agent-failure rate of one arm against a tighter one, on tasks with trials in both; `p_less`
/// is the test of "resources help the agent beyond removing kills" (dA < 0). One-sided only if the tighter arm was
/// declared beforehand, else correct over the candidates by Holm. Complexity: O(T).
///
/// # Errors
/// An arm that does not exist, and as [`paired_task_t`].
pub fn failure_drop(grid: &Grid<Outcomes>, tighter: usize, looser: usize, level: f64) -> Result<TestResult> {
    for arm in [tighter, looser] {
        if arm >= grid.arms() {
            return Err(StatError::OutOfRange { name: "arm", value: arm as f64, range: "[0, arms)" });
        }
    }
    let pairs: Vec<Pair> = grid
        .rows()
        .map(|row| Pair { a: row[tighter].failure_cell(), b: row[looser].failure_cell() })
        .collect();
    paired_task_t(&pairs, level)
}
