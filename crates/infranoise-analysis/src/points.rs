//! Rows that figures and lists draw.

use std::collections::BTreeMap;

use infranoise_core::{Blame, Cause, Phase, Resource, Shown, TrialRecord};
use infranoise_stats::Grid;

use crate::arms::memory_spec;
use crate::doc::{CauseRow, PeakPoint, StrategyRow, TaskCell, TaskRow, TimelinePoint, TrialRow};
use crate::table::{Table, Tally, memory_ceiling};

/// Task by arm.
pub(crate) fn matrix(table: &Table<'_>, tallies: &Grid<Tally>) -> Vec<TaskRow> {
    let plan = table.plan;
    plan.tasks
        .iter()
        .zip(tallies.rows())
        .enumerate()
        .map(|(place, (task, row))| TaskRow {
            task: task.id.clone(),
            memory_spec_bytes: memory_spec(table, place),
            cells: plan
                .arms
                .iter()
                .zip(row)
                .map(|(arm, tally)| {
                    let records: Vec<&TrialRecord> = (0..plan.repeats)
                        .filter_map(|repeat| table.get(&arm.arm.name, place, repeat))
                        .map(|chosen| chosen.record)
                        .collect();
                    TaskCell {
                        arm: arm.arm.name.clone(),
                        counts: tally.map(),
                        planned: tally.planned(),
                        main_cause: main_cause(&records),
                        peak_bytes: records.iter().filter_map(|record| peak(record)).max(),
                    }
                })
                .collect(),
        })
        .collect()
}

fn main_cause(records: &[&TrialRecord]) -> Option<Cause> {
    let mut counts: BTreeMap<Cause, u32> = BTreeMap::new();
    for record in records.iter().filter(|record| record.classification.blame != Blame::Nobody) {
        *counts.entry(record.classification.cause).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(cause, _)| cause)
}

fn peak(record: &TrialRecord) -> Option<u64> {
    record.facts.telemetry.memory_peak_bytes.value().map(|bytes| bytes.0)
}

/// What ended trials, by arm; commonest first within an arm.
pub(crate) fn causes(table: &Table<'_>) -> Vec<CauseRow> {
    type Key = (usize, Shown, Blame, Cause, Option<Phase>);
    let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
    for chosen in table.chosen() {
        let verdict = &chosen.record.classification;
        let arm = place(table, chosen.record);
        *counts.entry((arm, chosen.shown(), verdict.blame, verdict.cause, verdict.phase)).or_default() += 1;
    }
    let mut rows: Vec<(Key, u64)> = counts.into_iter().collect();
    rows.sort_by_key(|((arm, shown, ..), count)| (*arm, *shown, u64::MAX - count));
    rows.into_iter()
        .map(|((arm, shown, blame, cause, phase), count)| CauseRow {
            arm: table.plan.arms[arm].arm.name.clone(),
            shown,
            blame,
            cause,
            phase,
            count,
        })
        .collect()
}

fn place(table: &Table<'_>, record: &TrialRecord) -> usize {
    table.plan.arms.iter().position(|arm| arm.arm.name == record.facts.key.arm).unwrap_or(0)
}

/// Memory peaks, one per trial whose agent started.
pub(crate) fn peaks(table: &Table<'_>) -> Vec<PeakPoint> {
    table
        .chosen()
        .filter(|chosen| chosen.record.facts.outcome.agent_started())
        .map(|chosen| {
            let facts = &chosen.record.facts;
            let spec = facts.spec.memory.or(table.plan.assume.memory);
            PeakPoint {
                trial: facts.key.folder(),
                task: facts.key.task.clone(),
                arm: facts.key.arm.clone(),
                shown: chosen.shown(),
                spec_bytes: spec.map(|bytes| bytes.0),
                ceiling_bytes: facts
                    .allocation
                    .and_then(|allocation| allocation.memory.ceiling().amount())
                    .map(|b| b.0),
                peak_bytes: peak(chosen.record),
                nonreclaimable_bytes: facts.telemetry.nonreclaimable_peak_bytes.value().map(|b| b.0),
                censored: memory_ceiling(chosen.record) || killed_at_ceiling(chosen.record),
            }
        })
        .collect()
}

