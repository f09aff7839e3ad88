//! Tables that people make themselves: CSV, TSV and JSON Lines with a documented minimal schema, and our own whole records.
//!
//! `docs/import-schema.md` describes the columns. A table may say as little as `task` and `pass`.

mod csv;
mod draft;
mod row;
mod words;

use std::collections::BTreeSet;

use infranoise_core::{Subject, TrialRecord};
use serde_json::Value;

pub use self::draft::COLUMNS;

use self::csv::{Record, open_csv};
use self::row::Row;
use super::candidate::Candidate;
use super::collect::Collector;
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::read::{Line, Lines, parse};

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "table",
    what: "a table of trials as CSV, TSV or JSON Lines",
    looks_for: "a .csv, .tsv or .jsonl file with a column task and one of pass, reward, blame or infra; or whole records of infranoise",
    detect,
    read,
};

/// A line of JSON is no longer.
const LONGEST: u64 = 64 << 20;
/// One of these says how a trial ended.
const VERDICTS: [&str; 4] = ["pass", "reward", "blame", "infra"];

fn detect(candidate: &Candidate) -> Detection {
    let is_table = match extension(&candidate.name()) {
        Some(Kind::Cells) => candidate.folder().is_none() && head_fits(candidate),
        Some(Kind::Objects) => candidate.folder().is_none() && first_line_fits(candidate),
        None => false,
    };
    if is_table { Detection::Is("a table of trials") } else { Detection::No }
}

enum Kind {
    Cells,
    Objects,
}

fn extension(name: &str) -> Option<Kind> {
    match name.rsplit_once('.')?.1 {
        "csv" | "tsv" => Some(Kind::Cells),
        "jsonl" | "ndjson" => Some(Kind::Objects),
        _ => None,
    }
}

fn is_head(has: impl Fn(&str) -> bool) -> bool {
    has("task") && VERDICTS.iter().any(|name| has(name))
}

fn head_fits(candidate: &Candidate) -> bool {
    let record = open_csv(candidate.path()).ok().and_then(|mut csv| csv.record().ok().flatten());
    let Some(Record::Cells(cells)) = record else { return false };
    let head = names(cells);
    is_head(|name| head.iter().any(|found| found == name))
}

fn first_line_fits(candidate: &Candidate) -> bool {
    let first =
        Lines::open(candidate.path(), LONGEST).ok().and_then(|mut lines| lines.next_line().ok().flatten());
    let Some(Line::Whole(line)) = first else { return false };
    match parse::<Value>(&line) {
        Ok(Value::Object(object)) => is_record(&object) || is_head(|name| object.contains_key(name)),
        Ok(_) | Err(_) => false,
    }
}

fn is_record(object: &serde_json::Map<String, Value>) -> bool {
    object.contains_key("facts") && object.contains_key("classification")
}

fn names(cells: Vec<csv::Cell>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.text.trim().to_lowercase()).collect()
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    for found in found {
        collector.tell(ImportEvent::Reading { path: found.path.clone(), what: found.what });
        let name = found.path.file_name().unwrap_or_default().to_string_lossy();
        let outcome = match extension(&name) {
            Some(Kind::Cells) => read_cells(found, collector),
            Some(Kind::Objects) | None => read_objects(found, collector),
        };
        if let Err(why) = outcome {
            collector.losses.add(&*found.shown, "the file", why);
        }
    }
}

fn read_cells(found: &Found, collector: &mut Collector<'_>) -> Result<(), String> {
    let mut csv = open_csv(&found.path).map_err(|error| error.to_string())?;
    let mut next = || csv.record().map_err(|error| error.to_string());
    let Some(Record::Cells(head)) = next()? else { return Err("no head".to_owned()) };
    let head = names(head);
    lost_columns(found, head.iter().map(String::as_str), collector);
    let mut line = 1;
    while let Some(record) = next()? {
        line += 1;
        match record {
            Record::Cells(cells) if cells.len() > head.len() => {
                let says = format!("{} fields under {} columns", cells.len(), head.len());
                collector.losses.add(&*found.shown, format!("record {line}"), says);
            }
            Record::Cells(cells) => take(&Row::from_cells(&head, cells), found, line, collector),
            Record::TooLong => {
                collector.losses.add(&*found.shown, format!("record {line}"), "too long to be one")
            }
        }
    }
    Ok(())
}

fn read_objects(found: &Found, collector: &mut Collector<'_>) -> Result<(), String> {
    let mut lines = Lines::open(&found.path, LONGEST).map_err(|error| error.to_string())?;
    let mut columns = BTreeSet::new();
    let mut number = 0;
    while let Some(line) = lines.next_line().map_err(|error| error.to_string())? {
        number += 1;
        let lost = |collector: &mut Collector<'_>, why: String| {
            collector.losses.add(&*found.shown, format!("line {number}"), why);
        };
        let line = match line {
            Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Whole(line) => line,
            Line::TooLong => {
                lost(collector, "too long to be a trial".to_owned());
                continue;
            }
        };
        match parse::<Value>(&line) {
            Ok(Value::Object(object)) if is_record(&object) => {
                match serde_json::from_value(Value::Object(object)) {
                    Ok(record) => whole_record(record, collector),
                    Err(error) => lost(collector, error.to_string()),
                }
            }
            Ok(Value::Object(object)) => {
                let row = Row::from_object(object);
                columns.extend(row.names().map(str::to_owned));
                take(&row, found, number, collector);
            }
            Ok(_) => lost(collector, "no object".to_owned()),
            Err(error) => lost(collector, error),
        }
    }
    lost_columns(found, columns.iter().map(String::as_str), collector);
    Ok(())
}

fn whole_record(record: TrialRecord, collector: &mut Collector<'_>) {
    collector.record(record);
}

fn take(row: &Row, found: &Found, line: u64, collector: &mut Collector<'_>) {
    let draft = match draft::draft(row, &found.shown, line) {
        Ok(draft) => draft,
        Err(why) => return collector.losses.add(&*found.shown, format!("line {line}"), why),
    };
    for (column, why) in words::unreadable(row) {
        collector.losses.add(&*found.shown, format!("line {line}, `{column}`"), why);
    }
    let subject = Subject {
        agent: row.text("agent").unwrap_or_else(|| "not recorded".to_owned()),
        model: row.text("model"),
    };
    let label = row.text("arm").unwrap_or_else(|| "imported".to_owned());
    let arm = collector.arm(&label, &subject);
    collector.trial(arm, draft);
}

/// Columns that nobody reads here are losses, said once each.
fn lost_columns<'n>(found: &Found, names: impl Iterator<Item = &'n str>, collector: &mut Collector<'_>) {
    for name in names.filter(|name| !draft::COLUMNS.contains(name)) {
        collector.losses.add(&*found.shown, name, "a column that an import does not read");
    }
}
