//! The gamma function and what is built from it, in logarithms.

/// Logarithm of the gamma function at a positive argument.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Logarithm of the beta function.
pub fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// Logarithm of the number of ways to choose `k` of `n`.
pub fn ln_choose(n: f64, k: f64) -> f64 {
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}

/// What Stirling's formula leaves out: ln(x!) - ((x + 1/2) ln x - x + ln(2 pi)/2), for x > 0.
///
/// Series from x = 16 on, difference of logarithms below (Loader 2000).
pub(crate) fn stirling_error(x: f64) -> f64 {
    const HALF_LN_2PI: f64 = 0.918_938_533_204_672_8;
    if x < 16.0 {
        return ln_gamma(x + 1.0) - (x + 0.5) * x.ln() + x - HALF_LN_2PI;
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    inverse * series.iter().rev().fold(0.0, |sum, term| sum * square + term)
}

/// Deviance term x ln(x/m) + m - x without cancellation when x is close to m (Loader 2000).
pub(crate) fn deviance(x: f64, mean: f64) -> f64 {
    let distance = (x - mean) / (x + mean);
    if distance.abs() >= 0.1 {
        return x * (x / mean).ln() + mean - x;
    }
    let square = distance * distance;
    let mut sum = (x - mean) * distance;
    let mut power = 2.0 * x * distance;
    for odd in (3..).step_by(2) {
        power *= square;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 3e-16);
        assert!((ln_choose(10.0, 3.0) - 120.0_f64.ln()).abs() < 1e-14);
        assert!((ln_beta(2.0, 3.0) - (1.0_f64 / 12.0).ln()).abs() < 1e-15);
    }

    #[test]
    fn stirling_error_joins_smoothly() {
        for x in [1.0_f64, 5.5, 15.999_999, 16.0, 100.0] {
            let direct = ln_gamma(x + 1.0) - (x + 0.5) * x.ln() + x - 0.5 * (2.0 * std::f64::consts::PI).ln();
            assert!((stirling_error(x) - direct).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn deviance_is_smooth_near_the_mean() {
        assert_eq!(deviance(5.0, 5.0), 0.0);
        for x in [5.1_f64, 5.999, 6.2, 20.0, 1.0] {
            assert!((deviance(x, 5.0) - (x * (x / 5.0).ln() + 5.0 - x)).abs() < 1e-14, "{x}");
        }
    }
}
