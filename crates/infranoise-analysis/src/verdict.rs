//! The three verdicts: different, equivalent, can't tell.

use infranoise_stats::power::{Errors, Noise, required_k_equivalence};

use crate::doc::{Claim, Verdict3, VerdictWord};

/// What repeats of the same task in the same arm vary by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RepeatNoise {
    /// Variance between repeats on the probability scale; `None` where it cannot be estimated.
    pub(crate) var_seed: Option<f64>,
    /// Repeats that there are.
    pub(crate) repeats: u64,
}

/// The error rates that designs are judged by.
pub(crate) const ERRORS: Errors = Errors { alpha: 0.05, power: 0.80 };

impl RepeatNoise {
    /// Repeats that would show equivalence within the margin with 80 % power if there is no difference.
    pub(crate) fn repeats_for(&self, margin: f64, tasks: u64) -> Option<u64> {
        let noise = Noise { var_seed: self.var_seed?, var_delta: 0.0 };
        let needed = required_k_equivalence(tasks, margin, 0.0, noise, ERRORS).ok().flatten()?;
        // Repeats that are there already did not settle it: what is missing is not more of them.
        (needed > self.repeats).then_some(needed)
    }
}

/// The verdict on these tasks. *Different* needs both: an interval without 0, and an exact p-value below 5 %; with few repeats the
/// interval alone is too sure of itself.
pub(crate) fn verdict(claim: &Claim, margin: f64, tasks: u64, noise: &RepeatNoise) -> Verdict3 {
    let points = margin * 100.0;
    let outside = claim.test.as_ref().filter(|test| !test.effect.contains(0.0));
    let different = outside.is_some_and(|test| test.p < ERRORS.alpha);
    let equivalent = claim.p_equivalence.is_some_and(|p| p < ERRORS.alpha);
    let needs = noise.repeats_for(margin, tasks);
    let (word, says) = match (different, equivalent) {
        (true, true) => {
            (VerdictWord::DifferentButNegligible, format!("different, but by less than {points} points"))
        }
        (true, false) => (VerdictWord::Different, "different".to_owned()),
        (false, true) => (VerdictWord::Equivalent, format!("equivalent within {points} points")),
        (false, false) => {
            let says = match (&claim.why_not, outside, needs) {
                (Some(why), _, _) => format!("can't tell ({why})"),
                (None, Some(test), _) => {
                    format!("can't tell (exact p = {:.2}: too few trials differ)", test.p)
                }
                (None, None, Some(k)) => format!("can't tell (needs k = {k})"),
                (None, None, None) => "can't tell".to_owned(),
            };
            (VerdictWord::CannotTell, says)
        }
    };
    let needs_repeats = if word == VerdictWord::CannotTell { needs } else { None };
    Verdict3 { word, says, needs_repeats }
}
