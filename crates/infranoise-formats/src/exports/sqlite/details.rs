//! What a trial has several of: phases, commands, events, pieces of evidence, readings that could not be taken.

use infranoise_core::{Evidence, ExecRecord, Observed, PhaseRecord, ResourceEvent};
use rusqlite::{Statement, Transaction, params};
use serde::Serialize;

use crate::exports::cell::{Cell, reading};
use crate::exports::columns::columns;
use crate::exports::sweep::Row;
use crate::exports::word::word;

/// What a reading says that nobody explained.
const NOT_EXPLAINED: &str = "not recorded";

/// The statements that add details.
pub(super) struct Details<'t> {
    phase: Statement<'t>,
    exec: Statement<'t>,
    event: Statement<'t>,
    evidence: Statement<'t>,
    unobserved: Statement<'t>,
}

impl<'t> Details<'t> {
    pub(super) fn new(transaction: &'t Transaction<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            phase: transaction.prepare("INSERT INTO phases VALUES (?, ?, ?, ?, ?, ?)")?,
            exec: transaction.prepare("INSERT INTO execs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?,
            event: transaction.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?,
            evidence: transaction.prepare("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?)")?,
            unobserved: transaction.prepare("INSERT INTO unobserved VALUES (?, ?, ?, ?)")?,
        })
    }

    /// Adds everything that the attempt has.
    pub(super) fn insert(&mut self, trial: i64, row: &Row<'_>) -> rusqlite::Result<()> {
        let outcome = &row.record.facts.outcome;
        outcome.phases.iter().try_for_each(|phase| self.phase(trial, phase))?;
        outcome.execs.iter().try_for_each(|exec| self.exec(trial, exec))?;
        outcome.events.iter().try_for_each(|event| self.event(trial, event))?;
        let evidence = &row.record.classification.evidence;
        (0_i64..).zip(evidence).try_for_each(|(place, piece)| self.evidence(trial, place, piece))?;
        self.unobserved(trial, row)
    }

    fn phase(&mut self, trial: i64, phase: &PhaseRecord) -> rusqlite::Result<()> {
        self.phase.execute(params![
            trial,
            word(&phase.phase),
            Cell::from(phase.started_ms),
            Cell::from(phase.ended_ms),
            word(&phase.stop),
            json(&phase.stop),
        ])?;
        Ok(())
    }

    fn exec(&mut self, trial: i64, exec: &ExecRecord) -> rusqlite::Result<()> {
        self.exec.execute(params![
            trial,
            exec.id.0,
            word(&exec.phase),
            exec.command,
            Cell::from(exec.started_ms),
            Cell::from(exec.ended_ms),
            word(&exec.stop),
            json(&exec.stop),
            value(reading(&exec.memory_peak_bytes)),
            value(reading(&exec.cpu_us)),
            value(reading(&exec.oom_kills)),
            value(reading(&exec.pids_refused)),
        ])?;
        Ok(())
    }

    fn event(&mut self, trial: i64, event: &ResourceEvent) -> rusqlite::Result<()> {
        let shown = &event.evidence;
        self.event.execute(params![
            trial,
            Cell::from(event.at_ms),
            word(&event.phase),
            event.exec.map(|exec| exec.0),
            word(&event.kind),
            json(&event.kind),
            word(&shown.state),
            shown.source,
            shown.reading,
            shown.says,
        ])?;
        Ok(())
    }

    fn evidence(&mut self, trial: i64, place: i64, piece: &Evidence) -> rusqlite::Result<()> {
        let state = word(&piece.state);
        self.evidence.execute(params![trial, place, state, piece.source, piece.reading, piece.says])?;
        Ok(())
    }

    /// Why a measured column is null; readings that nobody explained are left out.
    fn unobserved(&mut self, trial: i64, row: &Row<'_>) -> rusqlite::Result<()> {
        for column in columns() {
            match column.reading(row) {
                Some(ref reading @ (Observed::Unavailable(ref why) | Observed::Unsupported(ref why)))
                    if why != NOT_EXPLAINED =>
                {
                    self.unobserved.execute(params![trial, column.name, word(&reading.state()), why])?;
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }
}

fn value(reading: Observed<Cell<'_>>) -> Cell<'_> {
    match reading {
        Observed::Observed(cell) | Observed::Partial(cell) => cell,
        Observed::Unavailable(_) | Observed::Unsupported(_) => Cell::Null,
    }
}

/// What an enum member holds, as JSON.
fn json(member: &impl Serialize) -> String {
    serde_json::to_string(member).unwrap_or_default()
}
