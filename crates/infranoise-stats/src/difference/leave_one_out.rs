//! Does one task carry the result?

use super::conditional::Conditional;
use crate::cell::Pair;
use crate::check;
use crate::error::Result;
use std::collections::BTreeMap;

/// The exact test without its most influential task.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeaveOneOut {
    /// Two-sided p-value with all tasks.
    pub p: f64,
    /// The largest two-sided p-value with one task left out.
    pub largest_p: f64,
    /// Position of that task.
    pub task: usize,
}

/// **Robustness check of an infra-error difference**: the largest exact p-value when one task is left out. One
/// pathological task must not carry a result.
///
/// Tasks with the same margins leave the same distribution behind, so there are only as many convolutions as
/// different margins. Source: the jackknife idea of Tukey 1958. Complexity: that of
/// [`cmh_exact`](super::cmh_exact) times the number of different margins.
///
/// # Errors
/// Fewer than two tasks with trials in both arms.
pub fn leave_one_task_out(pairs: &[Pair]) -> Result<LeaveOneOut> {
    let used: Vec<(usize, Pair)> =
        pairs.iter().copied().enumerate().filter(|(_, pair)| pair.difference().is_some()).collect();
    check::at_least("tasks with trials in both arms", 2, used.len())?;
    let margins = |pair: Pair| (pair.a.trials(), pair.b.trials(), pair.a.hits() + pair.b.hits());
    let mut alike: BTreeMap<_, Vec<(usize, Pair)>> = BTreeMap::new();
    for &(task, pair) in &used {
        alike.entry(margins(pair)).or_default().push((task, pair));
    }
    let whole = Conditional::null(pairs);
    let p = whole.two_sided();
    let mut worst = LeaveOneOut { p, largest_p: f64::NEG_INFINITY, task: 0 };
    for group in alike.values() {
        let first = group[0].0;
        let mut rest = pairs.to_vec();
        rest[first] = Pair::default();
        let mut rest = Conditional::null(&rest);
        for &(task, pair) in group {
            rest.observed = whole.observed - u64::from(pair.b.hits());
            let p = rest.two_sided();
            if p > worst.largest_p {
                worst = LeaveOneOut { largest_p: p, task, ..worst };
            }
        }
    }
    Ok(worst)
}