/// Whether something of the trial was killed at its own ceiling, survived or not: its demand is then at least the peak.
fn killed_at_ceiling(record: &TrialRecord) -> bool {
    use infranoise_core::{OomScope, ResourceEventKind};
    record
        .facts
        .outcome
        .events
        .iter()
        .any(|event| matches!(event.kind, ResourceEventKind::OomKill { scope: OomScope::Own, .. }))
}

/// Trials on the clock, in order of their start.
pub(crate) fn timeline(table: &Table<'_>) -> Vec<TimelinePoint> {
    let known = table.chosen().filter_map(|chosen| chosen.record.facts.started_at().or(None));
    let first = known.min().unwrap_or(0);
    let mut points: Vec<TimelinePoint> = table
        .chosen()
        // What has no place on the clock is not drawn at its beginning.
        .filter(|chosen| chosen.record.facts.started_at().or(None).is_some())
        .map(|chosen| {
            let facts = &chosen.record.facts;
            let start_ms = facts.started_at_ms.saturating_sub(first);
            TimelinePoint {
                trial: facts.key.folder(),
                position: facts.position,
                arm: facts.key.arm.clone(),
                task: facts.key.task.clone(),
                shown: chosen.shown(),
                start_ms,
                end_ms: start_ms.saturating_add(facts.wall_ms),
                host_cpu_pressure: facts.host.cpu_pressure_share.value().copied(),
                host_memory_pressure: facts.host.memory_pressure_share.value().copied(),
            }
        })
        .collect();
    points.sort_by_key(|point| (point.start_ms, point.position));
    points
}

/// What agents did, by arm and by their own names for it.
pub(crate) fn strategies(table: &Table<'_>) -> Vec<StrategyRow> {
    let mut rows: BTreeMap<(usize, String), StrategyRow> = BTreeMap::new();
    for chosen in table.chosen().filter(|chosen| !chosen.record.facts.strategy.named.is_empty()) {
        let facts = &chosen.record.facts;
        let strategy = facts.strategy.named.join(" > ");
        let row = rows.entry((place(table, chosen.record), strategy.clone())).or_insert_with(|| {
            StrategyRow { arm: facts.key.arm.clone(), strategy, trials: 0, passed: 0, ceiling: 0 }
        });
        row.trials += 1;
        row.passed += u64::from(chosen.shown() == Shown::Pass);
        row.ceiling += u64::from(chosen.shown() == Shown::Ceiling);
    }
    rows.into_values().collect()
}

/// One line per trial, in the order of execution.
pub(crate) fn trials(table: &Table<'_>) -> Vec<TrialRow> {
    let loosest = table.plan.arms.last();
    let mut rows: Vec<(u64, TrialRow)> = table
        .chosen()
        .map(|chosen| {
            let facts = &chosen.record.facts;
            let verdict = &chosen.record.classification;
            let task = table.plan.tasks.iter().position(|task| task.id == facts.key.task);
            let pair = loosest
                .filter(|arm| arm.arm.name != facts.key.arm)
                .zip(task)
                .and_then(|(arm, task)| table.get(&arm.arm.name, task, facts.key.repeat));
            let row = TrialRow {
                trial: facts.key.folder(),
                task: facts.key.task.clone(),
                arm: facts.key.arm.clone(),
                repeat: facts.key.repeat,
                attempt: facts.attempt.0,
                attempts: chosen.attempts,
                shown: chosen.shown(),
                blame: verdict.blame,
                cause: verdict.cause,
                phase: verdict.phase,
                rule: verdict.rule.0.clone(),
                evidence: verdict
                    .evidence
                    .iter()
                    .map(|piece| format!("{}: {} ({})", piece.source, piece.reading, piece.says))
                    .collect(),
                survived: verdict.survived.clone(),
                wall_ms: facts.wall_ms,
                peak_bytes: peak(chosen.record),
                pair_in_loosest: pair.map(|pair| pair.shown()),
            };
            (facts.position, row)
        })
        .collect();
    rows.sort_by_key(|(position, _)| *position);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Whether any trial was ended by a ceiling other than memory's.
pub(crate) fn other_ceilings(table: &Table<'_>) -> Vec<(Resource, u64)> {
    let mut counts: BTreeMap<Resource, u64> = BTreeMap::new();
    for chosen in table.chosen() {
        if let Blame::Ceiling { resource } = chosen.record.classification.blame {
            *counts.entry(resource).or_default() += 1;
        }
    }
    counts.into_iter().collect()
}
