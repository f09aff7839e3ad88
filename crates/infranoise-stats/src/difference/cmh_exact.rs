//! The exact stratified test and common odds ratio.

use super::conditional::{Conditional, FARTHEST, informative};
use crate::cell::Pair;
use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::method::Method;
use crate::root::find_root;

/// The result of [`cmh_exact`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CmhExact {
    /// Hits in B, over all tasks with both arms.
    pub statistic: u64,
    /// Two-sided p-value: the probability of all sums at most as probable as the observed one.
    pub p: f64,
    /// Probability of as many hits in B, or more.
    pub p_greater: f64,
    /// Probability of as few hits in B, or fewer.
    pub p_less: f64,
    /// Common odds ratio of B to A (conditional maximum likelihood) with its exact interval; absent if no task is
    /// informative.
    pub odds_ratio: Option<Estimate>,
    /// Standard error of the log odds ratio at the maximum; absent if that is 0 or infinite.
    pub log_odds_se: Option<f64>,
    /// Trials in tasks with both arms.
    pub n: u64,
    /// Tasks with both arms.
    pub clusters: u64,
}

/// **Default p-value for these tasks, and for a difference of infra errors.** Exact under the sharp null hypothesis
/// that no trial's end depends on the arm.
///
/// Given each task's margins the hits in B are hypergeometric; their sum over tasks is convolved. Two-sided p: sum of
/// P(s) <= P(S)(1 + 1e-7). Odds ratio: the root of E(S) = S under weights P(s) odds^s; interval: inversion of both
/// tails. For equal repeats this is the permutation test of arm labels within tasks. No claim about unseen tasks.
/// Source: Birch 1964; Gart 1970; Mehta, Patel, Gray 1985. Complexity: O(sum of hits * repeats) for the convolution.
///
/// # Errors
/// No task with trials in both arms. Without an informative task p = 1 and there is no odds ratio.
pub fn cmh_exact(pairs: &[Pair], level: f64) -> Result<CmhExact> {
    check::open_unit("level", level)?;
    let (mut n, mut clusters) = (0, 0);
    for pair in informative(pairs) {
        n += pair.trials();
        clusters += 1;
    }
    check::at_least("tasks with trials in both arms", 1, clusters as usize)?;
    let null = Conditional::null(pairs);
    let (p_less, p_greater) = null.null_tails();
    let mut result = CmhExact {
        statistic: null.observed,
        p: null.two_sided(),
        p_greater,
        p_less,
        odds_ratio: None,
        log_odds_se: None,
        n,
        clusters,
    };
    if null.is_informative() {
        let near = null.around_observed(pairs);
        let (value, se) = odds_ratio(&near)?;
        let (low, high) = interval(&near, level)?;
        result.odds_ratio = Some(Estimate { value, low, high, level, method: Method::CmhExact, n, clusters });
        result.log_odds_se = se;
    }
    Ok(result)
}

fn odds_ratio(sums: &Conditional) -> Result<(f64, Option<f64>)> {
    if sums.at_lowest() {
        return Ok((0.0, None));
    }
    if sums.at_highest() {
        return Ok((f64::INFINITY, None));
    }
    let log_odds = find_root(|log_odds| sums.shift_and_variance(log_odds).0, -FARTHEST, FARTHEST)?;
    Ok((log_odds.exp(), Some(sums.shift_and_variance(log_odds).1.sqrt().recip())))
}

fn interval(sums: &Conditional, level: f64) -> Result<(f64, f64)> {
    let tail = (1.0 - level) / 2.0;
    let end = |tail_of: fn((f64, f64)) -> f64| {
        find_root(|log_odds| tail_of(sums.tails(log_odds)) - tail, -FARTHEST, FARTHEST).map(f64::exp)
    };
    let low = if sums.at_lowest() { 0.0 } else { end(|(_, more)| more)? };
    let high = if sums.at_highest() { f64::INFINITY } else { end(|(less, _)| less)? };
    Ok((low, high))
}
