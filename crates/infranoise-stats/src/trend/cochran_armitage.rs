//! The trend test of totals.

use crate::check;
use crate::error::{Result, StatError};
use crate::special::normal;
use crate::totals::Total;

/// The result of [`cochran_armitage`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CochranArmitage {
    /// Signed statistic; positive if the rate rises with the score.
    pub z: f64,
    /// Chi-squared on one degree of freedom.
    pub chi_squared: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// Trend of a rate over arms of which only totals are known.
///
/// z = sum n_c (p_c - p)(s_c - sbar) / sqrt(p (1 - p) sum n_c (s_c - sbar)^2). Ignores that the arms share their
/// tasks: only for aggregate rows; else [`mantel_trend`](super::mantel_trend).
/// Source: Cochran 1954; Armitage 1955. Complexity: O(C).
///
/// # Errors
/// Fewer than two arms, an arm without trials, scores that are all equal, no hit at all or nothing but hits.
pub fn cochran_armitage(totals: &[Total], scores: &[f64]) -> Result<CochranArmitage> {
    check::same_length("arms", totals.len(), "scores", scores.len())?;
    check::at_least("arms", 2, totals.len())?;
    check::all_finite("score", scores)?;
    for total in totals {
        check::at_least("trials in each arm", 1, total.trials as usize)?;
        if total.hits > total.trials {
            return Err(StatError::HitsExceedTrials { hits: total.hits, trials: total.trials });
        }
    }
    let arms = || {
        totals
            .iter()
            .zip(scores)
            .map(|(total, &score)| (f64::from(total.hits), f64::from(total.trials), score))
    };
    let (hits, trials) = arms().fold((0.0, 0.0), |(x, n), (hits, trials, _)| (x + hits, n + trials));
    let rate: f64 = hits / trials;
    let centre = arms().map(|(_, n, score)| n * score).sum::<f64>() / trials;
    let shift: f64 = arms().map(|(x, n, score)| (x - n * rate) * (score - centre)).sum();
    let squares: f64 = arms().map(|(_, n, score)| n * (score - centre) * (score - centre)).sum();
    let variance = rate * (1.0 - rate) * squares;
    if variance <= 0.0 {
        return Err(StatError::NoInformation { what: "a table with one outcome or one score" });
    }
    let z = shift / variance.sqrt();
    Ok(CochranArmitage { z, chi_squared: z * z, p: normal::two_sided(z) })
}
