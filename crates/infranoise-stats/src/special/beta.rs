//! The regularised incomplete beta function, its inverse, and the F distribution.

use super::gamma::{deviance, stirling_error};
use crate::root::find_root;

const MAX_TERMS: u32 = 100_000;

/// Probability that a Beta(a, b) variable lies below `x`.
///
/// Continued fraction (modified Lentz) times a prefactor in Loader's form, which keeps its digits for large arguments.
/// Complexity: O(sqrt(a + b)) terms.
pub fn cdf(x: f64, a: f64, b: f64) -> f64 {
    split(x, 1.0 - x, a, b).0
}

/// Probability that a Beta(a, b) variable lies above `x`.
pub fn sf(x: f64, a: f64, b: f64) -> f64 {
    split(x, 1.0 - x, a, b).1
}

/// Both tails; `y` is 1 - x, given apart so that it keeps its digits.
pub(crate) fn split(x: f64, y: f64, a: f64, b: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if y <= 0.0 {
        return (1.0, 0.0);
    }
    let front = front_factor(x, y, a, b);
    if x <= (a + 1.0) / (a + b + 2.0) {
        let low = front * fraction(x, a, b) / a;
        (low, 1.0 - low)
    } else {
        let high = front * fraction(y, b, a) / b;
        (1.0 - high, high)
    }
}

/// x^a y^b / B(a, b).
fn front_factor(x: f64, y: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    let exponent =
        stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) - deviance(b, n * y);
    (a * b / n / (2.0 * std::f64::consts::PI)).sqrt() * exponent.exp()
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut c = 1.0;
    let mut product = d;
    for term in 1..MAX_TERMS {
        let m = f64::from(term);
        let two_m = 2.0 * m;
        let even = m * (b - m) * x / ((a + two_m - 1.0) * (a + two_m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        product *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + two_m) * (a + two_m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let step = d * c;
        product *= step;
        if (step - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    product
}

/// The value below which a Beta(a, b) variable falls with probability `p`.
///
/// Bracketed search on the logit scale, so that quantiles near 0 keep their relative accuracy.
pub fn quantile(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    let at = |logit: f64| {
        let (x, y) = (1.0 / (1.0 + (-logit).exp()), 1.0 / (1.0 + logit.exp()));
        let (low, high) = split(x, y, a, b);
        if p < 0.5 { low - p } else { (1.0 - p) - high }
    };
    match find_root(at, -700.0, 700.0) {
        Ok(logit) => 1.0 / (1.0 + (-logit).exp()),
        // Both ends on one side: the quantile is closer to an end than any number that we can write.
        Err(_) => f64::from(at(0.0) < 0.0),
    }
}

/// Probability that an F variable with the given degrees of freedom exceeds `f`.
pub fn f_sf(f: f64, df_between: f64, df_within: f64) -> f64 {
    let (between, within) = (df_between * f, df_within);
    let total = between + within;
    split(within / total, between / total, df_within / 2.0, df_between / 2.0).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        for x in [1e-12, 0.1, 0.5, 0.9, 1.0 - 1e-9] {
            assert!((cdf(x, 1.0, 1.0) - x).abs() < 1e-15);
            assert!((cdf(x, 3.0, 1.0) / x.powi(3) - 1.0).abs() < 1e-13, "{x}");
            assert!((cdf(x, 0.5, 0.5) - 2.0 / std::f64::consts::PI * x.sqrt().asin()).abs() < 1e-11, "{x}");
        }
        // Symmetric: half below one half, whatever the size.
        for size in [1.0, 100.0, 1e6] {
            assert!((cdf(0.5, size, size) - 0.5).abs() < 1e-12, "{size}");
        }
    }

    #[test]
    fn quantile_inverts_cdf() {
        for (a, b) in [(0.5, 20.5), (1.0, 89.0), (20.0, 871.0), (5.5, 5.5), (1e5, 2e6)] {
            for p in [1e-9, 0.025, 0.5, 0.95, 1.0 - 1e-9] {
                let x = quantile(p, a, b);
                assert!((cdf(x, a, b) - p).abs() < 1e-12, "{a} {b} {p}");
            }
        }
    }

    #[test]
    fn f_of_equal_spread_is_a_half() {
        assert!((f_sf(1.0, 7.0, 7.0) - 0.5).abs() < 1e-14);
    }
}
