//! Holm's step-down correction.

use crate::check;
use crate::error::Result;

/// Adjusted p-values, in the order of the input: adj_(r) = max over q <= r of min(1, (m - q + 1) p_(q)).
///
/// Controls the probability of any false claim in the family, whatever the dependence. Success and infra errors are
/// separate families. Source: Holm 1979. Complexity: O(m log m).
///
/// # Errors
/// A p-value outside [0, 1].
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>> {
    p_values.iter().try_for_each(|&p| check::unit("p", p).map(|_| ()))?;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        let remaining = (p_values.len() - rank) as f64;
        largest = largest.max((remaining * p_values[index]).min(1.0));
        adjusted[index] = largest;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn by_hand() {
        assert_eq!(holm(&[0.04, 0.01, 0.6, 0.7]), Ok(vec![0.12, 0.04, 1.0, 1.0]));
        assert_eq!(holm(&[]), Ok(vec![]));
        assert!(holm(&[f64::NAN]).is_err());
    }
}
