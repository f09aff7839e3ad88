//! Where did the time go?

use std::collections::BTreeMap;

use infranoise_core::{Facts, Phase, PhaseRecord, Shown, Stop};

use crate::doc::ClockRow;
use crate::table::Table;

/// The quantile of the normal distribution for 95 % intervals.
const Z: f64 = 1.959_963_984_540_054;

/// One row for each arm with a trial.
pub(crate) fn clocks(table: &Table<'_>) -> Vec<ClockRow> {
    let mut rows = Vec::new();
    for planned in &table.plan.arms {
        let trials: Vec<(&Facts, Shown)> =
            table.of_arm(&planned.arm.name).map(|chosen| (&chosen.record.facts, chosen.shown())).collect();
        if trials.is_empty() {
            continue;
        }
        let count = trials.len() as f64;
        let mut phases_ms: BTreeMap<Phase, f64> = BTreeMap::new();
        for phase in trials.iter().flat_map(|(facts, _)| &facts.outcome.phases) {
            *phases_ms.entry(phase.phase).or_default() += length(phase) as f64 / count;
        }
        let late = || trials.iter().filter(|(facts, _)| at_deadline(facts));
        let walls: Vec<f64> = trials.iter().map(|(facts, _)| facts.wall_ms as f64).collect();
        rows.push(ClockRow {
            arm: planned.arm.name.clone(),
            trials: trials.len() as u64,
            wall_ms: mean(&walls),
            wall_interval_ms: interval(&walls),
            phases_ms,
            agent_idle_ms: idle(&trials),
            timed_out: late().count() as u64,
            timed_out_passed: late().filter(|(_, shown)| *shown == Shown::Pass).count() as u64,
        });
    }
    rows
}

/// How long a phase took, in milliseconds.
pub(super) fn length(phase: &PhaseRecord) -> u64 {
    phase.ended_ms.saturating_sub(phase.started_ms)
}

/// Whether the agent ran into its time limit.
pub(super) fn at_deadline(facts: &Facts) -> bool {
    facts.outcome.phase(Phase::Agent).is_some_and(|phase| matches!(phase.stop, Stop::Deadline { .. }))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn interval(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let (centre, count) = (mean(values), values.len() as f64);
    let variance = values.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / (count - 1.0);
    let half = Z * (variance / count).sqrt();
    Some(((centre - half).max(0.0), centre + half))
}

/// Mean time inside agent phases in which no command ran. An agent that is itself one single command leaves none: then nothing is said.
fn idle(trials: &[(&Facts, Shown)]) -> Option<f64> {
    let mut gaps = Vec::new();
    for (facts, _) in trials {
        let Some(phase) = facts.outcome.phase(Phase::Agent) else { continue };
        let mut spans: Vec<(u64, u64)> = facts
            .outcome
            .execs
            .iter()
            .filter(|exec| exec.phase == Phase::Agent)
            .map(|exec| (exec.started_ms.max(phase.started_ms), exec.ended_ms.min(phase.ended_ms)))
            .collect();
        if spans.len() < 2 {
            continue;
        }
        spans.sort_unstable();
        let mut busy = 0;
        let mut until = phase.started_ms;
        for (from, to) in spans {
            busy += to.saturating_sub(from.max(until));
            until = until.max(to);
        }
        gaps.push(length(phase).saturating_sub(busy) as f64);
    }
    // A mean over all trials, as the phases are, so that the part can be drawn inside the whole.
    (gaps.len() * 2 > trials.len()).then(|| gaps.iter().sum::<f64>() / trials.len() as f64)
}
