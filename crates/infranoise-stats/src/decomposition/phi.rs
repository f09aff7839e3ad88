//! The phi line: the decomposition under every assumption on the released trials.

use crate::cell::Outcomes;
use crate::check;
use crate::error::Result;
use crate::estimate::TestResult;
use crate::method::Method;
use crate::t_test::t_test;

/// What is assumed on phi, the share of the released trials that would have failed anyway.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Doomed {
    /// None of them: phi = 0.
    Nobody,
    /// All of them: phi = 1.
    Everybody,
    /// As many as fail among the task's other trials in B: phi_t = 1 - q_tB.
    LikeTheOthers,
    /// A share that was seen by telemetry (see [`doomed_share`](crate::demand::doomed_share)).
    Observed(f64),
}

/// The decomposition under one assumption. The parts are errors if tasks do not differ in them.
#[derive(Debug, Clone, PartialEq)]
pub struct PhiPoint {
    /// The assumption.
    pub doomed: Doomed,
    /// Noise removed: R = (1 - phi)(i_A - i_B).
    pub recovered: Result<TestResult>,
    /// Would have failed anyway: W = phi (i_A - i_B).
    pub doomed_anyway: Result<TestResult>,
    /// Newly solved, net: N = s_B - s_A - R.
    pub newly_solved: Result<TestResult>,
}

/// The decomposition at phi = 0, phi = 1, under independence and, where there is telemetry, at the share it showed.
///
/// Pass and infra counts leave exactly one number free, phi, so the line is mandatory beside
/// [`decompose`](super::decompose). The interval at an observed share takes that share as known. Assumes that a
/// looser ceiling never makes an infra error. Tasks with trials in both arms, and one in B without infra error.
/// Complexity: O(T).
///
/// # Errors
/// Lists of different length, fewer than two usable tasks, a share outside [0, 1].
pub fn phi_sweep(a: &[Outcomes], b: &[Outcomes], observed: Option<f64>, level: f64) -> Result<Vec<PhiPoint>> {
    check::same_length("arm A", a.len(), "arm B", b.len())?;
    let tasks: Vec<Task> = a.iter().zip(b).filter_map(|(&a, &b)| Task::new(a, b)).collect();
    check::at_least("tasks with a trial of B that no infra error ended", 2, tasks.len())?;
    let mut assumptions = vec![Doomed::Nobody, Doomed::LikeTheOthers, Doomed::Everybody];
    if let Some(phi) = observed {
        assumptions.push(Doomed::Observed(check::unit("phi", phi)?));
    }
    Ok(assumptions.into_iter().map(|doomed| point(&tasks, doomed, level)).collect())
}

struct Task {
    infra_removed: f64,
    delta_success: f64,
    failing_others: f64,
    trials: u64,
}

impl Task {
    fn new(a: Outcomes, b: Outcomes) -> Option<Self> {
        let others = b.trials() - b.infra_errors();
        if others == 0 {
            return None;
        }
        Some(Self {
            infra_removed: a.infra_cell().rate()? - b.infra_cell().rate()?,
            delta_success: b.pass_cell().rate()? - a.pass_cell().rate()?,
            failing_others: 1.0 - f64::from(b.passes()) / f64::from(others),
            trials: u64::from(a.trials()) + u64::from(b.trials()),
        })
    }

    fn doomed_anyway(&self, doomed: Doomed) -> f64 {
        let phi = match doomed {
            Doomed::Nobody => 0.0,
            Doomed::Everybody => 1.0,
            Doomed::LikeTheOthers => self.failing_others,
            Doomed::Observed(phi) => phi,
        };
        phi * self.infra_removed
    }
}

fn point(tasks: &[Task], doomed: Doomed, level: f64) -> PhiPoint {
    let trials = tasks.iter().map(|task| task.trials).sum();
    let part = |of: &dyn Fn(&Task) -> f64| {
        t_test(&tasks.iter().map(of).collect::<Vec<_>>(), trials, level, Method::Decompose)
    };
    PhiPoint {
        doomed,
        recovered: part(&|task| task.infra_removed - task.doomed_anyway(doomed)),
        doomed_anyway: part(&|task| task.doomed_anyway(doomed)),
        newly_solved: part(&|task| task.delta_success - task.infra_removed + task.doomed_anyway(doomed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::{decompose, recovered_bounds};

    #[test]
    fn the_line_by_hand() {
        let of =
            |list: [(u32, u32); 3]| list.map(|(passes, infra)| Outcomes::try_new(passes, infra, 4).unwrap());
        let (a, b) = (of([(1, 2), (2, 0), (0, 4)]), of([(2, 0), (3, 0), (1, 2)]));
        let value = |part: &Result<TestResult>| part.as_ref().unwrap().effect.value;
        let line = phi_sweep(&a, &b, Some(0.25), 0.95).unwrap();
        let removed = (0.5 + 0.0 + 0.5) / 3.0;
        let success = (0.25 + 0.25 + 0.25) / 3.0;
        // Released trials fail like the others of their task in B: 2 of 4, 1 of 4, 1 of 2.
        let doomed = [0.0, (0.5 * 0.5 + 0.5 * 0.5) / 3.0, removed, 0.25 * removed];
        for (point, doomed) in line.iter().zip(doomed) {
            let recovered = removed - doomed;
            if doomed < removed {
                assert!((value(&point.recovered) - recovered).abs() < 1e-15, "{point:?}");
            } else {
                assert!(point.recovered.is_err(), "nothing is recovered in any task");
            }
            if doomed > 0.0 {
                assert!((value(&point.doomed_anyway) - doomed).abs() < 1e-15, "{point:?}");
            }
            if let Ok(solved) = &point.newly_solved {
                assert!((solved.effect.value - (success - recovered)).abs() < 1e-15, "{point:?}");
            }
        }
        let bounds = recovered_bounds(&a, &b).unwrap();
        assert_eq!(bounds.recovered_at(0.25), (0.75 * removed, success - 0.75 * removed));
        let parts = decompose(&a, &b, 0.95).unwrap();
        assert_eq!(value(&parts.recovered), value(&line[1].recovered));
        assert!(phi_sweep(&a, &b, Some(1.5), 0.95).is_err());
    }
}
