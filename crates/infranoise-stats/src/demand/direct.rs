//! Virtual ceilings: what would have happened at a lower one.

use crate::cell::Outcomes;
use crate::check;
use crate::error::Result;
use crate::estimate::Estimate;
use crate::method::Method;
use crate::rate::{Side, clopper_pearson};

/// A trial with its ceiling and its peak, both in multiples of the task spec.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CeilingTrial {
    /// The ceiling that it ran under; infinite if uncapped.
    pub ceiling: f64,
    /// The highest use that was seen.
    pub peak: f64,
    /// Whether an infra error ended it (a kill at the ceiling, or any other).
    pub infra_error: bool,
    /// Whether it passed.
    pub passed: bool,
}

impl CeilingTrial {
    /// Whether it would have ended by an infra error at a ceiling. A peak equal to the ceiling survives it.
    fn ends_at(&self, ceiling: f64) -> bool {
        self.infra_error || self.peak > ceiling
    }
}

fn informative(trials: &[CeilingTrial], ceiling: f64) -> impl Iterator<Item = &CeilingTrial> {
    // A trial that a tighter ceiling ended says nothing on this one, and the tighter arm's survivors are selected.
    trials.iter().filter(move |trial| trial.ceiling >= ceiling)
}

/// **Default rate at a ceiling**: among the trials whose ceiling was at least as high, those with a higher peak or an
/// infra error, with a one-sided exact upper limit (low is 0).
///
/// Trials under lower ceilings must not be used: they are selected. With all looser arms it is far more precise than
/// the arm itself (sd 0.27 against 0.70 points at 10 repeats). Source: Clopper and Pearson 1934. Complexity: O(n).
///
/// # Errors
/// No trial with a ceiling as high; a ceiling or peak that is NaN.
pub fn direct(trials: &[CeilingTrial], ceiling: f64, level: f64) -> Result<Estimate> {
    check::positive("ceiling", ceiling.min(f64::MAX))?;
    for trial in trials {
        check::not_negative("peak", trial.peak)?;
        check::positive("ceiling", trial.ceiling.min(f64::MAX))?;
    }
    let used = informative(trials, ceiling).count();
    check::at_least("trials with a ceiling as high", 1, used)?;
    let ended = informative(trials, ceiling).filter(|trial| trial.ends_at(ceiling)).count();
    let estimate = clopper_pearson(ended as u64, used as u64, level, Side::Upper)?;
    Ok(Estimate { method: Method::Direct, ..estimate })
}

/// The outcomes of one task as they would have been at a ceiling, from its trials under ceilings at least as high.
///
/// S(c) = P(pass and peak <= c), I(c) = P(peak > c), the rest failures. Compared by a paired t with what the arm at
/// that ceiling really did, a difference shows adaptation or effects short of a kill. Complexity: O(n).
///
/// # Errors
/// None beyond those of [`Outcomes::try_new`]; no usable trial gives outcomes without trials.
pub fn virtual_outcomes(trials: &[CeilingTrial], ceiling: f64) -> Result<Outcomes> {
    let (mut passes, mut ended, mut all) = (0, 0, 0);
    for trial in informative(trials, ceiling) {
        all += 1;
        if trial.ends_at(ceiling) {
            ended += 1;
        } else if trial.passed {
            passes += 1;
        }
    }
    Outcomes::try_new(passes, ended, all)
}

/// The share of the released trials that would have failed anyway (phi): failures among the trials that went beyond
/// the tighter ceiling, under a ceiling that let them, and that no infra error ended.
///
/// Assumes no anticipation. Source: Frangakis and Rubin 2002 (principal strata). Complexity: O(n).
///
/// # Errors
/// No such trial; a level outside (0, 1).
pub fn doomed_share(trials: &[CeilingTrial], tighter_ceiling: f64, level: f64) -> Result<Estimate> {
    let released = || {
        trials.iter().filter(|trial| {
            trial.ceiling > tighter_ceiling && trial.peak > tighter_ceiling && !trial.infra_error
        })
    };
    let all = released().count();
    check::at_least("trials beyond the tighter ceiling", 1, all)?;
    let failed = released().filter(|trial| !trial.passed).count();
    let estimate = clopper_pearson(failed as u64, all as u64, level, Side::Two)?;
    Ok(Estimate { method: Method::Direct, ..estimate })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(ceiling: f64, peak: f64, infra_error: bool, passed: bool) -> CeilingTrial {
        CeilingTrial { ceiling, peak, infra_error, passed }
    }

    fn trials() -> [CeilingTrial; 6] {
        [
            trial(1.0, 1.0, true, false),
            trial(2.0, 1.0, false, true),
            trial(2.0, 1.5, false, true),
            trial(f64::INFINITY, 1.5, false, false),
            trial(f64::INFINITY, 3.0, false, true),
            trial(f64::INFINITY, 0.2, true, false),
        ]
    }

    #[test]
    fn only_looser_trials_tell() {
        let check = |ceiling, ended: f64, n: u64| {
            let estimate = direct(&trials(), ceiling, 0.95).unwrap();
            assert_eq!((estimate.value, estimate.n, estimate.low), (ended / n as f64, n, 0.0), "{ceiling}");
        };
        check(1.0, 5.0, 6);
        check(1.5, 2.0, 5);
        check(2.5, 2.0, 3);
        check(f64::INFINITY, 1.0, 3);
        assert!(direct(&trials()[..1], 2.0, 0.95).is_err());
        assert!(direct(&[trial(1.0, f64::NAN, false, true)], 1.0, 0.95).is_err());
    }

    #[test]
    fn outcomes_at_a_virtual_ceiling() {
        let check = |ceiling, passes, ended, all| {
            assert_eq!(
                virtual_outcomes(&trials(), ceiling),
                Outcomes::try_new(passes, ended, all),
                "{ceiling}"
            );
        };
        check(1.0, 1, 5, 6);
        check(2.0, 2, 2, 5);
        check(3.0, 1, 1, 3);
    }

    #[test]
    fn released_trials_may_be_doomed() {
        let share = doomed_share(&trials(), 1.0, 0.95).unwrap();
        assert_eq!((share.value, share.n), (1.0 / 3.0, 3));
        assert!(doomed_share(&trials(), 5.0, 0.95).is_err());
    }
}
