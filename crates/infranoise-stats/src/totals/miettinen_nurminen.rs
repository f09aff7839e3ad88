//! The score interval for the difference of two totals.

use super::Total;
use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::method::Method;
use crate::root::find_root;
use crate::special::normal;

/// **Default interval of a risk difference when only totals are known**, first minus second.
///
/// {d : |z(d)| <= q}, z(d) = (p1 - p2 - d) / sqrt((p1~(1-p1~)/n1 + p2~(1-p2~)/n2) N/(N-1)), p~ the maximum likelihood
/// rates with p1~ - p2~ = d. Those are found as the root of the (monotone) score instead of the cubic, whose published
/// form is easily mistyped: statsmodels 0.15 has it wrong. Assumes independent trials.
/// Source: Miettinen and Nurminen 1985. Complexity: two nested root searches.
///
/// # Errors
/// An arm without trials, more hits than trials, a level outside (0, 1).
pub fn mn_score_ci(first: Total, second: Total, level: f64) -> Result<Estimate> {
    let (first, second) = (first.checked()?, second.checked()?);
    let q = normal::quantile(0.5 + check::open_unit("level", level)? / 2.0);
    let value = first.rate() - second.rate();
    let z = |difference: f64| {
        let distance = value - difference;
        if distance == 0.0 { 0.0 } else { distance / null_se(first, second, difference) }
    };
    let low = find_root(|d| z(d) - q, -1.0, value).unwrap_or(-1.0);
    let high = find_root(|d| z(d) + q, value, 1.0).unwrap_or(1.0);
    let n = u64::from(first.trials) + u64::from(second.trials);
    Ok(Estimate { value, low, high, level, method: Method::MnScoreCi, n, clusters: n })
}

/// Standard error of the observed difference if the true one is `difference`.
fn null_se(first: Total, second: Total, difference: f64) -> f64 {
    let p2 = constrained_rate(first, second, difference);
    let p1 = (p2 + difference).clamp(0.0, 1.0);
    let (n1, n2) = (f64::from(first.trials), f64::from(second.trials));
    let total = n1 + n2;
    ((p1 * (1.0 - p1) / n1 + p2 * (1.0 - p2) / n2) * total / (total - 1.0)).sqrt()
}

/// The second arm's rate that maximises the likelihood given the difference; the log likelihood is concave.
fn constrained_rate(first: Total, second: Total, difference: f64) -> f64 {
    let (low, high) = ((-difference).max(0.0), (1.0 - difference).min(1.0));
    let slope_of = |total: Total, rate: f64| {
        let (hits, misses) = (f64::from(total.hits), f64::from(total.trials - total.hits));
        let gain = if hits > 0.0 { hits / rate } else { 0.0 };
        let loss = if misses > 0.0 { misses / (1.0 - rate) } else { 0.0 };
        gain - loss
    };
    let slope = |p2: f64| slope_of(first, p2 + difference) + slope_of(second, p2);
    let inside = (high - low) * 1e-14;
    let (from, to) = (low + inside, high - inside);
    if slope(from) <= 0.0 {
        low
    } else if slope(to) >= 0.0 {
        high
    } else {
        find_root(slope, from, to).unwrap_or(0.5 * (low + high))
    }
}
