//! The tables. All are strict: a column holds its type or null.

use crate::exports::column::Kind;
use crate::exports::columns::columns;

/// The tables beside `trials`.
const TABLES: &str = "
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE columns (name TEXT PRIMARY KEY, type TEXT NOT NULL, says TEXT NOT NULL) STRICT;
CREATE TABLE tasks (task TEXT PRIMARY KEY, source TEXT NOT NULL, digest TEXT NOT NULL, labels_json TEXT NOT NULL) STRICT;
CREATE TABLE arms (arm TEXT PRIMARY KEY, place INTEGER NOT NULL, agent TEXT NOT NULL, model TEXT) STRICT;
CREATE TABLE phases (
  trial_id INTEGER NOT NULL REFERENCES trials(id), phase TEXT NOT NULL,
  started_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL,
  stop TEXT NOT NULL, stop_json TEXT NOT NULL) STRICT;
CREATE TABLE execs (
  trial_id INTEGER NOT NULL REFERENCES trials(id), exec INTEGER NOT NULL, phase TEXT NOT NULL, command TEXT NOT NULL,
  started_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL,
  stop TEXT NOT NULL, stop_json TEXT NOT NULL,
  memory_peak_bytes INTEGER, cpu_us INTEGER, oom_kills INTEGER, pids_refused INTEGER) STRICT;
CREATE TABLE events (
  trial_id INTEGER NOT NULL REFERENCES trials(id), at_ms INTEGER NOT NULL, phase TEXT NOT NULL, exec INTEGER,
  kind TEXT NOT NULL, kind_json TEXT NOT NULL,
  state TEXT NOT NULL, source TEXT NOT NULL, reading TEXT NOT NULL, says TEXT NOT NULL) STRICT;
CREATE TABLE evidence (
  trial_id INTEGER NOT NULL REFERENCES trials(id), place INTEGER NOT NULL,
  state TEXT NOT NULL, source TEXT NOT NULL, reading TEXT NOT NULL, says TEXT NOT NULL) STRICT;
CREATE TABLE unobserved (
  trial_id INTEGER NOT NULL REFERENCES trials(id), column_name TEXT NOT NULL REFERENCES columns(name),
  state TEXT NOT NULL, why TEXT NOT NULL) STRICT;
";

/// Made when the rows are there: that is faster than keeping them up.
pub(super) const INDICES: &str = "
CREATE INDEX trials_by_task ON trials(task, arm, repeat);
CREATE INDEX phases_by_trial ON phases(trial_id);
CREATE INDEX execs_by_trial ON execs(trial_id);
CREATE INDEX events_by_trial ON events(trial_id);
CREATE INDEX evidence_by_trial ON evidence(trial_id);
CREATE INDEX unobserved_by_trial ON unobserved(trial_id);
CREATE VIEW counted AS SELECT * FROM trials WHERE counts;
";

/// The statements that make every table.
pub(super) fn create() -> String {
    let columns: Vec<String> = columns()
        .map(|column| {
            let kind = match column.kind {
                Kind::Bool | Kind::Whole => "INTEGER",
                Kind::Number => "REAL",
                Kind::Text => "TEXT",
            };
            format!("\"{}\" {kind}", column.name)
        })
        .collect();
    format!("CREATE TABLE trials (id INTEGER PRIMARY KEY, {}) STRICT;{TABLES}", columns.join(", "))
}

/// The statement that adds an attempt: its id and every column.
pub(super) fn insert_trial() -> String {
    format!("INSERT INTO trials VALUES (?{})", ", ?".repeat(columns().count()))
}
