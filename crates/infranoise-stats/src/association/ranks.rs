//! Rank statistics.

use crate::check;
use crate::error::{Result, StatError};
use crate::moments::mean;
use crate::special::{normal, student};

/// A rank correlation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spearman {
    /// Correlation of the ranks.
    pub rho: f64,
    /// Two-sided p-value from a t with n - 2 degrees of freedom.
    pub p: f64,
}

/// Rank correlation of two lists (ties get their mean rank), for instance verifier time and error rate of submissions.
///
/// The t approximation is rough below ten pairs. Source: Spearman 1904; Kendall 1948. Complexity: O(n log n).
///
/// # Errors
/// Lists of different length, fewer than three pairs, a list of equal values.
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Spearman> {
    check::same_length("x", x.len(), "y", y.len())?;
    check::at_least("pairs", 3, x.len())?;
    check::all_finite("value", x)?;
    check::all_finite("value", y)?;
    let (x, y) = (ranks(x), ranks(y));
    let (mean_x, mean_y) = (mean(&x), mean(&y));
    let product = |left: &[f64], left_mean: f64, right: &[f64], right_mean: f64| -> f64 {
        left.iter().zip(right).map(|(l, r)| (l - left_mean) * (r - right_mean)).sum()
    };
    let (sxx, syy) = (product(&x, mean_x, &x, mean_x), product(&y, mean_y, &y, mean_y));
    if sxx == 0.0 || syy == 0.0 {
        return Err(StatError::NoInformation { what: "a list of equal values" });
    }
    let rho = product(&x, mean_x, &y, mean_y) / (sxx * syy).sqrt();
    let df = (x.len() - 2) as f64;
    let rest = (1.0 - rho * rho).max(0.0);
    let p = if rest == 0.0 { 0.0 } else { student::two_sided(rho * (df / rest).sqrt(), df) };
    Ok(Spearman { rho, p })
}

/// A signed-rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wilcoxon {
    /// The smaller of the two rank sums.
    pub w: f64,
    /// Two-sided p-value, normal approximation with the correction for ties.
    pub p: f64,
    /// Differences that are not zero.
    pub nonzero: u64,
}

/// Wilcoxon's signed-rank test; zeros are dropped, no continuity correction.
///
/// Here to reproduce published tables: it tests symmetry rather than the mean, and dropping zeros drops most tasks.
/// Give exact multiples (integers), or ties are lost to rounding. Source: Wilcoxon 1945. Complexity: O(n log n).
///
/// # Errors
/// No difference but zeros, a value that is not finite.
pub fn wilcoxon_signed_rank(differences: &[f64]) -> Result<Wilcoxon> {
    check::all_finite("difference", differences)?;
    let nonzero: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    check::at_least("differences that are not zero", 1, nonzero.len())?;
    let sizes: Vec<f64> = nonzero.iter().map(|d| d.abs()).collect();
    let ranks = ranks(&sizes);
    let plus: f64 = ranks.iter().zip(&nonzero).filter(|(_, d)| **d > 0.0).map(|(rank, _)| rank).sum();
    let n = nonzero.len() as f64;
    let w = plus.min(n * (n + 1.0) / 2.0 - plus);
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - tie_sum(&sizes) / 2.0) / 24.0;
    let z = (w - n * (n + 1.0) / 4.0) / variance.sqrt();
    Ok(Wilcoxon { w, p: normal::two_sided(z), nonzero: nonzero.len() as u64 })
}

fn sorted_order(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
    order
}

/// Ranks from 1; equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let order = sorted_order(values);
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for group in order.chunk_by(|&left, &right| values[left] == values[right]) {
        let shared = before as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&index| ranks[index] = shared);
        before += group.len();
    }
    ranks
}

/// Sum of t^3 - t over groups of t equal values.
fn tie_sum(values: &[f64]) -> f64 {
    let order = sorted_order(values);
    let groups = order.chunk_by(|&left, &right| values[left] == values[right]);
    groups.map(|group| group.len() as f64).map(|t| t * t * t - t).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(tie_sum(&[3.0, 1.0, 3.0, 2.0]), 6.0);
    }

    #[test]
    fn signed_ranks_by_hand() {
        let test = wilcoxon_signed_rank(&[1.0, 1.0, 0.0, -1.0, 2.0]).unwrap();
        // Ranks 2, 2, 2, 4; variance 4 * 5 * 9 / 24 less (27 - 3) / 48 for the tie.
        assert_eq!((test.w, test.nonzero), (2.0, 4));
        assert!((test.p - normal::two_sided((2.0 - 5.0) / 7.0_f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn perfect_order() {
        assert_eq!(spearman(&[1.0, 2.0, 5.0], &[-3.0, 0.0, 9.0]), Ok(Spearman { rho: 1.0, p: 0.0 }));
        assert!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]).is_err());
        assert!(wilcoxon_signed_rank(&[0.0, 0.0]).is_err());
    }
}
