//! Where a trial comes from: its engine, and for trials of other harnesses what those say of it.

use infranoise_core::SourceRecord;

use super::Column;
use super::verdict::lines;
use crate::exports::column::Kind::{Bool, Text};
use crate::exports::sweep::Row;

pub(super) const COLUMNS: &[Column] = &[
    Column::new("engine", Text, "The engine, as in `local`.", |row| row.facts().engine.as_str().into()),
    Column::new("sandbox", Text, "The sandbox that it ran in, where there was one.", |row| {
        row.facts().sandbox.as_ref().map(|sandbox| sandbox.as_str()).into()
    }),
    Column::new("strategy", Text, "The agent's own names for its way, in order.", |row| {
        let named = &row.facts().strategy.named;
        (!named.is_empty()).then(|| named.join(" > ")).into()
    }),
    Column::new("source_format", Text, "The importer that read it; null for trials of our own.", |row| {
        source(row).map(|source| source.format.as_str()).into()
    }),
    Column::new("source_version", Text, "The version of the harness that wrote it.", |row| {
        source(row).and_then(|source| source.version.as_deref()).into()
    }),
    Column::new("source_file", Text, "The file that held it, relative to what was imported.", |row| {
        source(row).map(|source| source.file.as_str()).into()
    }),
    Column::new("source_trial", Text, "The harness's own name of it.", |row| {
        source(row).map(|source| source.trial.as_str()).into()
    }),
    Column::new("source_failure", Text, "The harness's own word for what went wrong.", |row| {
        failure(row).map(|failure| failure.class.as_str()).into()
    }),
    Column::new("source_failure_message", Text, "Its message, shortened.", |row| {
        failure(row).map(|failure| failure.message.as_str()).into()
    }),
    Column::new(
        "source_counted",
        Bool,
        "Whether the harness's own score counts it, where it says so.",
        |row| source(row).and_then(|source| source.counted).into(),
    ),
    Column::new("would_have_passed", Bool, "Whether it would have passed, where a log proves it.", |row| {
        source(row).and_then(|source| source.would_have_passed).into()
    }),
    Column::new("notes", Text, "What was seen and does not fit elsewhere, one line each.", |row| {
        lines(row.facts().notes.iter().cloned())
    }),
];

fn source<'r>(row: &Row<'r>) -> Option<&'r SourceRecord> {
    row.facts().source.as_deref()
}

fn failure<'r>(row: &Row<'r>) -> Option<&'r infranoise_core::SourceFailure> {
    source(row).and_then(|source| source.failure.as_ref())
}
