//! Balance: are arms confounded with host, hour, concurrency, order or pressure?
//!
//! Arms of a sweep are shuffled within blocks, so these should not differ between arms but by chance. For numbers the imbalance is the
//! largest difference of arm means in pooled standard deviations; for categories the largest difference of shares. Above a quarter, and
//! more than two standard errors, the arm cannot be told from the circumstance (Austin 2009 calls a tenth already worth a look).

use std::collections::BTreeMap;

use infranoise_core::{ArmId, Facts};

use crate::doc::BalanceRow;
use crate::table::Table;

const CONFOUNDED: f64 = 0.25;
const HOUR_MS: u64 = 60 * 60 * 1000;

/// Reads a circumstance of one trial, where it was recorded.
type Reading = fn(&Facts) -> Option<f64>;

/// One row for each circumstance that was recorded.
pub(crate) fn balance(table: &Table<'_>) -> Vec<BalanceRow> {
    if table.plan.arms.len() < 2 {
        return Vec::new();
    }
    let numbers: [(&str, Reading); 4] = [
        ("order", |facts| Some(facts.position as f64)),
        ("start, hours after the first", |facts| {
            facts.started_at().or(None).map(|at| at as f64 / HOUR_MS as f64)
        }),
        ("trials at once", |facts| {
            (facts.host.concurrent_trials > 0).then_some(f64::from(facts.host.concurrent_trials))
        }),
        ("host CPU pressure, share of the time", |facts| facts.host.cpu_pressure_share.value().copied()),
    ];
    // The order of imported trials is that of reading, and their moments are those that a source may not state.
    let imported = table.plan.imported.is_some();
    let mut rows: Vec<BalanceRow> = numbers
        .iter()
        .filter(|(what, _)| !(imported && *what == "order"))
        .filter_map(|(what, of)| number(table, what, *of))
        .collect();
    rows.extend(category(table, "engine", |facts| facts.engine.clone()));
    rows
}

fn by_arm<T>(table: &Table<'_>, of: impl Fn(&Facts) -> Option<T>) -> Vec<(ArmId, Vec<T>)> {
    let arms = table.plan.arms.iter().map(|arm| arm.arm.name.clone());
    arms.map(|arm| {
        let values = table.of_arm(&arm).filter_map(|chosen| of(&chosen.record.facts)).collect();
        (arm, values)
    })
    .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn number(table: &Table<'_>, what: &str, of: Reading) -> Option<BalanceRow> {
    let arms = by_arm(table, of);
    if arms.iter().any(|(_, values)| values.len() < 2) {
        return None;
    }
    let first = arms.iter().flat_map(|(_, values)| values).copied().fold(f64::INFINITY, f64::min);
    let shift = if what.starts_with("start") { first } else { 0.0 };
    let means: Vec<f64> = arms.iter().map(|(_, values)| mean(values) - shift).collect();
    let within: f64 = arms
        .iter()
        .map(|(_, values)| {
            let centre = mean(values);
            values.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64
        })
        .sum::<f64>()
        / arms.len() as f64;
    let (low, high) = extremes(&means)?;
    let spread = within.sqrt();
    let distance = means[high] - means[low];
    let imbalance = if spread > 0.0 {
        distance / spread
    } else if distance > 0.0 {
        f64::MAX
    } else {
        0.0
    };
    let smallest = arms.iter().map(|(_, values)| values.len()).min().unwrap_or(1) as f64;
    let by_chance = 2.0 * (2.0 / smallest).sqrt();
    let confounded = imbalance > CONFOUNDED && imbalance > by_chance;
    let named = arms.iter().zip(&means).map(|((arm, _), mean)| (arm.clone(), format!("{mean:.2}")));
    Some(BalanceRow {
        what: what.to_owned(),
        says: says(what, &arms[low].0, &arms[high].0, confounded),
        by_arm: named.collect(),
        imbalance,
        confounded,
    })
}

/// The places of the smallest and the largest value.
fn extremes(values: &[f64]) -> Option<(usize, usize)> {
    let place = |best: fn(f64, f64) -> bool| {
        (0..values.len()).reduce(|a, b| if best(values[b], values[a]) { b } else { a })
    };
    Some((place(|a, b| a < b)?, place(|a, b| a > b)?))
}

fn category(table: &Table<'_>, what: &str, of: impl Fn(&Facts) -> String) -> Option<BalanceRow> {
    let arms = by_arm(table, |facts| Some(of(facts)).filter(|value| !value.is_empty()));
    if arms.iter().any(|(_, values)| values.is_empty()) {
        return None;
    }
    let shares: Vec<BTreeMap<&str, f64>> = arms
        .iter()
        .map(|(_, values)| {
            let mut shares = BTreeMap::new();
            for value in values {
                *shares.entry(value.as_str()).or_insert(0.0) += 1.0 / values.len() as f64;
            }
            shares
        })
        .collect();
    let names: std::collections::BTreeSet<&str> = shares.iter().flat_map(|s| s.keys().copied()).collect();
    let imbalance = names
        .iter()
        .map(|name| {
            let own: Vec<f64> = shares.iter().map(|s| s.get(name).copied().unwrap_or(0.0)).collect();
            extremes(&own).map_or(0.0, |(low, high)| own[high] - own[low])
        })
        .fold(0.0, f64::max);
    let confounded = imbalance > CONFOUNDED;
    let (first, last) = (&arms.first()?.0, &arms.last()?.0);
    let words = arms.iter().zip(&shares).map(|((arm, _), shares)| {
        let parts: Vec<String> =
            shares.iter().map(|(name, share)| format!("{name} {:.0} %", share * 100.0)).collect();
        (arm.clone(), parts.join(", "))
    });
    Some(BalanceRow {
        what: what.to_owned(),
        says: says(what, first, last, confounded),
        by_arm: words.collect(),
        imbalance,
        confounded,
    })
}

fn says(what: &str, low: &ArmId, high: &ArmId, confounded: bool) -> String {
    if confounded {
        format!(
            "{what} differs between {low} and {high}: what it does to scores cannot be told from what the arm does"
        )
    } else {
        format!("{what} does not differ between arms by more than chance and a quarter of its spread")
    }
}
