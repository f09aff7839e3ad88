//! Intervals for one binomial proportion.
//!
//! All three take trials as independent. For a score over tasks that is far too narrow (at 5 repeats of 89 tasks a
//! pooled 95 % Wilson interval covers 71 %): use [`wilson_neff`](super::wilson_neff) there. Clopper-Pearson on pooled
//! counts stays conservative for *these tasks* even if their rates differ (Hoeffding 1956).

use crate::check;
use crate::error::{Result, StatError};
use crate::estimate::Estimate;
use crate::method::Method;
use crate::special::{beta, normal};

/// Which limits an exact interval has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Both, each with half of the error.
    Two,
    /// Only an upper one; the lower is 0.
    Upper,
    /// Only a lower one; the upper is 1.
    Lower,
}

fn counts(hits: u64, trials: u64, level: f64) -> Result<(f64, f64)> {
    check::open_unit("level", level)?;
    check::at_least("trials", 1, trials as usize)?;
    if hits > trials {
        return Err(StatError::OutOfRange { name: "hits", value: hits as f64, range: "[0, trials]" });
    }
    Ok((hits as f64, trials as f64))
}

/// Wilson's score interval.
///
/// With p = x/n and q the normal quantile: centre (p + q^2/2n) / (1 + q^2/n), half width
/// q / (1 + q^2/n) * sqrt(p(1-p)/n + q^2/4n^2).
/// Assumes independent trials of equal probability. Source: Wilson 1927; Brown, Cai, DasGupta 2001. Complexity: O(1).
///
/// # Errors
/// No trials, more hits than trials, or a level outside (0, 1).
pub fn wilson(hits: u64, trials: u64, level: f64) -> Result<Estimate> {
    let (x, n) = counts(hits, trials, level)?;
    let (low, high) = score_limits(x / n, n, normal::quantile(0.5 + level / 2.0));
    Ok(Estimate { value: x / n, low, high, level, method: Method::Wilson, n: trials, clusters: trials })
}

/// The limits of a score interval at any (effective) number of trials and any quantile.
pub(super) fn score_limits(p: f64, n: f64, q: f64) -> (f64, f64) {
    let square = q * q;
    let shrink = 1.0 + square / n;
    let centre = (p + square / (2.0 * n)) / shrink;
    let half = q / shrink * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    let low = if p == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if p == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

/// Equal-tailed interval of the Beta(x + 1/2, n - x + 1/2) posterior, without special cases at the ends.
///
/// Assumes independent trials of equal probability. Source: Brown, Cai, DasGupta 2001. Complexity: two beta quantiles.
///
/// # Errors
/// No trials, more hits than trials, or a level outside (0, 1).
pub fn jeffreys(hits: u64, trials: u64, level: f64) -> Result<Estimate> {
    let (x, n) = counts(hits, trials, level)?;
    let tail = (1.0 - level) / 2.0;
    let (a, b) = (x + 0.5, n - x + 0.5);
    Ok(Estimate {
        value: x / n,
        low: beta::quantile(tail, a, b),
        high: upper_quantile(tail, a, b),
        level,
        method: Method::Jeffreys,
        n: trials,
        clusters: trials,
    })
}

/// Exact interval: low = BetaInv(a/2; x, n-x+1), high = BetaInv(1-a/2; x+1, n-x).
///
/// Covers at least the level for a common rate, and for pooled trials of tasks whose rates differ (Hoeffding 1956).
/// Source: Clopper and Pearson 1934. Complexity: two beta quantiles.
///
/// # Errors
/// No trials, more hits than trials, or a level outside (0, 1).
pub fn clopper_pearson(hits: u64, trials: u64, level: f64, side: Side) -> Result<Estimate> {
    let (x, n) = counts(hits, trials, level)?;
    let error = 1.0 - level;
    let tail = if side == Side::Two { error / 2.0 } else { error };
    let low = if hits == 0 || side == Side::Upper { 0.0 } else { beta::quantile(tail, x, n - x + 1.0) };
    let high = if hits == trials || side == Side::Lower { 1.0 } else { upper_quantile(tail, x + 1.0, n - x) };
    Ok(Estimate {
        value: x / n,
        low,
        high,
        level,
        method: Method::ClopperPearson,
        n: trials,
        clusters: trials,
    })
}

/// One-sided exact upper limit of a rate.
///
/// # Errors
/// As [`clopper_pearson`].
pub fn clopper_pearson_upper(hits: u64, trials: u64, level: f64) -> Result<f64> {
    clopper_pearson(hits, trials, level, Side::Upper).map(|estimate| estimate.high)
}

fn upper_quantile(tail: f64, a: f64, b: f64) -> f64 {
    1.0 - beta::quantile(tail, b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hits_have_a_closed_form() {
        // (1 - p)^n = 5 %, the rule of three made exact.
        let high = clopper_pearson_upper(0, 149, 0.95).unwrap();
        assert!((high - (1.0 - 0.05_f64.powf(1.0 / 149.0))).abs() < 1e-15);
        assert!(high < 0.02);
        assert!(clopper_pearson_upper(0, 148, 0.95).unwrap() > 0.02);
    }

    #[test]
    fn hits_and_misses_are_mirror_images() {
        for method in [wilson, jeffreys, |x, n, level| clopper_pearson(x, n, level, Side::Two)] {
            let (few, many) = (method(3, 20, 0.9).unwrap(), method(17, 20, 0.9).unwrap());
            assert!((few.low - (1.0 - many.high)).abs() < 1e-15);
            assert!((few.high - (1.0 - many.low)).abs() < 1e-15);
        }
    }

    #[test]
    fn degenerate_input_is_named() {
        assert!(matches!(wilson(0, 0, 0.95), Err(StatError::TooFew { what: "trials", .. })));
        assert!(matches!(wilson(2, 1, 0.95), Err(StatError::OutOfRange { name: "hits", .. })));
        assert!(matches!(jeffreys(1, 2, f64::NAN), Err(StatError::OutOfRange { name: "level", .. })));
        assert!(matches!(
            clopper_pearson(1, 2, 1.0, Side::Two),
            Err(StatError::OutOfRange { name: "level", .. })
        ));
    }
}
