//! The paired t test over tasks.

use crate::cell::Pair;
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

/// Trials of the tasks that have some in both arms.
pub(super) fn used_trials(pairs: &[Pair]) -> u64 {
    pairs.iter().filter(|pair| pair.difference().is_some()).map(|pair| pair.trials()).sum()
}
