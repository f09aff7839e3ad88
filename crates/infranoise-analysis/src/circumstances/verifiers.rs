//! Did verifiers do their work?

use infranoise_core::{Phase, Reward, Shown, Stop};

use crate::doc::VerifierRow;
use crate::table::{Chosen, Table};

/// Agents whose every failure is the task's or the verifier's doing.
const ORACLE: &str = "oracle";

/// Trials that reached a verifier.
pub(crate) fn verified(table: &Table<'_>) -> u64 {
    table.chosen().filter(|chosen| reached(chosen)).count() as u64
}

/// Rows of tasks and arms in which something was wrong.
pub(crate) fn verifiers(table: &Table<'_>) -> Vec<VerifierRow> {
    let mut rows = Vec::new();
    for (place, task) in table.plan.tasks.iter().enumerate() {
        for planned in &table.plan.arms {
            let arm = &planned.arm.name;
            let is_oracle = table.plan.subject_of(arm).agent == ORACLE;
            let trials: Vec<_> = (0..table.plan.repeats_of(arm, &task.id))
                .filter_map(|repeat| table.get(arm, place, repeat))
                .filter(|chosen| reached(chosen))
                .collect();
            let count =
                |of: &dyn Fn(&Chosen<'_>) -> bool| trials.iter().filter(|chosen| of(chosen)).count() as u64;
            let row = VerifierRow {
                task: task.id.clone(),
                arm: arm.clone(),
                reached: trials.len() as u64,
                graded: count(&|chosen| matches!(chosen.record.facts.outcome.reward, Reward::Given { .. })),
                broken: count(&broken),
                timed_out: count(&timed_out),
                oracle_failed: is_oracle.then(|| count(&|chosen| chosen.shown() == Shown::Fail)),
            };
            if row.broken + row.timed_out + row.oracle_failed.unwrap_or(0) > 0 {
                rows.push(row);
            }
        }
    }
    rows
}

fn reached(chosen: &Chosen<'_>) -> bool {
    chosen.record.facts.outcome.phase(Phase::Verify).is_some()
}

/// A verifier that was not killed and yet gave nothing that can be read.
fn broken(chosen: &Chosen<'_>) -> bool {
    let ended = matches!(chosen.shown(), Shown::Ceiling | Shown::Fault);
    !ended
        && match chosen.record.facts.outcome.reward {
            Reward::Missing | Reward::Garbled { .. } => true,
            Reward::Given { .. } | Reward::NotGraded => false,
        }
}

fn timed_out(chosen: &Chosen<'_>) -> bool {
    let phase = chosen.record.facts.outcome.phase(Phase::Verify);
    phase.is_some_and(|phase| matches!(phase.stop, Stop::Deadline { .. }))
}
