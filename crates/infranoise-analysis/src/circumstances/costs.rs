//! What did each arm cost?

use infranoise_core::Facts;

use crate::doc::CostRow;
use crate::table::Table;

const HOUR_MS: f64 = 3_600_000.0;
const GIB: f64 = (1u64 << 30) as f64;

/// One row for each arm with a trial.
pub(crate) fn costs(table: &Table<'_>) -> Vec<CostRow> {
    let mut rows = Vec::new();
    for planned in &table.plan.arms {
        let facts: Vec<&Facts> = table.of_arm(&planned.arm.name).map(|chosen| &chosen.record.facts).collect();
        if facts.is_empty() {
            continue;
        }
        let hours = |facts: &Facts| facts.wall_ms as f64 / HOUR_MS;
        let prices: Vec<f64> =
            facts.iter().filter_map(|facts| facts.usage.cost_usd.value().copied()).collect();
        rows.push(CostRow {
            arm: planned.arm.name.clone(),
            trials: facts.len() as u64,
            trial_hours: facts.iter().map(|facts| hours(facts)).sum(),
            floor_gib_hours: sum(&facts, |facts| {
                Some(facts.allocation.as_ref()?.memory.floor().0 as f64 / GIB * hours(facts))
            }),
            peak_gib_hours: sum(&facts, |facts| {
                Some(facts.telemetry.memory_peak_bytes.value()?.0 as f64 / GIB * hours(facts))
            }),
            cpu_hours: sum(&facts, |facts| Some(*facts.telemetry.cpu_us.value()? as f64 / 1000.0 / HOUR_MS)),
            tokens: tokens(&facts),
            dollars: (!prices.is_empty()).then(|| (prices.iter().sum(), prices.len() as u64)),
        });
    }
    rows
}

/// A sum over the trials that say theirs; absent where fewer than nine in ten do, since a sum of some is no sum.
fn sum(facts: &[&Facts], of: impl Fn(&Facts) -> Option<f64>) -> Option<f64> {
    let seen: Vec<f64> = facts.iter().filter_map(|facts| of(facts)).collect();
    (seen.len() * 10 >= facts.len() * 9).then(|| seen.iter().sum())
}

fn tokens(facts: &[&Facts]) -> Option<(u64, u64)> {
    let pairs: Vec<(u64, u64)> = facts
        .iter()
        .filter_map(|facts| Some((*facts.usage.tokens_in.value()?, *facts.usage.tokens_out.value()?)))
        .collect();
    let all = pairs
        .iter()
        .fold((0u64, 0u64), |sum, one| (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1)));
    (!pairs.is_empty()).then_some(all)
}
