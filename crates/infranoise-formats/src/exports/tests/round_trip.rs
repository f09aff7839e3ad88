//! Out and in again: what a format can hold is not lost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use infranoise_core::{Cause, Plan, Shown, TrialRecord};
use serde_json::Value;

use super::sample::{mixed, sweep};
use super::text;
use crate::results::{Imported, TABLE_COLUMNS, import};

/// Writes the export into a file and imports that.
fn again(id: &str, plan: &Plan, records: &[TrialRecord]) -> Imported {
    let folder = tempfile::tempdir().expect("a folder");
    let exporter = super::exporter(id).expect("an exporter");
    let path = folder.path().join(format!("table.{}", exporter.extension));
    std::fs::write(&path, text(id, plan, records)).expect("written");
    import(&[&path], None, 0).unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// The rows by trial, arm, repeat and attempt.
fn rows(plan: &Plan, records: &[TrialRecord]) -> BTreeMap<String, Value> {
    let lines = text("jsonl", plan, records);
    let rows = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.map(|row| (row["trial"].to_string(), row)).collect()
}

/// Columns that follow from what an import reads.
const JUDGED: [&str; 6] = ["shown", "blame", "resource", "infra", "pass", "counts"];

#[test]
fn whole_records_lose_nothing() {
    let (plan, records) = mixed();
    let back = again("records", &plan, &records);
    assert_eq!(back.losses.total, 0, "{:?}", back.losses.kept);
    assert_eq!(text("records", &back.plan, &back.records), text("records", &plan, &records));
}

#[test]
fn tables_lose_nothing_that_an_import_reads() {
    for id in ["csv", "jsonl"] {
        for (plan, records) in [sweep(), mixed()] {
            let back = again(id, &plan, &records);
            let (before, after) = (rows(&plan, &records), rows(&back.plan, &back.records));
            assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>(), "{id}");
            let columns = || TABLE_COLUMNS.iter().chain(&JUDGED);
            let mut lost = Vec::new();
            for (trial, row) in &before {
                for column in columns().filter(|column| row[**column] != after[trial][**column]) {
                    lost.push(format!("{trial} {column}: {} became {}", row[*column], after[trial][*column]));
                }
            }
            assert!(lost.is_empty(), "{id}:\n{}", lost.join("\n"));
        }
    }
}

/// An agent that another harness's log shows to have failed, although no reward was recorded.
#[test]
fn a_verdict_without_a_reward_comes_back() {
    let (plan, mut records) = mixed();
    let last = records.last_mut().expect("a record");
    last.facts.outcome.reward = infranoise_core::Reward::NotGraded;
    last.classification.blame = infranoise_core::Blame::Agent;
    last.classification.cause = Cause::WrongAnswer;
    let back = again("csv", &plan, &records);
    let (before, after) = (rows(&plan, &records), rows(&back.plan, &back.records));
    for (trial, row) in &before {
        assert_eq!(
            (&row["shown"], &row["cause"]),
            (&after[trial]["shown"], &after[trial]["cause"]),
            "{trial}"
        );
    }
}

#[test]
fn a_second_journey_changes_nothing() {
    let (plan, records) = mixed();
    let first = again("csv", &plan, &records);
    let second = again("jsonl", &first.plan, &first.records);
    let stable = |imported: &Imported| {
        let mut rows = rows(&imported.plan, &imported.records);
        for row in rows.values_mut() {
            // Each import says where it read a trial, and under which name.
            for column in ["source_file", "source_trial", "sweep"] {
                row[column] = Value::Null;
            }
        }
        rows
    };
    for (trial, row) in stable(&first) {
        for (column, value) in row.as_object().expect("a row") {
            let now = &stable(&second)[&trial][column];
            assert_eq!(value, now, "{trial} {column}");
        }
    }
}

/// Verdicts by trial.
fn verdicts(records: &[TrialRecord]) -> BTreeMap<String, (Shown, Cause)> {
    let name = |record: &TrialRecord| format!("{} {}", record.facts.key.folder(), record.facts.attempt.0);
    records.iter().map(|r| (name(r), (Shown::of(r), r.classification.cause))).collect()
}

#[test]
fn real_results_of_every_harness_keep_their_verdicts() {
    let reference = std::env::var_os("INFRANOISE_REFERENCE").map(PathBuf::from);
    let fallback = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let data = reference.unwrap_or(fallback).join("data");
    if !data.exists() {
        println!("SKIPPED: no reference data at {}", data.display());
        return;
    }
    for part in ["harbor/jobs", "tb1", "swebench", "inspect"] {
        let imported = import(&[&data.join(part)], None, 0).expect("reference results");
        assert!(imported.records.len() >= 6, "{part}");
        for id in ["csv", "jsonl", "records"] {
            let back = again(id, &imported.plan, &imported.records);
            assert!(verdicts(&back.records) == verdicts(&imported.records), "{part} as {id}");
        }
    }
}
