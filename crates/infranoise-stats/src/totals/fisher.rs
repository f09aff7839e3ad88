//! Fisher's exact test of two totals.

use super::Total;
use crate::cell::{Cell, Pair};
use crate::difference::cmh_exact;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::method::Method;

/// The result of [`fisher`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fisher {
    /// Two-sided p-value.
    pub p: f64,
    /// Odds ratio of the first arm to the second (conditional maximum likelihood) with its exact interval; absent
    /// if there is no hit, or nothing but hits.
    pub odds_ratio: Option<Estimate>,
}

/// Conditional exact test of two totals: [`cmh_exact`] with a single stratum.
///
/// Conservative; [`boschloo`](super::boschloo) is more powerful. Source: Fisher 1935; Cornfield 1956.
/// Complexity: O(hits).
///
/// # Errors
/// An arm without trials, or more hits than trials; a level outside (0, 1).
pub fn fisher(first: Total, second: Total, level: f64) -> Result<Fisher> {
    let cell = |total: Total| total.checked().and_then(|total| Cell::try_new(total.hits, total.trials));
    let exact = cmh_exact(&[Pair { a: cell(second)?, b: cell(first)? }], level)?;
    let odds_ratio = exact.odds_ratio.map(|ratio| Estimate { method: Method::Fisher, ..ratio });
    Ok(Fisher { p: exact.p, odds_ratio })
}
