//! Logistic regression on one binary factor with Firth's penalty.

use super::Total;
use crate::error::Result;

/// Coefficients of the penalised fit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirthLogit {
    /// Log odds in the first arm.
    pub intercept: f64,
    /// Log odds ratio of the second arm to the first: finite even when an arm has no hit.
    pub log_odds_ratio: f64,
}

/// Penalised logistic regression of two totals. The model is saturated, so the penalty is half a trial in every cell.
///
/// Only where a covariate model is needed; else Boschloo and Miettinen-Nurminen. Source: Firth 1993.
/// Complexity: O(1).
///
/// # Errors
/// An arm without trials, or more hits than trials.
pub fn firth_logit(first: Total, second: Total) -> Result<FirthLogit> {
    let log_odds = |total: Total| {
        let Total { hits, trials } = total;
        ((f64::from(hits) + 0.5) / (f64::from(trials - hits) + 0.5)).ln()
    };
    let intercept = log_odds(first.checked()?);
    Ok(FirthLogit { intercept, log_odds_ratio: log_odds(second.checked()?) - intercept })
}
