//! What floor and ceiling does each task seem to need?
//!
//! A first answer from what trials took, by a plain rule; whether scores at such a floor and ceiling are the same is another question,
//! which only trials at both can answer.

use std::collections::BTreeMap;

use infranoise_core::TaskId;

use crate::arms::memory_spec;
use crate::doc::{NeedRow, PeakPoint};
use crate::points;
use crate::table::Table;

/// Amounts are rounded up to this.
const STEP_BYTES: u64 = 1 << 20;

/// One row for each task with a peak, in the plan's order.
pub(crate) fn needs(table: &Table<'_>) -> Vec<NeedRow> {
    let points = points::peaks(table);
    let mut by_task: BTreeMap<&TaskId, Vec<&PeakPoint>> = BTreeMap::new();
    for point in points.iter().filter(|point| point.peak_bytes.is_some()) {
        by_task.entry(&point.task).or_default().push(point);
    }
    let tasks = table.plan.tasks.iter().enumerate();
    tasks
        .filter_map(|(place, task)| {
            Some(need(task.id.clone(), memory_spec(table, place), by_task.get(&task.id)?))
        })
        .collect()
}

fn need(task: TaskId, spec_bytes: Option<u64>, points: &[&PeakPoint]) -> NeedRow {
    let mut seen: Vec<u64> =
        points.iter().filter(|point| !point.censored).filter_map(|point| point.peak_bytes).collect();
    seen.sort_unstable();
    let killed: Vec<u64> = points
        .iter()
        .filter(|point| point.censored)
        .filter_map(|point| point.ceiling_bytes.or(point.peak_bytes))
        .collect();
    let (highest, killed_at) = (seen.last().copied(), killed.iter().max().copied());
    let ceiling = highest
        .filter(|highest| killed_at.is_none_or(|killed| killed < *highest))
        .map(|highest| up(highest + highest / 4));
    NeedRow {
        task,
        spec_bytes,
        trials: points.len() as u64,
        killed: killed.len() as u64,
        median_bytes: seen.get(seen.len() / 2).copied(),
        highest_bytes: highest,
        killed_at_bytes: killed_at,
        floor_bytes: seen.get(seen.len() / 2).copied().map(up),
        ceiling_bytes: ceiling,
        under_provisioned: spec_bytes
            .is_some_and(|spec| highest.max(killed_at).is_some_and(|wanted| wanted >= spec)),
    }
}

fn up(bytes: u64) -> u64 {
    bytes.div_ceil(STEP_BYTES).saturating_mul(STEP_BYTES)
}
