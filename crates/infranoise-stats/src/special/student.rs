//! Student's t distribution.

use super::gamma::ln_beta;
use super::{beta, normal};
use crate::root::find_root;

/// Probability of a value above `t`; full relative accuracy in the upper tail.
pub fn sf(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    let square = t * t;
    let total = df + square;
    let half_tail = 0.5 * beta::split(df / total, square / total, 0.5 * df, 0.5).0;
    if t > 0.0 { half_tail } else { 1.0 - half_tail }
}

/// Probability of a value below `t`.
pub fn cdf(t: f64, df: f64) -> f64 {
    sf(-t, df)
}

/// Probability of a value at least as far from zero as `t`.
pub fn two_sided(t: f64, df: f64) -> f64 {
    2.0 * sf(t.abs(), df)
}

/// The value below which a t variable falls with probability `p`; infinite at 0 and 1.
pub fn quantile(p: f64, df: f64) -> f64 {
    if p < 0.5 {
        return -upper(p, df);
    }
    upper(1.0 - p, df)
}

/// The t value that is exceeded with probability `tail`, at most one half.
///
/// Newton's method from an expansion around the normal quantile; a bracketed search where that does not settle (few
/// degrees of freedom, far tails).
fn upper(tail: f64, df: f64) -> f64 {
    const STEPS: usize = 6;
    if tail <= 0.0 {
        return f64::INFINITY;
    }
    let z = -normal::quantile(tail);
    let mut t = z + z * (z * z + 1.0) / (4.0 * df);
    for _ in 0..STEPS {
        let step = (sf(t, df) - tail) / pdf(t, df);
        t += step;
        if step.abs() <= 1e-14 * t.abs() {
            return t;
        }
        if !(t.is_finite() && t >= 0.0) {
            break;
        }
    }
    let mut high = 2.0;
    while sf(high, df) > tail && high < 1e300 {
        high *= 4.0;
    }
    find_root(|t| sf(t, df) - tail, 0.0, high).unwrap_or(high)
}

/// Density.
pub fn pdf(t: f64, df: f64) -> f64 {
    let log = -0.5 * (df + 1.0) * (t * t / df).ln_1p() - 0.5 * df.ln() - ln_beta(0.5 * df, 0.5);
    log.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        for t in [0.1, 1.0, 2.5, 40.0] {
            let cauchy = 0.5 - f64::atan(t) / std::f64::consts::PI;
            assert!((sf(t, 1.0) / cauchy - 1.0).abs() < 1e-13, "{t}");
            let two = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
            assert!((sf(t, 2.0) - two).abs() < 1e-15, "{t}");
        }
        assert!((quantile(0.975, 1.0) - 12.706_204_736_174_7).abs() < 1e-12);
        assert!((quantile(0.975, 88.0) - 1.987_289_864_831_169_7).abs() < 1e-14);
    }

    #[test]
    fn quantile_inverts_cdf() {
        for df in [1.0, 2.0, 9.0, 88.0, 226.0, 1e4] {
            for p in [1e-12, 0.025, 0.2, 0.5, 0.8, 0.999] {
                assert!((cdf(quantile(p, df), df) - p).abs() < 1e-14, "{df} {p}");
            }
        }
    }
}
