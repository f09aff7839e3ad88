//! How do throttling and traffic spread over trials, by arm?

use infranoise_core::{Facts, Phase, Shown};

use super::clocks::length;
use crate::doc::SpreadRow;
use crate::table::{Chosen, Table};

/// The quantile of the normal distribution for 95 % intervals.
const Z: f64 = 1.959_963_984_540_054;

/// Share of the agent phase that was throttled, by arm and by whether the trial passed.
pub(crate) fn throttling(table: &Table<'_>) -> Vec<SpreadRow> {
    let share = |facts: &Facts| {
        let phase = length(facts.outcome.phase(Phase::Agent)?) as f64 * 1000.0;
        let throttled = *facts.telemetry.agent_throttled_us.value()? as f64;
        (phase > 0.0).then_some(throttled / phase)
    };
    [true, false].into_iter().flat_map(|passed| spreads(table, Some(passed), &share)).collect()
}

/// Bytes that trials received.
pub(crate) fn received(table: &Table<'_>) -> Vec<SpreadRow> {
    spreads(table, None, &|facts| facts.telemetry.network_received_bytes.value().map(|bytes| *bytes as f64))
}

/// Bytes that trials sent.
pub(crate) fn sent(table: &Table<'_>) -> Vec<SpreadRow> {
    spreads(table, None, &|facts| facts.telemetry.network_sent_bytes.value().map(|bytes| *bytes as f64))
}

/// One row for each arm; none at all where no trial has the measurement.
fn spreads(table: &Table<'_>, passed: Option<bool>, of: &dyn Fn(&Facts) -> Option<f64>) -> Vec<SpreadRow> {
    let belongs = |chosen: &&Chosen<'_>| {
        chosen.record.facts.outcome.agent_started()
            && passed.is_none_or(|passed| (chosen.shown() == Shown::Pass) == passed)
    };
    let rows: Vec<SpreadRow> = table
        .plan
        .arms
        .iter()
        .map(|arm| {
            let all: Vec<Option<f64>> =
                table.of_arm(&arm.arm.name).filter(belongs).map(|chosen| of(&chosen.record.facts)).collect();
            let mut seen: Vec<f64> = all.iter().flatten().copied().collect();
            seen.sort_by(f64::total_cmp);
            SpreadRow {
                arm: arm.arm.name.clone(),
                passed,
                n: seen.len() as u64,
                not_observed: (all.len() - seen.len()) as u64,
                five: five(&seen),
                median_interval: median_interval(&seen),
            }
        })
        .collect();
    if rows.iter().any(|row| row.n > 0) { rows } else { Vec::new() }
}

fn five(sorted: &[f64]) -> Option<[f64; 5]> {
    if sorted.is_empty() {
        return None;
    }
    let last = sorted.len() - 1;
    Some([0.0, 0.25, 0.5, 0.75, 1.0].map(|share| sorted[(share * last as f64).round() as usize]))
}

/// Order statistics that hold the median with about 95 % probability (normal approximation of the binomial).
fn median_interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let n = sorted.len() as f64;
    let half = Z * n.sqrt() / 2.0;
    let low = (n / 2.0 - half).floor();
    let high = (n / 2.0 + half).ceil();
    if sorted.len() < 6 || low < 0.0 || high >= n {
        return None;
    }
    Some((sorted[low as usize], sorted[high as usize]))
}
