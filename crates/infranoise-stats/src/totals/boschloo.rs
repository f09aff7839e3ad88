//! Boschloo's test: Fisher's p-value as statistic, without conditioning on the margin.

use super::Total;
use crate::error::Result;
use crate::special::hypergeometric::Hypergeometric;
use std::f64::consts::FRAC_PI_2;

/// Points at which the common rate is tried, evenly spaced in arcsin(sqrt(rate)).
const GRID: usize = 1_000;
/// The best points around which it is refined.
const REFINED: usize = 8;
/// Ties in the statistic.
const TIE: f64 = 1.0 + 1e-13;

/// Two-sided p-value of the difference of two totals: twice the smaller one-sided p, at most 1.
///
/// One-sided: all tables whose one-sided Fisher p is at most the observed one form the rejection region; its largest
/// probability over the common rate is the p-value. Uniformly more powerful than Fisher's test. For a fixed count in
/// the first arm the region is an interval of counts in the second, so one pass over the first arm gives its
/// probability. The two-sided rule is SciPy's; R's exact2x2 has others.
/// Source: Boschloo 1970. Complexity: O(1,000 (n1 + n2)).
///
/// # Errors
/// An arm without trials, or more hits than trials.
pub fn boschloo(first: Total, second: Total) -> Result<f64> {
    let (first, second) = (first.checked()?, second.checked()?);
    let fewer = one_sided(first, second);
    let miss = |total: Total| Total { hits: total.trials - total.hits, ..total };
    let more = one_sided(miss(first), miss(second));
    Ok((2.0 * fewer.min(more)).min(1.0))
}

/// p-value against "the first arm has fewer hits".
fn one_sided(first: Total, second: Total) -> f64 {
    let limit = fisher_fewer(first.hits, first.trials, second.hits, second.trials) * TIE;
    let thresholds = thresholds(first.trials, second.trials, limit);
    let probability = |angle: f64| {
        let rate = angle.sin().powi(2);
        region_probability(&thresholds, first.trials, second.trials, rate)
    };
    let step = FRAC_PI_2 / GRID as f64;
    let mut points: Vec<(f64, f64)> =
        (1..GRID).map(|point| point as f64 * step).map(|angle| (angle, probability(angle))).collect();
    points.sort_by(|left, right| right.1.total_cmp(&left.1));
    points.truncate(REFINED);
    points
        .iter()
        .map(|&(angle, at)| at.max(highest(probability, angle - step, angle + step)))
        .fold(0.0, f64::max)
}

/// Fisher's one-sided p-value: at most `x1` of the hits in the first arm.
fn fisher_fewer(x1: u32, n1: u32, x2: u32, n2: u32) -> f64 {
    let all = Hypergeometric::new(n2, n1, x1 + x2);
    all.pmf[..=(x1 - all.low) as usize].iter().sum()
}

/// For every count in the first arm, the smallest count in the second that is in the region.
fn thresholds(n1: u32, n2: u32, limit: f64) -> Vec<u32> {
    let mut x2 = 0;
    (0..=n1)
        .map(|x1| {
            while x2 <= n2 && fisher_fewer(x1, n1, x2, n2) > limit {
                x2 += 1;
            }
            x2
        })
        .collect()
}

/// Probability of the region at a common rate.
fn region_probability(thresholds: &[u32], n1: u32, n2: u32, rate: f64) -> f64 {
    let (first, second) = (Window::new(n1, rate), Window::new(n2, rate));
    // P(x2 >= position), and zero beyond the window.
    let mut upper_tail = second.pmf;
    let mut above = 0.0;
    for p in upper_tail.iter_mut().rev() {
        above += *p;
        *p = above;
    }
    let from = |threshold: u32| {
        let position = threshold.saturating_sub(second.start) as usize;
        upper_tail.get(position).copied().unwrap_or(0.0)
    };
    let region = &thresholds[first.start as usize..];
    first.pmf.iter().zip(region).map(|(p, &threshold)| p * from(threshold)).sum()
}

/// The part of a binomial distribution that matters.
struct Window {
    start: u32,
    pmf: Vec<f64>,
}

impl Window {
    /// Ratios of neighbours from the mode outwards, until they no longer count.
    fn new(n: u32, rate: f64) -> Self {
        const NEGLIGIBLE: f64 = 1e-30;
        let odds = rate / (1.0 - rate);
        let mode = ((f64::from(n) * rate) as u32).min(n);
        let ratio = |x: u32| f64::from(n - x) / f64::from(x + 1) * odds;
        let below = std::iter::successors(Some((mode, 1.0)), |&(x, p)| {
            let next = p / ratio(x.checked_sub(1)?);
            (next > NEGLIGIBLE).then_some((x - 1, next))
        });
        let mut pmf: Vec<f64> = below.map(|(_, p)| p).collect();
        let start = mode + 1 - pmf.len() as u32;
        pmf.reverse();
        let mut p = 1.0;
        for x in mode..n {
            p *= ratio(x);
            if p <= NEGLIGIBLE {
                break;
            }
            pmf.push(p);
        }
        let total: f64 = pmf.iter().sum();
        pmf.iter_mut().for_each(|p| *p /= total);
        Self { start, pmf }
    }
}

/// The largest value between two points (golden section).
fn highest(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    const STEPS: usize = 40;
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut f_left, mut f_right) = (f(left), f(right));
    for _ in 0..STEPS {
        if f_left > f_right {
            (high, right, f_right) = (right, left, f_left);
            left = high - GOLDEN * (high - low);
            f_left = f(left);
        } else {
            (low, left, f_left) = (left, right, f_right);
            right = low + GOLDEN * (high - low);
            f_right = f(right);
        }
    }
    f_left.max(f_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_binomial() {
        let window = Window::new(5, 0.3);
        assert_eq!((window.start, window.pmf.len()), (0, 6));
        assert!((window.pmf[2] - 10.0 * 0.09 * 0.343).abs() < 1e-15);
        let large = Window::new(100_000, 0.4);
        assert!(large.start > 37_000 && large.pmf.len() < 5_000);
        let mean: f64 =
            large.pmf.iter().enumerate().map(|(at, p)| p * (f64::from(large.start) + at as f64)).sum();
        assert!((mean - 40_000.0).abs() < 1e-6, "{mean}");
    }

    #[test]
    fn arms_may_be_exchanged() {
        let (few, many) = (Total { hits: 2, trials: 30 }, Total { hits: 9, trials: 41 });
        let (left, right) = (boschloo(few, many).unwrap(), boschloo(many, few).unwrap());
        assert!((left - right).abs() < 1e-9 && left < 0.2, "{left} {right}");
        assert_eq!(boschloo(few, few), Ok(1.0));
    }
}
