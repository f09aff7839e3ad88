//! Isotonic regression: the best curve that never falls.

use crate::check;
use crate::error::Result;

/// The non-decreasing sequence closest to `values` by weighted least squares (pool adjacent violators).
///
/// For the drawn curve of a sweep use equal weights. Source: Ayer et al. 1955; Barlow et al. 1972. Complexity: O(n).
///
/// # Errors
/// Lists of different length, a value that is not finite, a weight that is not positive.
pub fn pava(values: &[f64], weights: &[f64]) -> Result<Vec<f64>> {
    check::same_length("values", values.len(), "weights", weights.len())?;
    check::all_finite("value", values)?;
    weights.iter().try_for_each(|&weight| check::positive("weight", weight).map(|_| ()))?;
    Ok(pooled(values, weights).collect())
}

/// The fit, without checks.
pub(super) fn pooled(values: &[f64], weights: &[f64]) -> impl Iterator<Item = f64> + use<> {
    // Blocks of pooled values: (mean, weight, length).
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(values.len());
    for (&value, &weight) in values.iter().zip(weights) {
        let mut block = (value, weight, 1);
        while let Some(&last) = blocks.last().filter(|last| last.0 >= block.0) {
            blocks.pop();
            let total = last.1 + block.1;
            block = ((last.0 * last.1 + block.0 * block.1) / total, total, last.2 + block.2);
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, _, length)| std::iter::repeat_n(mean, length))
}
