//! Incidents: infra errors that came together, in cause and in time.

use std::collections::BTreeSet;

use infranoise_core::{ArmId, Cause, Plan, Shown, TrialKey, TrialRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Errors of one cause in one result belong to one incident if no more than this lies between them.
const GAP_MS: u64 = 10 * 60 * 1000;

/// Some infra errors that came together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Incident {
    /// The result.
    pub result: ArmId,
    /// What happened.
    pub cause: Cause,
    /// When the first of its trials began, in milliseconds since 1970 (UTC).
    pub from_ms: u64,
    /// When the last of its trials began, in milliseconds since 1970 (UTC).
    pub to_ms: u64,
    /// Its trials, by folder name.
    pub trials: Vec<String>,
}

/// Groups infra errors; largest first.
pub(super) fn incidents(records: &[TrialRecord]) -> Vec<Incident> {
    let mut errors: Vec<&TrialRecord> = records
        .iter()
        .filter(|record| matches!(Shown::of(record), Shown::Ceiling | Shown::Fault | Shown::NotStarted))
        .collect();
    errors.sort_by_key(|record| {
        (record.facts.key.arm.clone(), record.classification.cause, record.facts.started_at_ms)
    });
    let mut incidents: Vec<Incident> = Vec::new();
    for record in errors {
        // Without a moment nobody can say that errors came together.
        let Some(at) = record.facts.started_at().or(None) else { continue };
        let (result, cause) = (&record.facts.key.arm, record.classification.cause);
        let name = record.facts.key.folder();
        match incidents.last_mut() {
            Some(open)
                if &open.result == result
                    && open.cause == cause
                    && at.saturating_sub(open.to_ms) <= GAP_MS =>
            {
                open.to_ms = at;
                open.trials.push(name);
            }
            Some(_) | None => incidents.push(Incident {
                result: result.clone(),
                cause,
                from_ms: at,
                to_ms: at,
                trials: vec![name],
            }),
        }
    }
    incidents.sort_by_key(|incident| std::cmp::Reverse(incident.trials.len()));
    incidents
}

/// Plan and records as if the trials of the largest incident had never been planned, if that one is more than a single trial.
pub(super) fn without_largest(
    plan: &Plan,
    records: &[TrialRecord],
    incidents: &[Incident],
) -> Option<(Plan, Vec<TrialRecord>)> {
    let largest = incidents.first().filter(|incident| incident.trials.len() > 1)?;
    let dropped: BTreeSet<&str> = largest.trials.iter().map(String::as_str).collect();
    let mut plan = plan.clone();
    let held = &mut plan.imported.as_mut()?.arms.get_mut(&largest.result)?.repeats;
    let mut kept = Vec::with_capacity(records.len());
    for record in records {
        let key = &record.facts.key;
        if key.arm != largest.result {
            kept.push(record.clone());
            continue;
        }
        if dropped.contains(key.folder().as_str()) {
            if let Some(repeats) = held.get_mut(&key.task) {
                *repeats = repeats.saturating_sub(1);
            }
            continue;
        }
        // What stays moves up, so that no hole is taken for a trial without a record.
        let gone = |repeat: u32| dropped.contains(TrialKey { repeat, ..key.clone() }.folder().as_str());
        let mut record = record.clone();
        record.facts.key.repeat -= (0..key.repeat).filter(|repeat| gone(*repeat)).count() as u32;
        kept.push(record);
    }
    Some((plan, kept))
}
