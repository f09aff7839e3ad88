//! Equivalence within a margin that was fixed before the first trial.
//!
//! A large p-value of a test for a difference is no evidence of equality; this is the only method here that is.

use crate::cell::Pair;
use crate::check;
use crate::difference::{fixed_task_se, mh_rd};
use crate::error::{Result, StatError};
use crate::estimate::Estimate;
use crate::method::Method;
use crate::moments::{is_zero, mean, standard_error};
use crate::special::{normal, student};

/// Two one-sided tests.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tost {
    /// The difference with its interval of level 1 - 2 alpha: equivalence at alpha means that it lies in the margin.
    pub effect: Estimate,
    /// Standard error of the difference.
    pub se: f64,
    /// The margin, as a share (0.03 is three points).
    pub margin: f64,
    /// p-value against "the difference is above -margin".
    pub p_lower: f64,
    /// p-value against "the difference is below +margin"; alone it is the test of no inflation.
    pub p_upper: f64,
    /// p-value of equivalence: the larger of the two.
    pub p: f64,
}

impl Tost {
    /// Whether the difference lies within the margin, at an error rate of `alpha`.
    pub fn equivalent(&self, alpha: f64) -> bool {
        self.p < alpha
    }

    /// Whether the second arm is at most `margin` better, at an error rate of `alpha`: "no inflation".
    pub fn not_inflated(&self, alpha: f64) -> bool {
        self.p_upper < alpha
    }

    fn new(effect: Estimate, se: f64, margin: f64, sf: impl Fn(f64) -> f64) -> Self {
        let p_lower = sf((effect.value + margin) / se);
        let p_upper = sf((margin - effect.value) / se);
        Self { effect, se, margin, p_lower, p_upper, p: p_lower.max(p_upper) }
    }
}

/// **Default test of equivalence**, for unseen tasks: two one-sided paired t tests of the task differences.
///
/// p_L = P(T > (D + margin)/SE), p_U = P(T < (D - margin)/SE), p = max; equivalent at alpha if p < alpha, that is if
/// the interval of level 1 - 2 alpha lies within the margin. `alpha` only sets the level of that interval.
/// Source: Schuirmann 1987. Complexity: O(T).
///
/// # Errors
/// Fewer than two values, the same value in every task, a margin that is not positive.
pub fn tost_paired(differences: &[f64], n: u64, margin: f64, alpha: f64) -> Result<Tost> {
    check::positive("margin", margin)?;
    check::open_unit("2 alpha", 2.0 * alpha)?;
    check::at_least("tasks", 2, differences.len())?;
    check::all_finite("difference", differences)?;
    let value = mean(differences);
    let se = standard_error(differences, value);
    if is_zero(se, differences) {
        return Err(StatError::NoSpread { what: "the task differences", value });
    }
    let df = (differences.len() - 1) as f64;
    let half = student::quantile(1.0 - alpha, df) * se;
    let effect = Estimate {
        value,
        low: value - half,
        high: value + half,
        level: 1.0 - 2.0 * alpha,
        method: Method::TostPaired,
        n,
        clusters: differences.len() as u64,
    };
    Ok(Tost::new(effect, se, margin, |t| student::sf(t, df)))
}

/// [`tost_paired`] on the differences of tasks with trials in both arms.
///
/// # Errors
/// As [`tost_paired`].
pub fn tost_pairs(pairs: &[Pair], margin: f64, alpha: f64) -> Result<Tost> {
    let used: Vec<&Pair> = pairs.iter().filter(|pair| pair.difference().is_some()).collect();
    let differences: Vec<f64> = used.iter().filter_map(|pair| pair.difference()).collect();
    tost_paired(&differences, used.iter().map(|pair| pair.trials()).sum(), margin, alpha)
}

/// Equivalence of *these tasks*: two one-sided normal tests of the Mantel-Haenszel risk difference, with the larger
/// of its own standard error and the fixed-task one.
///
/// Source: Schuirmann 1987 with the variance of Sato 1989. Complexity: O(T).
///
/// # Errors
/// As [`mh_rd`], and a margin that is not positive.
pub fn tost_fixed_tasks(pairs: &[Pair], margin: f64, alpha: f64) -> Result<Tost> {
    check::positive("margin", margin)?;
    check::open_unit("2 alpha", 2.0 * alpha)?;
    let difference = mh_rd(pairs, 1.0 - 2.0 * alpha)?;
    // With one repeat there is no fixed-task standard error; Sato's is then the only one.
    let se = fixed_task_se(pairs).map_or(difference.se, |se| se.max(difference.se));
    let half = normal::quantile(1.0 - alpha) * se;
    let value = difference.effect.value;
    let effect = Estimate {
        low: value - half,
        high: value + half,
        method: Method::TostFixedTasks,
        ..difference.effect
    };
    Ok(Tost::new(effect, se, margin, normal::sf))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    #[test]
    fn these_tasks_take_the_larger_standard_error() {
        let cell = |hits, trials| Cell::try_new(hits, trials).unwrap();
        let pairs: Vec<Pair> = [(1, 3), (2, 2), (4, 4), (3, 1), (0, 2)]
            .map(|(a, b)| Pair { a: cell(a, 4), b: cell(b, 4) })
            .into();
        let test = tost_fixed_tasks(&pairs, 0.2, 0.05).unwrap();
        let (fixed, sato) = (fixed_task_se(&pairs).unwrap(), mh_rd(&pairs, 0.9).unwrap().se);
        assert!(fixed != sato && test.se == fixed.max(sato));
        assert_eq!(test.p_upper, normal::sf((0.2 - test.effect.value) / test.se));
        assert!((test.effect.half_width() / test.se - 1.644_853_626_951_472_7).abs() < 1e-12);
        // With one repeat there is only one.
        let single: Vec<Pair> =
            [(1, 0), (0, 1), (1, 1), (1, 0)].map(|(a, b)| Pair { a: cell(a, 1), b: cell(b, 1) }).into();
        assert_eq!(tost_fixed_tasks(&single, 0.2, 0.05).unwrap().se, mh_rd(&single, 0.9).unwrap().se);
    }
}
