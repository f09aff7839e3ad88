//! What a person should know before believing a sweep.

use infranoise_core::{Ceiling, Plan, Timing};

use super::effective;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Warnings on a plan, each a sentence.
pub(super) fn warnings(plan: &Plan) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(no_repeats(plan));
    warnings.extend(uncapped_by_host(plan));
    warnings.extend(without_band(plan));
    warnings.extend(floors_differ(plan));
    warnings.extend(one_window(plan));
    warnings.extend(swap(plan));
    warnings
}

fn no_repeats(plan: &Plan) -> Option<String> {
    (plan.repeats == 1).then(|| {
        "one repeat cannot tell the trials' own randomness from differences between tasks; take -k 5 or more"
            .to_owned()
    })
}

fn uncapped_by_host(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    plan.arms.iter().filter_map(|arm| {
        let beyond = arm
            .allocations
            .values()
            .filter(|allocation| {
                effective(allocation, &plan.host).memory.ceiling() == Ceiling::Uncapped
                    && allocation.memory.ceiling() != Ceiling::Uncapped
            })
            .count();
        (beyond > 0).then(|| {
            format!(
                "arm `{}`: the memory ceiling of {beyond} of {} tasks is not below this host's {}, so that nothing is cut off there",
                arm.arm.name,
                arm.allocations.len(),
                plan.host.memory_bytes
            )
        })
    })
}

fn without_band(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    plan.arms.iter().filter(|arm| !arm.without_band.is_empty()).map(|arm| {
        let names: Vec<_> = arm.without_band.iter().take(5).map(|task| task.as_str()).collect();
        let more = arm.without_band.len().saturating_sub(names.len());
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "arm `{}` has no band of its own for {}{rest}; they get the task spec as floor and ceiling",
            arm.arm.name,
            names.join(", ")
        )
    })
}

/// Floors that differ between arms change how densely trials are packed.
fn floors_differ(plan: &Plan) -> Option<String> {
    let first = plan.arms.first()?;
    let differs = plan.arms.iter().any(|arm| {
        arm.allocations.iter().any(|(task, allocation)| {
            first.allocations.get(task).is_some_and(|base| {
                base.memory.floor() != allocation.memory.floor() || base.cpu.floor() != allocation.cpu.floor()
            })
        })
    });
    differs.then(|| {
        "floors differ between arms; the number of neighbours is set by the largest of them, so that density is the same in every arm"
            .to_owned()
    })
}

fn one_window(plan: &Plan) -> Option<String> {
    let says = |what: &str| {
        format!(
            "{what}: time of day cannot be told from anything else that was special about it; --spread 3d or --windows spreads blocks"
        )
    };
    match &plan.timing {
        Timing::AtOnce => None,
        Timing::Spread { over_ms } if *over_ms < DAY_MS => {
            Some(says("all blocks fall within less than a day"))
        }
        Timing::Windows(windows) if windows.len() == 1 => Some(says("one window holds every block")),
        Timing::Spread { .. } | Timing::Windows(_) => None,
    }
}

fn swap(plan: &Plan) -> Option<String> {
    (plan.host.swap_bytes.0 > 0).then(|| {
        format!(
            "this host has {} of swap; it is closed to trials where the kernel allows it, but the host itself may still use it under pressure",
            plan.host.swap_bytes
        )
    })
}
