//! What did each arm ask for, and what was held?

use std::collections::BTreeMap;

use infranoise_core::{
    AgentPlacement, Ceiling, Enforcement, Factor, Held, PageCache, PlannedArm, ResourcePolicy, Visible,
};

use crate::doc::{SettingCell, SettingRow};
use crate::table::Table;

/// Reads what was held of a setting.
type HeldOf = fn(&Enforcement) -> &Held;

/// One row for each setting.
pub(crate) fn settings(table: &Table<'_>) -> Vec<SettingRow> {
    let held: [(&str, HeldOf); 6] = [
        ("memory floor", |held| &held.memory_floor),
        ("memory ceiling", |held| &held.memory_ceiling),
        ("CPU floor", |held| &held.cpu_floor),
        ("CPU ceiling", |held| &held.cpu_ceiling),
        ("processes", |held| &held.pids_ceiling),
        ("disk", |held| &held.storage_ceiling),
    ];
    let mut rows: Vec<SettingRow> =
        held.iter().map(|(what, of)| row(table, what, |arm| asked(arm, what), Some(*of))).collect();
    rows.push(row(
        table,
        "kill scope",
        |arm| arm.arm.kill_scope.to_string(),
        Some(|held| &held.kill_scope_held),
    ));
    rows.push(row(table, "time limits", |arm| time(arm.arm.time_limit), None));
    rows.push(row(table, "sees of the machine", visible, None));
    rows.push(row(table, "page cache", page_cache, None));
    rows.push(row(table, "the agent lives", placement, None));
    rows
}

fn row(
    table: &Table<'_>,
    what: &str,
    asked: impl Fn(&PlannedArm) -> String,
    of: Option<HeldOf>,
) -> SettingRow {
    let arms: Vec<SettingCell> = table
        .plan
        .arms
        .iter()
        .map(|arm| {
            let (held, firm) = of.map_or((None, true), |of| held(table, arm, of));
            SettingCell { arm: arm.arm.name.clone(), asked: asked(arm), held, firm }
        })
        .collect();
    let same = arms.windows(2).all(|two| two[0].asked == two[1].asked);
    SettingRow { what: what.to_owned(), arms, same }
}

/// What was held, commonest first, and whether it was held in every trial.
fn held(table: &Table<'_>, arm: &PlannedArm, of: HeldOf) -> (Option<String>, bool) {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for chosen in table.of_arm(&arm.arm.name) {
        let word = match of(&chosen.record.facts.enforcement) {
            Held::ByKernel { .. } => "held",
            Held::BestEffort { .. } => "best effort",
            Held::NotAtAll { .. } => "not held",
            Held::NotAsked => "not asked for",
            Held::Inferred { .. } => "inferred",
            Held::NotKnown { .. } => "not known",
        };
        *counts.entry(word).or_default() += 1;
    }
    let firm = counts.keys().all(|word| matches!(*word, "held" | "not asked for"));
    let mut sorted: Vec<(&str, u64)> = counts.into_iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    // A setting that some tasks do not ask for is held where it is asked for.
    let is_mixed = sorted.len() > 1;
    let words: Vec<&str> =
        sorted.iter().map(|(word, _)| *word).filter(|word| !(is_mixed && *word == "not asked for")).collect();
    ((!words.is_empty()).then(|| words.join(", ")), firm)
}

fn asked(arm: &PlannedArm, what: &str) -> String {
    match &arm.arm.policy {
        ResourcePolicy::Scaled(policy) => match what {
            "memory floor" => policy.memory.floor.to_string(),
            "memory ceiling" => policy.memory.ceiling.to_string(),
            "CPU floor" => policy.cpu.floor.to_string(),
            "CPU ceiling" => policy.cpu.ceiling.to_string(),
            "processes" => policy.pids.to_string(),
            _ => policy.storage.to_string(),
        },
        ResourcePolicy::PerTask(_) => "by task".to_owned(),
        ResourcePolicy::Recorded => "as recorded".to_owned(),
    }
}

fn time(limit: Ceiling<Factor>) -> String {
    match limit {
        Ceiling::At(scale) => scale.to_string(),
        Ceiling::Uncapped => "none".to_owned(),
    }
}

fn visible(arm: &PlannedArm) -> String {
    match arm.arm.visible {
        Visible::Host => "the whole host",
        Visible::Limits => "its limits",
    }
    .to_owned()
}

fn page_cache(arm: &PlannedArm) -> String {
    match arm.arm.page_cache {
        PageCache::AsFound => "as found",
        PageCache::Cold => "cold",
    }
    .to_owned()
}

fn placement(arm: &PlannedArm) -> String {
    match arm.arm.agent_placement {
        AgentPlacement::Inside => "inside the trial",
        AgentPlacement::Beside => "beside it",
    }
    .to_owned()
}
