//! The false discovery rate.

use crate::check;
use crate::error::Result;

/// Adjusted p-values of Benjamini and Hochberg, in the order of the input.
///
/// Bounds the expected share of false claims among all claims, for independent or positively dependent tests: for
/// screening many pairs of a leaderboard. The comparisons of a sweep take [`holm`](super::holm).
/// Source: Benjamini and Hochberg 1995. Complexity: O(m log m).
///
/// # Errors
/// A p-value outside [0, 1].
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>> {
    p_values.iter().try_for_each(|&p| check::unit("p", p).map(|_| ()))?;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest = 1.0_f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        smallest = smallest.min(p_values[index] * p_values.len() as f64 / (rank + 1) as f64);
        adjusted[index] = smallest;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use super::benjamini_hochberg;

    #[test]
    fn by_hand() {
        // Sorted 0.01, 0.02, 0.03, 0.9: times 4/1, 4/2, 4/3, 1; then the smallest from the right.
        assert_eq!(benjamini_hochberg(&[0.02, 0.9, 0.01, 0.03]), Ok(vec![0.04, 0.9, 0.04, 0.04]));
        assert_eq!(benjamini_hochberg(&[0.9, 0.95]), Ok(vec![0.95, 0.95]));
        assert!(benjamini_hochberg(&[-0.1]).is_err());
    }
}
