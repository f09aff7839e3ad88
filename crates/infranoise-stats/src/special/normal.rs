//! The standard normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Probability of a value below `z`; full relative accuracy in the lower tail.
pub fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// Probability of a value above `z`; full relative accuracy in the upper tail.
pub fn sf(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

/// Probability of a value at least as far from zero as `z`.
pub fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() * FRAC_1_SQRT_2)
}

/// Density.
pub fn pdf(z: f64) -> f64 {
    const FRAC_1_SQRT_2PI: f64 = 0.398_942_280_401_432_7;
    FRAC_1_SQRT_2PI * (-0.5 * z * z).exp()
}

/// The value below which a normal variable falls with probability `p`; infinite at 0 and 1.
///
/// The inverse of `statrs`, and one Newton step with the more accurate tail.
pub fn quantile(p: f64) -> f64 {
    let first = -SQRT_2 * statrs::function::erf::erfc_inv(2.0 * p);
    if !first.is_finite() {
        return first;
    }
    let excess = if p < 0.5 { cdf(first) - p } else { (1.0 - p) - sf(first) };
    let step = excess / pdf(first);
    if step.is_finite() { first - step } else { first }
}

#[cfg(test)]
mod tests {
    use super::{cdf, quantile, sf, two_sided};

    #[test]
    fn known_values() {
        assert!((quantile(0.975) - 1.959_963_984_540_054_2).abs() < 1e-15);
        assert!((quantile(0.5)).abs() < 1e-16);
        assert!((cdf(1.0) - 0.841_344_746_068_542_9).abs() < 2e-16);
        assert!((sf(10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-14);
        assert!((two_sided(-1.959_963_984_540_054) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn quantile_inverts_cdf() {
        for step in 1..200 {
            let p = f64::from(step) / 200.0;
            assert!((cdf(quantile(p)) - p).abs() < 3e-16, "{p}");
        }
    }
}
