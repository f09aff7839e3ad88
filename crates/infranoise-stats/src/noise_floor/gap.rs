//! How probable is a gap between equal systems?

use crate::check;
use crate::error::Result;
use crate::special::normal;

/// The probability of a gap under one assumption on the infra shift.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapProbability {
    /// The largest infra shift that is assumed, as a share.
    pub infra_shift: f64,
    /// The largest probability, over all shifts up to that one, of a gap at least as large between equal systems.
    pub probability: f64,
}

/// The largest probability of a gap at least this large (either way) between two equal systems, if infrastructure
/// may shift one of them by up to `infra_shift`.
///
/// sup over |s| <= b of P(|s + SE Z| >= gap) = Phi((b - gap)/SE) + Phi((-b - gap)/SE): it grows with |s|, so the
/// largest shift is the worst. Complexity: O(1).
///
/// # Errors
/// A gap that is not finite, a standard error that is not positive, a negative shift.
pub fn gap_probability(gap: f64, se: f64, infra_shift: f64) -> Result<GapProbability> {
    let gap = check::finite("gap", gap)?.abs();
    let se = check::positive("standard error", se)?;
    let infra_shift = check::not_negative("infra_shift", infra_shift)?;
    let probability = normal::sf((gap - infra_shift) / se) + normal::sf((gap + infra_shift) / se);
    Ok(GapProbability { infra_shift, probability: probability.min(1.0) })
}

/// [`gap_probability`] over several assumptions, for the sensitivity line.
///
/// # Errors
/// As [`gap_probability`].
pub fn gap_sensitivity(gap: f64, se: f64, infra_shifts: &[f64]) -> Result<Vec<GapProbability>> {
    infra_shifts.iter().map(|&shift| gap_probability(gap, se, shift)).collect()
}
