//! What a difference in score is made of.

use infranoise_core::Shown;
use infranoise_stats::decomposition::{Bounds, decompose};
use infranoise_stats::{Outcomes, StatError, TestResult};

use crate::arms::LEVEL;
use crate::doc::{Decomposition, Part, PhiPoint};
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
    let (all_doomed, none_doomed) = (bounds.recovered_at(1.0).0, bounds.recovered_at(0.0).0);
    let removed = part(&split.recovered)?;
    let (failed, judged) = doomed(table, base, arm);
    Some(Decomposition {
        tasks: split.tasks,
        rest: part(&split.newly_solved)?,
        maimed: part(&split.unmaimed),
        maimed_at_most: split.delta_maimed.as_ref().map_or(0.0, |test| (-test.effect.value).max(0.0)),
        doomed_pairs: (failed, judged),
        noise_removed_bounds: (all_doomed.min(none_doomed), all_doomed.max(none_doomed)),
        sharp_bounds: Some((bounds.free_low, bounds.free_high)),
        phi_line: phi_line(bounds, removed.value, (failed, judged)),
        agent_failure_change: split.delta_failure.ok(),
        event_free_failure_change: split.delta_event_free.ok(),
        noise_removed: removed,
    })
}

/// The split at several shares of doomed trials. Nothing in pass and infra counts says which is right.
fn phi_line(bounds: &Bounds, independence: f64, (failed, judged): (u64, u64)) -> Vec<PhiPoint> {
    let point = |assumption: &str, phi: f64| {
        let (noise_removed, rest) = bounds.recovered_at(phi);
        PhiPoint { assumption: assumption.to_owned(), phi, noise_removed, rest }
    };
    let mut line = vec![point("no killed trial would have failed anyway", 0.0)];
    if bounds.infra_removed > 0.0 {
        let phi = (1.0 - independence / bounds.infra_removed).clamp(0.0, 1.0);
        line.push(point("killed trials pass like the others of their task", phi));
    }
    if judged > 0 {
        line.push(point(
            "what the same task, repeat and seed did in the looser arm",
            failed as f64 / judged as f64,
        ));
    }
    line.push(point("every killed trial would have failed anyway", 1.0));
    line
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
