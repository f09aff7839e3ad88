//! Every table read back by a reader that is not ours (or, for CSV, a plain one): they all hold the same cells.

use serde_json::Value;

use super::sample::mixed;
use super::text;
use crate::exports::{Kind, columns};

/// The fields of each line as RFC 4180 has it; an empty field without quotes is none.
pub(super) fn csv_rows(text: &str) -> Vec<Vec<Option<String>>> {
    let mut rows = vec![Vec::new()];
    let (mut field, mut quoted, mut inside) = (String::new(), false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if inside && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => (inside, quoted) = (!inside, true),
            ',' | '\n' if !inside => {
                let value = std::mem::take(&mut field);
                let row = rows.last_mut().expect("a row");
                row.push((quoted || !value.is_empty()).then_some(value));
                quoted = false;
                if c == '\n' {
                    rows.push(Vec::new());
                }
            }
            _ => field.push(c),
        }
    }
    assert!(!inside && field.is_empty(), "the last line ends");
    rows.pop();
    rows
}

/// The rows of the sample as JSON Lines hold them.
fn expected() -> Vec<Vec<Value>> {
    let (plan, records) = mixed();
    text("jsonl", &plan, &records)
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(row.as_object().map(|row| row.len()), Some(columns().count()));
            columns().map(|column| row[column.name].clone()).collect()
        })
        .collect()
}

/// A CSV field as the column's kind.
fn typed(kind: Kind, field: Option<&str>) -> Value {
    let Some(field) = field else { return Value::Null };
    match kind {
        Kind::Bool => Value::from(field.parse::<bool>().expect("a bool")),
        Kind::Whole => Value::from(field.parse::<i64>().expect("a whole number")),
        Kind::Number => Value::from(field.parse::<f64>().expect("a number")),
        Kind::Text => Value::from(field),
    }
}

#[test]
fn csv_holds_the_same_cells() {
    let (plan, records) = mixed();
    let rows = csv_rows(&text("csv", &plan, &records));
    let names: Vec<&str> = rows[0].iter().flatten().map(String::as_str).collect();
    assert_eq!(names, columns().map(|column| column.name).collect::<Vec<_>>());
    let cells: Vec<Vec<Value>> = rows[1..]
        .iter()
        .map(|row| columns().zip(row).map(|(column, field)| typed(column.kind, field.as_deref())).collect())
        .collect();
    assert_eq!(cells, expected());
}

#[test]
fn whole_records_are_the_records() {
    let (plan, records) = mixed();
    let mut back: Vec<infranoise_core::TrialRecord> = text("records", &plan, &records)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    let mut records = records;
    back.sort_by_key(|record| record.facts.started_at_ms);
    records.sort_by_key(|record| record.facts.started_at_ms);
    assert_eq!(back, records);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_the_same_cells() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let (plan, records) = mixed();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweep.parquet");
    let sweep = crate::exports::Sweep::new(&plan, &records);
    let exporter = super::exporter("parquet").expect("an exporter");
    exporter.write_file(&sweep, Default::default(), &path).expect("written");
    let file = std::fs::File::open(&path).expect("opens");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows: Vec<Vec<Value>> = reader
        .get_row_iter(None)
        .expect("rows")
        .map(|row| {
            let row = row.expect("a row");
            row.get_column_iter()
                .zip(columns())
                .map(|((name, field), column)| {
                    assert_eq!(name, column.name);
                    match field {
                        Field::Null => Value::Null,
                        Field::Bool(value) => Value::from(*value),
                        Field::Long(value) => Value::from(*value),
                        Field::Double(value) => Value::from(*value),
                        Field::Str(text) => Value::from(text.as_str()),
                        other => panic!("{name}: {other:?}"),
                    }
                })
                .collect()
        })
        .collect();
    assert_eq!(rows, expected());
    let metadata = reader.metadata().file_metadata();
    let plan_json = metadata
        .key_value_metadata()
        .and_then(|pairs| pairs.iter().find(|pair| pair.key == "infranoise.plan"))
        .and_then(|pair| pair.value.as_deref())
        .expect("the plan");
    assert_eq!(serde_json::from_str::<infranoise_core::Plan>(plan_json).expect("a plan"), plan);
}

#[cfg(feature = "sqlite")]
#[test]
fn sqlite_holds_the_same_cells_and_the_details() {
    use rusqlite::types::ValueRef;

    let (plan, records) = mixed();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweep.sqlite");
    let sweep = crate::exports::Sweep::new(&plan, &records);
    let exporter = super::exporter("sqlite").expect("an exporter");
    exporter.write_file(&sweep, Default::default(), &path).expect("written");
    let database = rusqlite::Connection::open(&path).expect("opens");
    let names: Vec<&str> = columns().map(|column| column.name).collect();
    let mut query =
        database.prepare(&format!("SELECT {} FROM trials ORDER BY id", names.join(", "))).expect("a query");
    let mut found = query.query([]).expect("rows");
    let mut rows: Vec<Vec<Value>> = Vec::new();
    while let Some(row) = found.next().expect("a row") {
        let cells = columns().enumerate().map(|(place, column)| match row.get_ref(place).expect("a cell") {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(value) if column.kind == Kind::Bool => Value::from(value == 1),
            ValueRef::Integer(value) => Value::from(value),
            ValueRef::Real(value) => Value::from(value),
            ValueRef::Text(text) => Value::from(std::str::from_utf8(text).expect("UTF-8")),
            ValueRef::Blob(_) => panic!("no blobs"),
        });
        rows.push(cells.collect());
    }
    assert_eq!(rows, expected());

    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    let all = |number: fn(&infranoise_core::TrialRecord) -> usize| {
        i64::try_from(records.iter().map(number).sum::<usize>()).expect("fits")
    };
    assert_eq!(count("SELECT count(*) FROM phases"), all(|record| record.facts.outcome.phases.len()));
    assert_eq!(count("SELECT count(*) FROM execs"), all(|record| record.facts.outcome.execs.len()));
    assert_eq!(count("SELECT count(*) FROM events"), all(|record| record.facts.outcome.events.len()));
    assert_eq!(count("SELECT count(*) FROM evidence"), all(|record| record.classification.evidence.len()));
    assert_eq!(count("SELECT count(*) FROM counted"), 7);
    assert_eq!(count("SELECT count(*) FROM arms"), 2);
    assert_eq!(count("SELECT count(*) FROM unobserved WHERE column_name = 'throttled_us'"), 7);
    assert_eq!(count("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_eq!(
        count("SELECT json_extract(kind_json, '$.oom_kill.victim_rss_bytes') FROM events LIMIT 1"),
        63 << 20
    );
}
