//! One arm: counts, coverage, rates and what was really held.

use std::collections::BTreeMap;

use infranoise_core::{
    Allocation, Ceiling, Enforcement, EvidenceState, Factor, Held, PlannedArm, ResourcePolicy, Shown, Stated,
};
use infranoise_stats::Cell;
use infranoise_stats::rate::{Side, clopper_pearson, wilson_neff};

use crate::doc::{ArmSummary, Rate};
use crate::scores::scores;
use crate::table::{Table, Tally, cell, total};

/// The level of intervals.
pub(crate) const LEVEL: f64 = 0.95;

/// Sums up an arm; `column` holds its tally per task, in the plan's order of tasks.
pub(crate) fn summary(table: &Table<'_>, planned: &PlannedArm, column: &[Tally]) -> ArmSummary {
    let sum = total(column.iter().copied());
    let kills_observable = observable(table, planned);
    let started = "trials whose agent phase started";
    let rate = |count: &dyn Fn(&Tally) -> u64, state: EvidenceState| {
        let cells: Vec<Cell> = column.iter().map(|tally| cell(count(tally), tally.started())).collect();
        rate(count(&sum), sum.started(), started, &cells, state)
    };
    ArmSummary {
        name: planned.arm.name.clone(),
        says: says(planned),
        headroom: headroom(planned),
        real_multiple: real_multiple(table, planned),
        kill_scope: planned.arm.kill_scope,
        planned: sum.planned(),
        counts: sum.map(),
        not_recorded: sum.not_recorded,
        coverage: if sum.planned() == 0 { 0.0 } else { sum.started() as f64 / sum.planned() as f64 },
        ceiling_kills: rate(&|tally| tally.count(Shown::Ceiling), kills_observable),
        faults: rate(&|tally| tally.count(Shown::Fault), EvidenceState::Observed),
        infra_errors: rate(&Tally::infra_errors, kills_observable),
        agent_failures: rate(
            &|tally| tally.count(Shown::Fail) + tally.count(Shown::Undetermined),
            EvidenceState::Observed,
        ),
        survived_events: sum.survived,
        passed_despite_event: sum.passed_despite_event,
        scores: scores(table, column),
        enforcement: enforcement(table, planned),
        mismatches: mismatches(table, planned),
    }
}

/// A rate with both intervals; where it is not observable at all, no number is given.
fn rate(count: u64, of: u64, denominator: &str, tasks: &[Cell], observable: EvidenceState) -> Rate {
    let hidden = matches!(observable, EvidenceState::Unsupported | EvidenceState::Unavailable);
    let with_trials: Vec<Cell> = tasks.iter().copied().filter(|cell| cell.trials() > 0).collect();
    Rate {
        count,
        of,
        denominator: denominator.to_owned(),
        estimate: if hidden { None } else { clopper_pearson(count, of, LEVEL, Side::Two).ok() },
        new_tasks: if hidden { None } else { wilson_neff(&with_trials, LEVEL).ok().map(|w| w.estimate) },
        observable,
    }
}

/// How far kills at the ceiling can be seen in this arm: the best state of the counters, lowered to partial if some trials had none.
fn observable(table: &Table<'_>, planned: &PlannedArm) -> EvidenceState {
    let states: Vec<EvidenceState> = table
        .of_arm(&planned.arm.name)
        .flat_map(|chosen| chosen.record.facts.outcome.execs.iter())
        .map(|exec| exec.oom_kills.state())
        .collect();
    match (states.iter().min(), states.iter().max()) {
        (Some(best), Some(worst)) if best == worst => *best,
        (Some(EvidenceState::Observed | EvidenceState::Partial), Some(_)) => EvidenceState::Partial,
        (Some(best), _) => *best,
        (None, _) => EvidenceState::Observed,
    }
}

/// Whether kills at the ceiling can be seen in every arm.
pub(crate) fn kills_observable(table: &Table<'_>) -> bool {
    table
        .plan
        .arms
        .iter()
        .all(|arm| matches!(observable(table, arm), EvidenceState::Observed | EvidenceState::Partial))
}

/// What an arm asks for, in words.
fn says(planned: &PlannedArm) -> String {
    let arm = &planned.arm;
    let resources = match &arm.policy {
        ResourcePolicy::Scaled(policy) => {
            let memory = format!("memory {} to {}", policy.memory.floor, policy.memory.ceiling);
            let cpu = format!("CPU {} to {}", policy.cpu.floor, policy.cpu.ceiling);
            format!("{memory}, {cpu}")
        }
        ResourcePolicy::PerTask(bands) => format!("each task its own band ({} named)", bands.len()),
        ResourcePolicy::Recorded => return "imported: resources as each trial's record says".to_owned(),
    };
    let time = match arm.time_limit {
        Ceiling::At(Factor::ONE) => String::new(),
        Ceiling::At(scale) => format!(", time limits {scale}"),
        Ceiling::Uncapped => ", no time limits".to_owned(),
    };
    format!("{resources}, kill scope {}{time}", arm.kill_scope)
}

