//! Means and standard errors of values, one per task.

/// The mean; zero for no values (callers check first).
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Sum of squared distances from the mean.
pub(crate) fn squares(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean) * (value - mean)).sum()
}

/// Standard error of the mean: sqrt(sum of squares / (m (m - 1))).
pub(crate) fn standard_error(values: &[f64], mean: f64) -> f64 {
    let m = values.len() as f64;
    (squares(values, mean) / (m * (m - 1.0))).sqrt()
}

/// Whether a standard error is zero but for rounding.
pub(crate) fn is_zero(se: f64, values: &[f64]) -> bool {
    let largest = values.iter().fold(0.0_f64, |max, value| max.max(value.abs()));
    se <= 1e-14 * largest
}
