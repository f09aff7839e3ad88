//! The smallest ceiling whose rate is certified.

use crate::check;
use crate::error::Result;
use crate::rate::clopper_pearson_upper;
use crate::totals::Total;

/// The result of [`smallest_ceiling`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SmallestCeiling {
    /// One-sided upper limit of the rate at each ceiling.
    pub upper: Vec<f64>,
    /// Position of the smallest certified ceiling; `None` if even the largest is not.
    pub chosen: Option<usize>,
}

/// The smallest ceiling at which the rate is at most `target`, with confidence `level` over the whole search.
///
/// From the largest ceiling downwards, keep while the exact one-sided upper limit is at most the target, stop at the
/// first failure: a fixed-sequence test, so no correction is needed. Only the average of the benchmark can be certified:
/// one task alone needs 149 clean trials for 2 %. Source: Angelopoulos et al. 2021 (learn then test); Clopper and
/// Pearson 1934. Complexity: one beta quantile per ceiling.
///
/// # Errors
/// No ceiling, totals that do not match, ceilings that do not increase, one without trials.
pub fn smallest_ceiling(
    ceilings: &[f64],
    totals: &[Total],
    target: f64,
    level: f64,
) -> Result<SmallestCeiling> {
    check::at_least("ceilings", 1, ceilings.len())?;
    check::same_length("ceilings", ceilings.len(), "totals", totals.len())?;
    let finite = if ceilings.last().is_some_and(|last| *last == f64::INFINITY) {
        &ceilings[..ceilings.len() - 1]
    } else {
        ceilings
    };
    check::increasing("the ceilings", finite)?;
    let target = check::unit("target", target)?;
    let upper: Vec<f64> = totals
        .iter()
        .map(|total| clopper_pearson_upper(total.hits.into(), total.trials.into(), level))
        .collect::<Result<_>>()?;
    let kept = upper.iter().rev().take_while(|&&limit| limit <= target).count();
    let chosen = (kept > 0).then(|| ceilings.len() - kept);
    Ok(SmallestCeiling { upper, chosen })
}
