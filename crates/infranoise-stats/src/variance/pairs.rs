//! An unbalanced sweep: components from products of pairs.

use crate::cell::Cell;
use crate::check;
use crate::error::Result;
use crate::grid::Grid;

/// Components of a sweep in which cells have different numbers of trials, or none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairComponents {
    /// Mean of the cell rates.
    pub mean: f64,
    /// Variance between repeats.
    pub var_seed: f64,
    /// Variance of the arms' effects between tasks.
    pub var_interaction: f64,
    /// Variance of the tasks' means.
    pub var_task: f64,
    /// Variance of the arms' means.
    pub var_arm: f64,
}

/// Sum, sum of squares and number of some rates: enough for the mean product of two different ones.
#[derive(Clone, Copy, Default)]
struct Sums {
    sum: f64,
    squares: f64,
    count: f64,
}

impl Sums {
    fn add(&mut self, rate: f64) {
        self.sum += rate;
        self.squares += rate * rate;
        self.count += 1.0;
    }

    /// Sum of products over ordered pairs of different members.
    fn products(self) -> f64 {
        self.sum * self.sum - self.squares
    }

    fn pairs(self) -> f64 {
        self.count * (self.count - 1.0)
    }
}

/// Components of an unbalanced sweep.
///
/// M1 = mean over cells with k >= 2 of x (x - 1) / (k (k - 1)); M2, M3, M4 = mean products of cell rates of the same
/// task in different arms, of different tasks in the same arm, and of both different. var_seed = mean - M1,
/// var_interaction = M1 - M2 - M3 + M4, var_task = M2 - M4, var_arm = M3 - M4; the analysis of variance when balanced.
/// Source: Koch 1968 (symmetric sums of products). Complexity: O(T C), by sums instead of pairs.
///
/// # Errors
/// Fewer than two tasks or arms with trials, or no cell with two trials.
pub fn pair_moment_varcomp(grid: &Grid<Cell>) -> Result<PairComponents> {
    let mut all = Sums::default();
    let mut by_arm = vec![Sums::default(); grid.arms()];
    let mut by_task = Vec::with_capacity(grid.tasks());
    let (mut within, mut within_cells) = (0.0, 0);
    for row in grid.rows() {
        let mut task = Sums::default();
        for (cell, arm) in row.iter().zip(&mut by_arm) {
            let Some(rate) = cell.rate() else { continue };
            all.add(rate);
            task.add(rate);
            arm.add(rate);
            let (x, k) = (f64::from(cell.hits()), f64::from(cell.trials()));
            if cell.trials() >= 2 {
                within += x * (x - 1.0) / (k * (k - 1.0));
                within_cells += 1;
            }
        }
        by_task.push(task);
    }
    check::at_least("cells with two trials", 1, within_cells)?;
    let total = |sums: &[Sums]| sums.iter().fold((0.0, 0.0), |(p, n), s| (p + s.products(), n + s.pairs()));
    let (task_products, task_pairs) = total(&by_task);
    let (arm_products, arm_pairs) = total(&by_arm);
    let both_pairs = all.pairs() - task_pairs - arm_pairs;
    check::at_least("arms with trials of one task", 2, if task_pairs > 0.0 { 2 } else { 1 })?;
    check::at_least("tasks with trials in one arm", 2, if arm_pairs > 0.0 { 2 } else { 1 })?;
    check::at_least("pairs of different tasks and arms", 1, both_pairs as usize)?;
    let m1 = within / within_cells as f64;
    let m2 = task_products / task_pairs;
    let m3 = arm_products / arm_pairs;
    let m4 = (all.products() - task_products - arm_products) / both_pairs;
    let mean = all.sum / all.count;
    Ok(PairComponents {
        mean,
        var_seed: mean - m1,
        var_interaction: m1 - m2 - m3 + m4,
        var_task: m2 - m4,
        var_arm: m3 - m4,
    })
}
