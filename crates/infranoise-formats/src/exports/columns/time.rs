//! When a trial ran, how long each phase took and how it ended.

use infranoise_core::{Phase, Stop};

use super::Column;
use crate::exports::cell::Cell;
use crate::exports::column::Kind::{Text, Whole};
use crate::exports::sweep::Row;
use crate::exports::word::word;

pub(super) const COLUMNS: &[Column] = &[
    Column::new("started_at", Text, "When it began (RFC 3339, UTC).", |row| {
        row.facts().started_at().or(None).and_then(moment).into()
    }),
    Column::new("started_at_ms", Whole, "The same, in milliseconds since 1970.", |row| {
        row.facts().started_at().or(None).into()
    }),
    Column::new("wall_ms", Whole, "How long it took, in milliseconds.", |row| {
        known(row, row.facts().wall_ms).into()
    }),
    Column::new("pull_ms", Whole, "Fetching the image.", |row| row.phase_ms(Phase::Pull).into()),
    Column::new("build_ms", Whole, "Building the image.", |row| row.phase_ms(Phase::Build).into()),
    Column::new("start_ms", Whole, "Creating the sandbox.", |row| row.phase_ms(Phase::Start).into()),
    Column::new("setup_ms", Whole, "Set-up and the agent's installation.", |row| {
        row.phase_ms(Phase::Setup).into()
    }),
    Column::new(
        "agent_ms",
        Whole,
        "The agent at work. Null if its phase never began, as for all phases.",
        |row| row.phase_ms(Phase::Agent).into(),
    ),
    Column::new("verify_ms", Whole, "The verifier at work.", |row| row.phase_ms(Phase::Verify).into()),
    Column::new("stop_ms", Whole, "Teardown.", |row| row.phase_ms(Phase::Stop).into()),
    Column::new("last_phase", Text, "The last phase that was begun, teardown aside.", |row| {
        let phases = row.facts().outcome.phases.iter().map(|record| record.phase);
        phases.filter(|phase| *phase != Phase::Stop).max().map(|phase| word(&phase)).into()
    }),
    Column::new(
        "agent_stop",
        Text,
        "How the agent phase ended: `exited`, `signalled`, `deadline`, `sandbox_ended`, `failed` or `interrupted`.",
        |row| row.phase(Phase::Agent).map(|record| word(&record.stop)).into(),
    ),
    Column::new("agent_exit_code", Whole, "The agent's exit code, if it ended by itself.", |row| {
        exit_code(row, Phase::Agent)
    }),
    Column::new("agent_signal", Whole, "The signal that ended the agent, if one did.", |row| {
        match row.phase(Phase::Agent).map(|record| &record.stop) {
            Some(Stop::Signalled { signal, .. }) => (*signal).into(),
            Some(
                Stop::Exited { .. }
                | Stop::Deadline { .. }
                | Stop::SandboxEnded { .. }
                | Stop::Failed { .. }
                | Stop::Interrupted,
            )
            | None => Cell::Null,
        }
    }),
    Column::new("verify_stop", Text, "How the verifier's phase ended, in the same words.", |row| {
        row.phase(Phase::Verify).map(|record| word(&record.stop)).into()
    }),
    Column::new("verify_exit_code", Whole, "The verifier's exit code, if it ended by itself.", |row| {
        exit_code(row, Phase::Verify)
    }),
];

/// A time of another harness's trial is 0 where its record holds none.
fn known(row: &Row<'_>, time_ms: u64) -> Option<u64> {
    (time_ms > 0 || row.facts().source.is_none()).then_some(time_ms)
}

fn moment(at_ms: u64) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(i64::try_from(at_ms).ok()?).ok()?;
    Some(at.to_string())
}

fn exit_code<'r>(row: &Row<'r>, phase: Phase) -> Cell<'r> {
    match row.phase(phase).map(|record| &record.stop) {
        Some(Stop::Exited { code }) => (*code).into(),
        Some(
            Stop::Signalled { .. }
            | Stop::Deadline { .. }
            | Stop::SandboxEnded { .. }
            | Stop::Failed { .. }
            | Stop::Interrupted,
        )
        | None => Cell::Null,
    }
}
