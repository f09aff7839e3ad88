//! Comparisons in an order that was fixed beforehand, and a gate before all of them.

use crate::check;
use crate::error::Result;

/// Adjusted p-values of a fixed sequence: each is the largest so far, so the first failure stops all that follow.
///
/// Each comparison is tested at the full error rate; the order must be declared beforehand (for a sweep: uncapped
/// against 1x first, then the next lower ceiling). Controls the probability of any false claim.
/// Source: Maurer, Hothorn, Lehmacher 1995. Complexity: O(m).
///
/// # Errors
/// A p-value outside [0, 1].
pub fn fixed_sequence(p_values: &[f64]) -> Result<Vec<f64>> {
    let mut largest = 0.0_f64;
    p_values
        .iter()
        .map(|&p| {
            largest = largest.max(check::unit("p", p)?);
            Ok(largest)
        })
        .collect()
}

/// Adjusted p-values behind a gate: none is smaller than the gate's own.
///
/// The closed test of a sweep: the trend over all arms is tested first, then the comparisons, adjusted among
/// themselves (by [`holm`](super::holm) or [`fixed_sequence`]), each at the full error rate if the gate opened.
/// Source: Marcus, Peritz, Gabriel 1976. Complexity: O(m).
///
/// # Errors
/// A p-value outside [0, 1].
pub fn behind_gate(gate_p: f64, adjusted: &[f64]) -> Result<Vec<f64>> {
    let gate_p = check::unit("gate p", gate_p)?;
    adjusted.iter().map(|&p| Ok(check::unit("p", p)?.max(gate_p))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_failure_stops_the_sequence() {
        assert_eq!(fixed_sequence(&[0.01, 0.2, 0.001]), Ok(vec![0.01, 0.2, 0.2]));
        assert!(fixed_sequence(&[0.01, f64::NAN]).is_err());
    }

    #[test]
    fn closed_gate_lets_nothing_through() {
        assert_eq!(behind_gate(0.3, &[0.01, 0.4]), Ok(vec![0.3, 0.4]));
        assert!(behind_gate(1.5, &[]).is_err());
    }
}
