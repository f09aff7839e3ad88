//! The difference card: what two results have in common, row by row, and what that means for a comparison.

use std::collections::{BTreeMap, BTreeSet};

use infranoise_core::{Allocation, Ceiling, Factor, Provenance, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combine::arm_of;
use super::{CombineError, Side};
use crate::design::InfraAssumption;

/// Whether a row is the same in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Same {
    /// The same.
    Same,
    /// Different.
    Different,
    /// One of them does not say.
    Unknown,
}

/// What a difference in a row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// It is what is compared (agent, model).
    Subject,
    /// It is good to know.
    Note,
    /// It may shift scores by itself: the noise floor widens.
    Infra,
    /// The results are about different things.
    Task,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardRow {
    /// What is looked at.
    pub what: String,
    /// The base's value, in words.
    pub base: String,
    /// The other's value, in words.
    pub other: String,
    /// Whether they are the same.
    pub same: Same,
    /// What a difference means.
    pub weight: Weight,
}

/// The card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Card {
    /// Its rows.
    pub rows: Vec<CardRow>,
    /// Tasks that both have.
    pub common_tasks: u64,
    /// Whether the two can be compared at all.
    pub comparable: bool,
    /// Why not, or with what reservations.
    pub reservations: Vec<String>,
    /// The largest headroom of either, where both are known.
    pub largest_headroom: Option<f64>,
}

impl Card {
    /// What should be assumed of infrastructure, given the rows.
    #[must_use]
    pub fn suggests(&self) -> InfraAssumption {
        let infra = || self.rows.iter().filter(|row| row.weight == Weight::Infra);
        if infra().all(|row| row.same == Same::Same) {
            return InfraAssumption::Matched;
        }
        let known = infra().all(|row| row.same != Same::Unknown);
        match self.largest_headroom {
            Some(headroom) if known && headroom <= 3.0 => InfraAssumption::WithinThreeTimes,
            Some(_) | None => InfraAssumption::Unknown,
        }
    }
}

fn row(what: &str, weight: Weight, base: Option<String>, other: Option<String>) -> CardRow {
    let same = match (&base, &other) {
        (Some(a), Some(b)) if a == b => Same::Same,
        (Some(_), Some(_)) => Same::Different,
        _ => Same::Unknown,
    };
    let said = |value: Option<String>| value.unwrap_or_else(|| "not known".to_owned());
    CardRow { what: what.to_owned(), base: said(base), other: said(other), same, weight }
}

/// Compares two results' circumstances.
pub(super) fn card(base: &Side<'_>, other: &Side<'_>) -> Result<Card, CombineError> {
    arm_of(base)?;
    arm_of(other)?;
    let (digests, common, changed) = tasks(base, other);
    let mut rows = vec![digests];
    let pair =
        |what: &str, weight, of: &dyn Fn(&Side<'_>) -> Option<String>| row(what, weight, of(base), of(other));
    rows.push(pair("agent", Weight::Subject, &|side| Some(side.plan.subject_of(&side.arm).agent.clone())));
    rows.push(pair("model", Weight::Subject, &|side| {
        Some(side.plan.subject_of(&side.arm).model.clone().unwrap_or_else(|| "none".to_owned()))
    }));
    rows.push(pair("memory (of the task spec)", Weight::Infra, &|side| each(side, memory)));
    rows.push(pair("CPU", Weight::Infra, &|side| each(side, cpu)));
    rows.push(pair("time limits of the agent", Weight::Infra, &|side| each(side, time)));
    rows.push(pair("kill scope", Weight::Infra, &kill_scope));
    rows.push(pair("limits known by", Weight::Note, &provenance));
    rows.push(pair("engine", Weight::Infra, &|side| distinct(side, |facts| Some(facts.engine.clone()))));
    rows.push(pair("trials at once", Weight::Note, &|side| {
        let most = side.records.iter().map(|record| record.facts.host.concurrent_trials).max();
        most.filter(|most| *most > 0).map(|most| most.to_string())
    }));
    rows.push(pair("host", Weight::Note, &host));
    rows.push(pair("made by", Weight::Note, &|side| Some(side.plan.made_by.clone())));
    rows.push(pair("repeats", Weight::Note, &|side| Some(side.plan.repeats.to_string())));
    let headroom = |side: &Side<'_>| largest_headroom(side);
    let mut reservations = Vec::new();
    if common == 0 {
        reservations.push("they have no task in common".to_owned());
    }
    if changed > 0 {
        reservations.push(format!(
            "{changed} tasks of the same name have other files: another version of the benchmark"
        ));
    }
    let infra = rows.iter().filter(|row| row.weight == Weight::Infra && row.same != Same::Same);
    for row in infra.filter(|_| !super::same_sweep(base, other)) {
        let how = if row.same == Same::Different { "not the same" } else { "not known of both" };
        reservations.push(format!("{how}: {}", row.what));
    }
    Ok(Card {
        comparable: common > 0 && changed * 2 <= common,
        common_tasks: common,
        reservations,
        largest_headroom: headroom(base).zip(headroom(other)).map(|(a, b)| a.max(b)),
        rows,
    })
}

/// The tasks' row, how many are common, and how many of those have other files.
fn tasks(base: &Side<'_>, other: &Side<'_>) -> (CardRow, u64, u64) {
    let digests = |side: &Side<'_>| -> BTreeMap<TaskId, String> {
        let held = side.plan.tasks.iter().filter(|task| side.plan.repeats_of(&side.arm, &task.id) > 0);
        held.map(|task| (task.id.clone(), task.digest.clone())).collect()
    };
    let (a, b) = (digests(base), digests(other));
    let common: Vec<&TaskId> = a.keys().filter(|task| b.contains_key(*task)).collect();
    let changed =
        common.iter().filter(|task| !a[**task].is_empty() && !b[**task].is_empty() && a[**task] != b[**task]);
    let changed = changed.count() as u64;
    let said =
        |own: &BTreeMap<TaskId, String>| Some(format!("{} tasks, {} in common", own.len(), common.len()));
    let mut made = row("tasks", Weight::Task, said(&a), said(&b));
    if changed > 0 {
        made.other = format!("{}, {changed} with other files", made.other);
        made.same = Same::Different;
    }
    (made, common.len() as u64, changed)
}

