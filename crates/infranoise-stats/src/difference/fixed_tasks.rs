//! Differences of *these tasks*: only the noise between repeats counts.

use super::paired_t::used_trials;
use super::{cmh_exact, mh_rd, total_flip};
use crate::cell::Pair;
use crate::check;
use crate::error::{Result, StatError};
use crate::estimate::{Estimate, TestResult};
use crate::method::Method;
use crate::moments::mean;
use crate::special::normal;

/// Standard error of the mean task difference between repetitions with the same tasks:
/// (1/m) sqrt(sum [y_A (1-y_A)/(k_A-1) + y_B (1-y_B)/(k_B-1)]).
///
/// Assumes independent repeats. Source: Miller 2024; Wang 2025 (prediction noise). Complexity: O(T).
///
/// # Errors
/// No task with trials in both arms; a used task with one trial in an arm (its noise cannot be estimated).
pub fn fixed_task_se(pairs: &[Pair]) -> Result<f64> {
    let mut sum = 0.0;
    let mut tasks = 0.0;
    for pair in pairs {
        let (Some(rate_a), Some(rate_b)) = (pair.a.rate(), pair.b.rate()) else { continue };
        for (rate, trials) in [(rate_a, pair.a.trials()), (rate_b, pair.b.trials())] {
            check::at_least("trials in each used cell", 2, trials as usize)?;
            sum += rate * (1.0 - rate) / f64::from(trials - 1);
        }
        tasks += 1.0;
    }
    check::at_least("tasks with trials in both arms", 1, tasks as usize)?;
    Ok(f64::sqrt(sum) / tasks)
}

/// The mean task difference with a normal interval from [`fixed_task_se`].
///
/// # Errors
/// As [`fixed_task_se`]; no task with both outcomes in an arm (the standard error is zero).
pub fn fixed_task_difference(pairs: &[Pair], level: f64) -> Result<Estimate> {
    check::open_unit("level", level)?;
    let se = fixed_task_se(pairs)?;
    let differences: Vec<f64> = pairs.iter().filter_map(|pair| pair.difference()).collect();
    let value = mean(&differences);
    if se == 0.0 {
        return Err(StatError::NoSpread { what: "the repeats of each task", value });
    }
    let half = normal::quantile(0.5 + level / 2.0) * se;
    Ok(Estimate {
        value,
        low: value - half,
        high: value + half,
        level,
        method: Method::FixedTaskDifference,
        n: used_trials(pairs),
        clusters: differences.len() as u64,
    })
}

/// **Default for a verdict on these tasks** (sweep, gate, calibrate): the Mantel-Haenszel risk difference with its
/// interval, and the exact stratified p-value. The two belong together and never stand in a row with a paired t.
///
/// Where every task flipped whole there is no standard error: the interval is then the exact one of [`total_flip`], and the standard error
/// the one that an interval of that width would have. The statistic is the exact test's sum of hits in B. Complexity: that of [`cmh_exact`].
///
/// # Errors
/// As [`mh_rd`], but for a total flip.
pub fn these_tasks(pairs: &[Pair], level: f64) -> Result<TestResult> {
    let (effect, se) = match total_flip(pairs, level) {
        Ok(exact) => (exact, exact.half_width() / normal::quantile(0.5 + level / 2.0)),
        Err(_) => {
            let difference = mh_rd(pairs, level)?;
            (difference.effect, difference.se)
        }
    };
    let exact = cmh_exact(pairs, level)?;
    Ok(TestResult {
        effect,
        se,
        statistic: exact.statistic as f64,
        df: None,
        p: exact.p,
        p_greater: exact.p_greater,
        p_less: exact.p_less,
        method: Method::CmhExact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    fn pair(a: (u32, u32), b: (u32, u32)) -> Pair {
        let cell = |(hits, trials)| Cell::try_new(hits, trials).unwrap();
        Pair { a: cell(a), b: cell(b) }
    }

    #[test]
    fn noise_between_repeats_by_hand() {
        let pairs = [pair((1, 2), (3, 4)), pair((0, 3), (1, 5)), pair((2, 2), (0, 0))];
        // y (1 - y) / (k - 1): 0.25, 0.1875 / 3, 0, 0.16 / 4; two tasks with both arms.
        let expected = f64::sqrt(0.25 + 0.0625 + 0.04) / 2.0;
        assert!((fixed_task_se(&pairs).unwrap() - expected).abs() < 1e-15);
        let estimate = fixed_task_difference(&pairs, 0.95).unwrap();
        assert!((estimate.value - (0.25 + 0.2) / 2.0).abs() < 1e-15);
        assert!((estimate.half_width() / expected - 1.959_963_984_540_054).abs() < 1e-12);
        assert_eq!((estimate.n, estimate.clusters), (14, 2));
    }

    #[test]
    fn one_repeat_has_no_noise_to_see() {
        let one = [pair((1, 1), (0, 2)), pair((1, 2), (1, 2))];
        assert!(matches!(fixed_task_se(&one), Err(StatError::TooFew { needed: 2, found: 1, .. })));
        let constant = [pair((2, 2), (0, 2)); 3];
        assert!(matches!(
            fixed_task_difference(&constant, 0.95),
            Err(StatError::NoSpread { value: -1.0, .. })
        ));
    }
}
