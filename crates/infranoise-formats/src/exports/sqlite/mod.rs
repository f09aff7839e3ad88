//! SQLite: the table of attempts, and beside it phases, commands, events and evidence, for questions in SQL.
//!
//! Derived, never the only copy: it is written in one go and replaced as a whole.

mod cells;
mod details;
mod schema;

use std::path::Path;

use rusqlite::{Connection, Transaction, params, params_from_iter};

use super::columns::columns;
use super::error::ExportError;
use super::exporter::{Exporter, Target};
use super::sweep::Sweep;
use details::Details;

pub(super) const EXPORTER: Exporter = Exporter {
    id: "sqlite",
    what: "a database: trials, phases, execs, events and evidence",
    extension: "sqlite",
    to: Target::File(write),
};

fn write(sweep: &Sweep<'_>, path: &Path) -> Result<(), ExportError> {
    let plan = serde_json::to_string(sweep.plan).map_err(std::io::Error::from)?;
    database(sweep, &plan, path).map_err(|error| ExportError::library("SQLite", error))
}

fn database(sweep: &Sweep<'_>, plan: &str, path: &Path) -> rusqlite::Result<()> {
    let mut connection = Connection::open(path)?;
    // A file that is not whole is thrown away, so that nothing need be undone.
    connection.pragma_update(None, "journal_mode", "off")?;
    connection.pragma_update(None, "synchronous", "off")?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(&schema::create())?;
    about(sweep, plan, &transaction)?;
    tasks_and_arms(sweep, &transaction)?;
    trials(sweep, &transaction)?;
    transaction.execute_batch(schema::INDICES)?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)
}

fn about(sweep: &Sweep<'_>, plan: &str, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO about VALUES (?, ?)")?;
    insert.execute(params!["sweep", sweep.plan.sweep.as_str()])?;
    insert.execute(params!["exported_by", concat!("infranoise ", env!("CARGO_PKG_VERSION"))])?;
    insert.execute(params!["planned_trials", sweep.plan.planned().to_string()])?;
    insert.execute(params!["plan", plan])?;
    let mut insert = transaction.prepare("INSERT INTO columns VALUES (?, ?, ?)")?;
    for column in columns() {
        insert.execute(params![column.name, column.kind.to_string(), column.says])?;
    }
    Ok(())
}

fn tasks_and_arms(sweep: &Sweep<'_>, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO tasks VALUES (?, ?, ?, ?)")?;
    for task in &sweep.plan.tasks {
        let labels = serde_json::to_string(&task.labels).unwrap_or_default();
        insert.execute(params![task.id.as_str(), task.source, task.digest, labels])?;
    }
    let mut insert = transaction.prepare("INSERT INTO arms VALUES (?, ?, ?, ?)")?;
    for (place, arm) in (0_i64..).zip(&sweep.plan.arms) {
        let subject = sweep.plan.subject_of(&arm.arm.name);
        insert.execute(params![arm.arm.name.as_str(), place, subject.agent, subject.model])?;
    }
    Ok(())
}

fn trials(sweep: &Sweep<'_>, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare(&schema::insert_trial())?;
    let mut details = Details::new(transaction)?;
    for (id, row) in (1_i64..).zip(sweep.rows()) {
        let cells = columns().map(|column| column.cell(row));
        insert.execute(params_from_iter(std::iter::once(id.into()).chain(cells)))?;
        details.insert(id, row)?;
    }
    Ok(())
}