/// The memory ceiling as a multiple of the spec, where the arm says one multiple for all tasks.
fn headroom(planned: &PlannedArm) -> Option<Ceiling<Factor>> {
    use infranoise_core::Amount;
    match &planned.arm.policy {
        ResourcePolicy::Scaled(policy) => match policy.memory.ceiling {
            Ceiling::Uncapped => Some(Ceiling::Uncapped),
            Ceiling::At(Amount::Times(factor)) => Some(Ceiling::At(factor)),
            Ceiling::At(Amount::Exactly(_)) => None,
        },
        ResourcePolicy::PerTask(_) | ResourcePolicy::Recorded => None,
    }
}

/// What "uncapped" really is: the host's memory over the median spec.
fn real_multiple(table: &Table<'_>, planned: &PlannedArm) -> Option<f64> {
    if headroom(planned)? != Ceiling::Uncapped {
        return None;
    }
    let assumed = table.plan.assume.memory;
    let mut specs: Vec<u64> = table
        .plan
        .tasks
        .iter()
        .filter_map(|task| task.spec.memory.or(assumed))
        .map(|bytes| bytes.0)
        .collect();
    specs.sort_unstable();
    let median = *specs.get(specs.len() / 2)?;
    (median > 0).then(|| table.plan.host.memory_bytes.0 as f64 / median as f64)
}

/// How the memory ceiling was held, in words, with how many trials each.
fn enforcement(table: &Table<'_>, planned: &PlannedArm) -> BTreeMap<String, u64> {
    let mut words = BTreeMap::new();
    for chosen in table.of_arm(&planned.arm.name) {
        let held = &chosen.record.facts.enforcement;
        for (what, held) in [
            ("memory floor", &held.memory_floor),
            ("memory ceiling", &held.memory_ceiling),
            ("CPU floor", &held.cpu_floor),
            ("CPU ceiling", &held.cpu_ceiling),
            ("pids ceiling", &held.pids_ceiling),
            ("kill scope", &held.kill_scope_held),
        ] {
            *words.entry(format!("{what}: {}", held_words(held))).or_insert(0) += 1;
        }
    }
    words
}

/// A promise in words, without the value, which differs by task.
fn held_words(held: &Held) -> String {
    match held {
        Held::ByKernel { knob, .. } => format!("held by the kernel ({knob})"),
        Held::BestEffort { knob, .. } => format!("best effort ({knob})"),
        Held::NotAtAll { why } => format!("not held ({why})"),
        Held::NotAsked => "not asked for".to_owned(),
        Held::Inferred { knob, from, .. } => format!("inferred, not read back ({knob}; {from})"),
        Held::NotKnown { why } => format!("not known ({why})"),
    }
}

/// Requested and effective that differ, in words, with how many trials each.
fn mismatches(table: &Table<'_>, planned: &PlannedArm) -> Vec<String> {
    let mut words: BTreeMap<String, u64> = BTreeMap::new();
    for chosen in table.of_arm(&planned.arm.name) {
        let facts = &chosen.record.facts;
        let Some(allocation) = &facts.allocation else { continue };
        for says in differing(planned, allocation, &facts.enforcement) {
            *words.entry(says).or_insert(0) += 1;
        }
    }
    words.into_iter().map(|(says, trials)| format!("{says} ({trials} trials)")).collect()
}

fn differing(planned: &PlannedArm, allocation: &Allocation, held: &Enforcement) -> Vec<String> {
    let mut says = Vec::new();
    let asked_memory = allocation.memory.ceiling() != Ceiling::Uncapped;
    let asked_cpu = allocation.cpu.ceiling() != Ceiling::Uncapped;
    for (what, asked, held) in [
        ("memory ceiling", asked_memory, &held.memory_ceiling),
        ("CPU ceiling", asked_cpu, &held.cpu_ceiling),
        ("pids ceiling", allocation.pids != Ceiling::Uncapped, &held.pids_ceiling),
        ("storage ceiling", allocation.storage != Ceiling::Uncapped, &held.storage_ceiling),
        ("disk rate", !allocation.disk_rate.is_uncapped(), &held.disk_rate),
    ] {
        match held {
            Held::NotAtAll { why } if asked => says.push(format!("{what} asked for and not held: {why}")),
            Held::NotAsked if asked => says.push(format!("{what} asked for and not held")),
            Held::ByKernel { .. }
            | Held::BestEffort { .. }
            | Held::NotAtAll { .. }
            | Held::NotAsked
            | Held::Inferred { .. }
            | Held::NotKnown { .. } => {}
        }
    }
    if asked_memory && held.kill_scope != planned.arm.kill_scope {
        says.push(format!("kill scope {} asked for, {} held", planned.arm.kill_scope, held.kill_scope));
    }
    says
}

/// The stated or assumed memory spec of a task, in bytes.
pub(crate) fn memory_spec(table: &Table<'_>, task: usize) -> Option<u64> {
    let stated: Stated<_> = table.plan.tasks[task].spec.memory;
    stated.or(table.plan.assume.memory).map(|bytes| bytes.0)
}
