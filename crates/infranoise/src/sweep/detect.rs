//! What a plan needs and what it could detect, before anything is spent.

use infranoise_core::{Bytes, Ceiling, Plan};
use infranoise_runner::admission::Room;
use infranoise_stats::power::{Errors, Noise, mde, required_k_equivalence};
use serde::Serialize;

/// The share of a score's variance that lies between tasks, where nothing is known: conservative.
const RHO: f64 = 0.5;
/// The score that power is worked out for, where nothing is known: where the variance is largest.
const SCORE: f64 = 0.5;

/// A plan in numbers.
#[derive(Debug, Serialize)]
pub struct Outlook {
    /// Planned trials.
    pub trials: u64,
    /// Trials at once.
    pub at_once: u32,
    /// Memory that floors promise at once, in bytes.
    pub floors_bytes: u64,
    /// Memory that trials may use at once, if every one reaches its ceiling; absent if an arm has none.
    pub ceilings_bytes: Option<u64>,
    /// The longest that it can take, in milliseconds, if every trial uses up its limits; absent if one has none.
    pub at_most_ms: Option<u64>,
    /// Disk for records and logs, in bytes, by experience.
    pub disk_bytes: u64,
    /// The smallest difference between two arms that is found with 80 % power, as a share.
    pub detects: Option<f64>,
    /// Repeats that would show equivalence within the margin, if there is no difference.
    pub repeats_for_margin: Option<u64>,
    /// What the power was worked out for.
    pub assumes: String,
}

/// Works it out.
#[must_use]
pub fn outlook(plan: &Plan, room: &Room) -> Outlook {
    let allocations = || plan.arms.iter().flat_map(|arm| arm.allocations.values());
    let at_once = room.density(allocations());
    let largest = |of: &dyn Fn(&infranoise_core::Allocation) -> u64| allocations().map(of).max().unwrap_or(0);
    let ceilings: Option<Vec<u64>> =
        allocations().map(|allocation| allocation.memory.ceiling().amount().map(|bytes| bytes.0)).collect();
    let noise = Noise { var_seed: SCORE * (1.0 - SCORE) * (1.0 - RHO), var_delta: 0.0 };
    let errors = Errors { alpha: 0.05, power: 0.80 };
    let (tasks, repeats) = (plan.tasks.len() as u64, u64::from(plan.repeats));
    Outlook {
        trials: plan.planned(),
        at_once,
        floors_bytes: largest(&|allocation| allocation.memory.floor().0) * u64::from(at_once),
        ceilings_bytes: ceilings.and_then(|all| all.into_iter().max()).map(|most| most * u64::from(at_once)),
        at_most_ms: at_most(plan, at_once),
        disk_bytes: plan.planned() * 64 * Bytes::KIB,
        detects: mde(tasks, repeats, noise, errors).ok().map(|found| found.effect),
        repeats_for_margin: required_k_equivalence(tasks, plan.margin_pp / 100.0, 0.0, noise, errors)
            .ok()
            .flatten(),
        assumes: format!(
            "score {SCORE}, rho {RHO} (nothing is known of this benchmark's), claims about these tasks, 80 % power at 5 %"
        ),
    }
}

/// The sum of all limits over the trials at once.
fn at_most(plan: &Plan, at_once: u32) -> Option<u64> {
    let mut sum_ms: u64 = 0;
    for allocation in plan.arms.iter().flat_map(|arm| arm.allocations.values()) {
        let time = allocation.time;
        for limit in [time.agent_ms, time.verifier_ms] {
            let Ceiling::At(ms) = limit else { return None };
            sum_ms = sum_ms.saturating_add(ms);
        }
    }
    Some(sum_ms.saturating_mul(u64::from(plan.repeats)) / u64::from(at_once.max(1)))
}

/// The outlook in words, a line each.
#[must_use]
pub fn words(plan: &Plan, outlook: &Outlook) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{} trials: {} tasks x {} arms x {} repeats, {} at once",
            outlook.trials,
            plan.tasks.len(),
            plan.arms.len(),
            plan.repeats,
            outlook.at_once
        ),
        format!(
            "memory: floors promise {} at once; {}",
            Bytes(outlook.floors_bytes),
            match outlook.ceilings_bytes {
                Some(bytes) => format!("ceilings allow {}", Bytes(bytes)),
                None => format!("an uncapped arm may use all of this host's {}", plan.host.memory_bytes),
            }
        ),
        format!("disk: about {} for records and logs", Bytes(outlook.disk_bytes)),
        match outlook.at_most_ms {
            Some(ms) => {
                format!("time: at most {} if every trial uses up its limits", crate::progress::span_words(ms))
            }
            None => "time: a limit is not stated, so that there is no bound".to_owned(),
        },
    ];
    if outlook.detects.is_some_and(|detects| detects >= 1.0) {
        lines.push("detects no difference at all: too few tasks and repeats".to_owned());
    } else if let Some(detects) = outlook.detects {
        lines.push(format!(
            "detects a difference of {:.1} points between two arms ({})",
            detects * 100.0,
            outlook.assumes
        ));
    }
    lines.push(match outlook.repeats_for_margin {
        Some(k) => format!("showing equivalence within {} points would take k = {k}", plan.margin_pp),
        None => format!("no number of repeats shows equivalence within {} points", plan.margin_pp),
    });
    lines
}
