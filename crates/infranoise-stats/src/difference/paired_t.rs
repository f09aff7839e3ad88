//! The paired t test over tasks.

use crate::cell::Pair;
use crate::check;
use crate::error::Result;
use crate::estimate::TestResult;
use crate::method::Method;
use crate::t_test::t_test;

/// **Default for a claim about unseen tasks.** t test of d_t = y_tB - y_tA over tasks with trials in both arms.
///
/// D = mean d_t, SE = sqrt(sum (d_t - D)^2 / (m (m - 1))), t = D / SE with m - 1 degrees of freedom. For equal
/// repeats it is the trial-level regression with CR2 standard errors and Satterthwaite's degrees of freedom. It is
/// conservative for *these tasks*, where [`these_tasks`](super::these_tasks) belongs.
/// Assumes tasks drawn from a population. Source: Miller 2024. Complexity: O(T).
///
/// # Errors
/// Fewer than two tasks with trials in both arms; the same difference in every task (no standard error: see
/// [`cmh_exact`](super::cmh_exact) for a verdict on these tasks).
pub fn paired_task_t(pairs: &[Pair], level: f64) -> Result<TestResult> {
    let differences: Vec<f64> = pairs.iter().filter_map(|pair| pair.difference()).collect();
    t_test(&differences, used_trials(pairs), level, Method::PairedTaskT)
}

/// Do two subjects respond differently to the arms? Paired t test of the difference of differences, second subject minus
/// first, over tasks with trials in all four cells.
///
/// For unseen tasks. Source: as [`paired_task_t`]. Complexity: O(T).
///
/// # Errors
/// Lists of different length, and as [`paired_task_t`].
pub fn interaction_t(first: &[Pair], second: &[Pair], level: f64) -> Result<TestResult> {
    check::same_length("the first subject", first.len(), "the second", second.len())?;
    let (mut values, mut trials) = (Vec::with_capacity(first.len()), 0);
    for (first, second) in first.iter().zip(second) {
        if let (Some(one), Some(two)) = (first.difference(), second.difference()) {
            values.push(two - one);
            trials += first.trials() + second.trials();
        }
    }
    t_test(&values, trials, level, Method::PairedTaskT)
}

/// Trials of the tasks that have some in both arms.
pub(super) fn used_trials(pairs: &[Pair]) -> u64 {
    pairs.iter().filter(|pair| pair.difference().is_some()).map(|pair| pair.trials()).sum()
}
