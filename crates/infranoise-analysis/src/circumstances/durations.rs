//! Do agents end at limits instead of by themselves?

use std::collections::BTreeMap;

use infranoise_core::Phase;

use super::clocks::{at_deadline, length};
use crate::doc::DurationBin;
use crate::table::Table;

/// Bins for each doubling of time.
const PER_DOUBLING: f64 = 4.0;

/// Agent phases and commands in bins of equal ratio, without empty ones at the ends.
pub(crate) fn durations(table: &Table<'_>) -> Vec<DurationBin> {
    let mut bins: BTreeMap<u32, (u64, u64, u64)> = BTreeMap::new();
    for chosen in table.chosen() {
        let facts = &chosen.record.facts;
        let Some(phase) = facts.outcome.phase(Phase::Agent) else { continue };
        let counts = bins.entry(bin(length(phase))).or_default();
        if at_deadline(facts) {
            counts.1 += 1;
        } else {
            counts.0 += 1;
        }
        for exec in facts.outcome.execs.iter().filter(|exec| exec.phase == Phase::Agent) {
            bins.entry(bin(exec.ended_ms.saturating_sub(exec.started_ms))).or_default().2 += 1;
        }
    }
    let (Some(first), Some(last)) = (bins.keys().next().copied(), bins.keys().last().copied()) else {
        return Vec::new();
    };
    (first..=last)
        .map(|at| {
            let (phases, at_deadline, commands) = bins.get(&at).copied().unwrap_or_default();
            DurationBin { from_ms: edge(at), to_ms: edge(at + 1), phases, at_deadline, commands }
        })
        .collect()
}

fn bin(ms: u64) -> u32 {
    ((ms.max(1) as f64).log2() * PER_DOUBLING).floor() as u32
}

fn edge(bin: u32) -> u64 {
    (f64::from(bin) / PER_DOUBLING).exp2().round() as u64
}
