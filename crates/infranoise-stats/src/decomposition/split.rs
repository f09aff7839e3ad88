//! The exact per-task split of a score difference.

use super::bounds::{Bounds, recovered_bounds};
use crate::cell::Outcomes;
use crate::check;
use crate::error::Result;
use crate::estimate::TestResult;
use crate::method::Method;
use crate::t_test::t_test;

/// The parts of a score difference, B minus A.
///
/// A part is an error (with its name) if it is the same in every task, for instance because neither arm had an infra
/// error: it then has a value but no standard error.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// Tasks with trials in both arms of which B has one at least without an infra error (and not maimed).
    pub tasks: u64,
    /// Change of the success rate.
    pub delta_success: Result<TestResult>,
    /// Change of the infra-error rate.
    pub delta_infra: Result<TestResult>,
    /// Change of the agent-failure rate, maimed trials included. Below zero it proves newly solved trials, whatever
    /// the assumptions; of capability only [`delta_event_free`](Self::delta_event_free) speaks.
    pub delta_failure: Result<TestResult>,
    /// Change of the rate of maimed trials.
    pub delta_maimed: Result<TestResult>,
    /// Change of the agent-failure rate without the maimed trials.
    pub delta_event_free: Result<TestResult>,
    /// Noise removed: released trials that pass like any other trial of the task in B.
    pub recovered: Result<TestResult>,
    /// The same for trials that were maimed in A.
    pub unmaimed: Result<TestResult>,
    /// The rest: consistent with newly solved.
    pub newly_solved: Result<TestResult>,
    /// Sharp bounds on noise removed without assumption on the release of trials.
    pub recovered_bounds: Bounds,
}

/// **Default decomposition.** Per task, with s, i, m the rates of passes, infra errors and maimed failures, and
/// q_B = s_B / (1 - i_B - m_B) the pass rate of undisturbed trials in B:
///
/// noise removed r = (i_A - i_B) q_B, maimed h = (m_A - m_B) q_B, the rest g = (1 - i_A - m_A) q_B - s_A.
/// Exactly r + h + g = s_B - s_A. Averages over tasks with a t interval each.
///
/// Assumes (I) independence within the task: a released trial passes like any undisturbed trial of B. If all killed
/// trials were doomed, noise removed is overstated (1.6 points in simulation): print the phi line
/// ([`recovered_at`](Bounds::recovered_at)) beside it. Source: Kitagawa 1955; Oaxaca 1973. Complexity: O(T).
///
/// # Errors
/// Lists of different length; fewer than two usable tasks.
pub fn decompose(a: &[Outcomes], b: &[Outcomes], level: f64) -> Result<Decomposition> {
    check::same_length("arm A", a.len(), "arm B", b.len())?;
    check::open_unit("level", level)?;
    let used: Vec<(Outcomes, Outcomes)> =
        a.iter().copied().zip(b.iter().copied()).filter(|&(a, b)| usable(a, b)).collect();
    check::at_least("tasks with an undisturbed trial in B", 2, used.len())?;
    let trials = used.iter().map(|(a, b)| u64::from(a.trials()) + u64::from(b.trials())).sum();
    let part = |of: fn(Rates, Rates) -> f64| {
        let values: Vec<f64> = used.iter().map(|&(a, b)| of(Rates::new(a), Rates::new(b))).collect();
        t_test(&values, trials, level, Method::Decompose)
    };
    let (used_a, used_b): (Vec<_>, Vec<_>) = used.iter().copied().unzip();
    Ok(Decomposition {
        tasks: used.len() as u64,
        delta_success: part(|a, b| b.pass - a.pass),
        delta_infra: part(|a, b| b.infra - a.infra),
        delta_failure: part(|a, b| b.failure() - a.failure()),
        delta_maimed: part(|a, b| b.maimed - a.maimed),
        delta_event_free: part(|a, b| (b.failure() - b.maimed) - (a.failure() - a.maimed)),
        recovered: part(|a, b| (a.infra - b.infra) * b.undisturbed_pass()),
        unmaimed: part(|a, b| (a.maimed - b.maimed) * b.undisturbed_pass()),
        newly_solved: part(|a, b| (1.0 - a.infra - a.maimed) * b.undisturbed_pass() - a.pass),
        recovered_bounds: recovered_bounds(&used_a, &used_b)?,
    })
}

fn usable(a: Outcomes, b: Outcomes) -> bool {
    a.trials() > 0 && b.trials() > b.infra_errors() + b.maimed()
}

/// The outcome rates of one task in one arm.
#[derive(Clone, Copy)]
struct Rates {
    pass: f64,
    infra: f64,
    maimed: f64,
}

impl Rates {
    fn new(outcomes: Outcomes) -> Self {
        let share = |count: u32| f64::from(count) / f64::from(outcomes.trials());
        Self {
            pass: share(outcomes.passes()),
            infra: share(outcomes.infra_errors()),
            maimed: share(outcomes.maimed()),
        }
    }

    fn failure(self) -> f64 {
        1.0 - self.pass - self.infra
    }

    fn undisturbed_pass(self) -> f64 {
        self.pass / (1.0 - self.infra - self.maimed)
    }
}