/// The values of something over a side's trials, each with how often, if there are few; else how many.
fn each(
    side: &Side<'_>,
    of: fn(&Side<'_>, &Allocation, &infranoise_core::TaskSpec) -> Option<String>,
) -> Option<String> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for record in side.records.iter().filter(|record| record.facts.key.arm == side.arm) {
        let allocation = record.facts.allocation.as_ref()?;
        seen.insert(of(side, allocation, &record.facts.spec)?);
    }
    said(seen)
}

fn said(seen: BTreeSet<String>) -> Option<String> {
    match seen.len() {
        0 => None,
        1..=4 => Some(seen.into_iter().collect::<Vec<_>>().join(", ")),
        many => Some(format!("{many} values from {} to {}", seen.first()?, seen.last()?)),
    }
}

fn memory(side: &Side<'_>, allocation: &Allocation, spec: &infranoise_core::TaskSpec) -> Option<String> {
    let spec = spec.memory.or(side.plan.assume.memory)?;
    let floor = Factor::ratio(allocation.memory.floor().0, spec.0)?;
    let ceiling = allocation.memory.ceiling().amount().map(|at| Factor::ratio(at.0, spec.0));
    Some(match ceiling {
        Some(ceiling) => format!("{floor} to {}", ceiling?),
        None => format!("{floor} to uncapped"),
    })
}

fn cpu(_: &Side<'_>, allocation: &Allocation, _: &infranoise_core::TaskSpec) -> Option<String> {
    Some(format!("{} to {}", allocation.cpu.floor(), allocation.cpu.ceiling()))
}

fn time(_: &Side<'_>, allocation: &Allocation, spec: &infranoise_core::TaskSpec) -> Option<String> {
    Some(match (allocation.time.agent_ms, spec.agent_limit_ms.or(None)) {
        (Ceiling::At(limit), Some(spec)) => Factor::ratio(limit, spec)?.to_string(),
        (Ceiling::At(limit), None) => format!("{} s", limit / 1000),
        (Ceiling::Uncapped, _) => "unlimited".to_owned(),
    })
}

fn largest_headroom(side: &Side<'_>) -> Option<f64> {
    let mut largest: f64 = 0.0;
    for record in side.records.iter().filter(|record| record.facts.key.arm == side.arm) {
        let spec = record.facts.spec.memory.or(side.plan.assume.memory)?;
        let ceiling = record.facts.allocation?.memory.ceiling().amount()?;
        largest = largest.max(ceiling.0 as f64 / spec.0.max(1) as f64);
    }
    (largest > 0.0).then_some(largest)
}

fn distinct(side: &Side<'_>, of: impl Fn(&infranoise_core::Facts) -> Option<String>) -> Option<String> {
    let records = side.records.iter().filter(|record| record.facts.key.arm == side.arm);
    said(records.filter_map(|record| of(&record.facts)).filter(|value| !value.is_empty()).collect())
}

fn kill_scope(side: &Side<'_>) -> Option<String> {
    if largest_headroom(side).is_none() && side.plan.imported.is_none() {
        return Some("nothing is cut off".to_owned());
    }
    if side.plan.imported.is_some() {
        return None;
    }
    distinct(side, |facts| Some(facts.enforcement.kill_scope.to_string()))
}

fn provenance(side: &Side<'_>) -> Option<String> {
    distinct(side, |facts| {
        Some(
            match facts.provenance {
                Provenance::Enforced => "set and read back",
                Provenance::Declared => "declared by the source",
                Provenance::Inferred => "inferred",
                Provenance::Unknown => return None,
            }
            .to_owned(),
        )
    })
}

fn host(side: &Side<'_>) -> Option<String> {
    if side.plan.imported.is_some() {
        return None;
    }
    let host = &side.plan.host;
    let cpu = host.cpu_model.value().cloned().unwrap_or_else(|| "unknown processor".to_owned());
    Some(format!("{} x {cpu}, {}, Linux {}", host.cpus, host.memory_bytes, host.kernel))
}
