//! pass@k and pass^k: scores of several tries at a task.

use crate::cell::Cell;
use crate::check;
use crate::error::Result;

/// Mean over tasks of the probability that one of `tries` trials at least hits, tries drawn from a task's trials
/// without replacement: 1 - C(n-c, j) / C(n, j).
///
/// Unbiased for independent repeats. Source: Chen et al. 2021. Complexity: O(T j).
///
/// # Errors
/// No try, no task, or a task with fewer trials than tries.
pub fn pass_at(tasks: &[Cell], tries: u32) -> Result<f64> {
    mean_over(tasks, tries, |cell| 1.0 - all_of(cell.trials() - cell.hits(), cell.trials(), tries))
}

/// Mean over tasks of the probability that all of `tries` trials hit: C(c, j) / C(n, j).
///
/// Source: Yao et al. 2024. Complexity: O(T j).
///
/// # Errors
/// As [`pass_at`].
pub fn pass_hat(tasks: &[Cell], tries: u32) -> Result<f64> {
    mean_over(tasks, tries, |cell| all_of(cell.hits(), cell.trials(), tries))
}

fn mean_over(tasks: &[Cell], tries: u32, of: impl Fn(Cell) -> f64) -> Result<f64> {
    check::at_least("tries", 1, tries as usize)?;
    check::at_least("tasks", 1, tasks.len())?;
    for cell in tasks {
        check::at_least("trials of each task", tries as usize, cell.trials() as usize)?;
    }
    Ok(tasks.iter().map(|&cell| of(cell)).sum::<f64>() / tasks.len() as f64)
}

/// C(some, tries) / C(all, tries).
fn all_of(some: u32, all: u32, tries: u32) -> f64 {
    (0..tries).map(|i| f64::from(some.saturating_sub(i)) / f64::from(all - i)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let tasks = [(2, 4), (4, 4), (0, 4)].map(|(hits, trials)| Cell::try_new(hits, trials).unwrap());
        assert!((pass_at(&tasks, 2).unwrap() - (5.0 / 6.0 + 1.0) / 3.0).abs() < 1e-15);
        assert!((pass_hat(&tasks, 2).unwrap() - (1.0 / 6.0 + 1.0) / 3.0).abs() < 1e-15);
        assert_eq!(pass_at(&tasks, 1), pass_hat(&tasks, 1));
        assert!(pass_at(&tasks, 5).is_err() && pass_at(&tasks, 0).is_err() && pass_at(&[], 1).is_err());
    }
}
