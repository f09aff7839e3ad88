//! Do the hour of the day and the number of trials at once move success and infra errors?

use std::collections::BTreeMap;

use infranoise_core::{Facts, Shown};
use infranoise_stats::rate::wilson;

use crate::arms::{LEVEL, kills_observable};
use crate::doc::GroupRow;
use crate::table::Table;

const HOUR_MS: u64 = 60 * 60 * 1000;

/// Trials by the hour of the day at their start.
pub(crate) fn hours(table: &Table<'_>) -> Vec<GroupRow> {
    let is_dated = |facts: &Facts| facts.started_at_ms >= 24 * HOUR_MS;
    groups(table, |facts| is_dated(facts).then_some((facts.started_at_ms / HOUR_MS % 24) as u32))
}

/// Trials by how many ran at once.
pub(crate) fn concurrency(table: &Table<'_>) -> Vec<GroupRow> {
    groups(table, |facts| (facts.host.concurrent_trials > 0).then_some(facts.host.concurrent_trials))
}

#[derive(Default)]
struct Counts {
    trials: u64,
    passed: u64,
    infra: u64,
}

fn groups(table: &Table<'_>, of: impl Fn(&Facts) -> Option<u32>) -> Vec<GroupRow> {
    let mut groups: BTreeMap<u32, Counts> = BTreeMap::new();
    for chosen in table.chosen().filter(|chosen| chosen.record.facts.outcome.agent_started()) {
        let Some(at) = of(&chosen.record.facts) else { continue };
        let counts = groups.entry(at).or_default();
        counts.trials += 1;
        match chosen.shown() {
            Shown::Pass => counts.passed += 1,
            Shown::Ceiling | Shown::Fault => counts.infra += 1,
            Shown::Fail | Shown::Undetermined | Shown::NotStarted => {}
        }
    }
    let is_seen = kills_observable(table);
    groups
        .into_iter()
        .map(|(at, counts)| GroupRow {
            at,
            trials: counts.trials,
            passed: wilson(counts.passed, counts.trials, LEVEL).ok(),
            infra_errors: wilson(counts.infra, counts.trials, LEVEL).ok().filter(|_| is_seen),
        })
        .collect()
}
