//! What a difference in score is made of.

use infranoise_core::Shown;
use infranoise_stats::decomposition::decompose;
use infranoise_stats::{Outcomes, StatError, TestResult};

use crate::arms::LEVEL;
use crate::doc::{Decomposition, Part};
use crate::table::{Table, Tally};

/// Splits the difference between two arms: noise removed, and the rest, of which a part may be maimed trials healed.
pub(crate) fn decomposition(
    table: &Table<'_>,
    base: usize,
    arm: usize,
    columns: &(Vec<Tally>, Vec<Tally>),
) -> Option<Decomposition> {
    let outcomes = |column: &[Tally]| column.iter().map(Tally::outcomes).collect::<Vec<Outcomes>>();
    let split = decompose(&outcomes(&columns.0), &outcomes(&columns.1), LEVEL).ok()?;
    let bounds = &split.recovered_bounds;
    let phi = [bounds.recovered_at(0.0), bounds.recovered_at(1.0)];
    Some(Decomposition {
        noise_removed: part(&split.recovered)?,
        rest: part(&split.newly_solved)?,
        maimed_at_most: split.delta_maimed.as_ref().map_or(0.0, |test| (-test.effect.value).max(0.0)),
        doomed_pairs: doomed(table, base, arm),
        noise_removed_bounds: (phi[1].0, phi[0].0),
        agent_failure_change: split.delta_failure.ok(),
    })
}

/// Of the pairs whose base trial an infra error ended and whose other trial was judged, how many failed there too.
fn doomed(table: &Table<'_>, base: usize, arm: usize) -> (u64, u64) {
    let arms = &table.plan.arms;
    let (mut doomed, mut killed) = (0, 0);
    for task in 0..table.plan.tasks.len() {
        for repeat in 0..table.plan.repeats {
            let shown =
                |arm: usize| table.get(&arms[arm].arm.name, task, repeat).map(|chosen| chosen.shown());
            let (Some(Shown::Ceiling | Shown::Fault), Some(then)) = (shown(base), shown(arm)) else {
                continue;
            };
            match then {
                Shown::Pass => killed += 1,
                Shown::Fail => {
                    killed += 1;
                    doomed += 1;
                }
                Shown::Ceiling | Shown::Fault | Shown::Undetermined | Shown::NotStarted => {}
            }
        }
    }
    (doomed, killed)
}

/// A part with its interval, or without one where all tasks have the same value.
fn part(found: &Result<TestResult, StatError>) -> Option<Part> {
    match found {
        Ok(test) => Some(Part { value: test.effect.value, estimate: Some(test.effect) }),
        Err(StatError::NoSpread { value, .. }) => Some(Part { value: *value, estimate: None }),
        Err(_) => None,
    }
}
