//! Text that wants to be something else: a formula, a column, an element, a terminal's command.

use infranoise_core::testing::{Ending, plan, record};
use infranoise_core::{Evidence, Plan, TrialRecord};
use proptest::prelude::*;
use serde_json::Value;

use super::read_back::csv_rows;
use super::{ExportOptions, bytes, exporter, text};

/// A sweep of one trial whose texts are all this one.
fn with(hostile: &str) -> (Plan, Vec<TrialRecord>) {
    let plan = plan(1, 1, 1);
    let mut record = record(&plan, plan.keys().next().expect("a trial"), Ending::Fail);
    record.facts.key.subject.model = Some(hostile.to_owned());
    let mut plan = plan;
    plan.subject = record.facts.key.subject.clone();
    record.facts.notes = vec![hostile.to_owned()];
    record.classification.evidence = vec![Evidence::observed(hostile, hostile, hostile)];
    (plan, vec![record])
}

/// The document without its markup, if it is well formed: no stray `<`, no unknown entity, every element closed.
fn xml_elements(document: &str) -> Result<usize, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut count = 0;
    let mut rest = document;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        if text.contains('>') {
            return Err(format!("a stray > in {text:?}"));
        }
        let end = rest.find('>').ok_or("a tag without end")?;
        let tag = &rest[start + 1..end];
        if !tag.matches('"').count().is_multiple_of(2) {
            return Err(format!("an open quote in {tag:?}"));
        }
        let name = tag.split([' ', '/', '?']).find(|part| !part.is_empty()).unwrap_or_default();
        if let Some(closes) = tag.strip_prefix('/') {
            if open.pop() != Some(closes) {
                return Err(format!("{closes} is not open"));
            }
        } else if !tag.starts_with('?') {
            count += 1;
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    if open.is_empty() { Ok(count) } else { Err(format!("{open:?} are not closed")) }
}

const HOSTILE: [&str; 12] = [
    "=HYPERLINK(\"http://x\",\"y\")",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "a,b\",c\r\nd;e\tf",
    "",
    " ",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "</failure><error message='x'>]]><!--",
    "&amp;&#0;&nope;",
    "nul\0inside",
    "\u{feff}mark\u{202e}right to left",
    "null",
    "'; DROP TABLE trials; --",
];

#[test]
fn tables_hold_any_text_as_it_is() {
    for hostile in HOSTILE {
        let (plan, records) = with(hostile);
        let row: Value = serde_json::from_str(&text("jsonl", &plan, &records)).expect("one line of JSON");
        assert_eq!(row["model"], hostile, "{hostile:?}");
        let csv = csv_rows(&text("csv", &plan, &records));
        assert_eq!(csv.len(), 2, "{hostile:?}");
        let model = csv[0].iter().position(|name| name.as_deref() == Some("model")).expect("a column");
        assert_eq!(csv[1][model].as_deref(), Some(hostile), "{hostile:?}");
    }
}

#[test]
fn a_test_report_stays_well_formed() {
    for hostile in HOSTILE {
        let (plan, records) = with(hostile);
        let report = text("junit", &plan, &records);
        assert_eq!(xml_elements(&report), Ok(4), "{hostile:?}\n{report}");
        assert!(!report.contains(['\0', '\u{1b}', '\u{7}']), "{hostile:?}");
    }
}

#[test]
fn formulas_are_defused_on_request() {
    let options = ExportOptions { defuse_formulas: true, ..ExportOptions::default() };
    for (hostile, expected) in [
        ("=1+1", "'=1+1"),
        ("+3x", "'+3x"),
        ("-rf", "'-rf"),
        ("@cf/model", "'@cf/model"),
        ("\t=1", "'\t=1"),
        ("plain", "plain"),
        ("1=1", "1=1"),
    ] {
        let (plan, records) = with(hostile);
        let csv = bytes(exporter("csv").expect("an exporter"), &plan, &records, options);
        let csv = csv_rows(&String::from_utf8(csv).expect("UTF-8"));
        let model = csv[0].iter().position(|name| name.as_deref() == Some("model")).expect("a column");
        assert_eq!(csv[1][model].as_deref(), Some(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_a_format(hostile in any::<String>()) {
        let (plan, records) = with(&hostile);
        let row: Value = serde_json::from_str(&text("jsonl", &plan, &records)).expect("one line of JSON");
        prop_assert_eq!(&row["model"], &Value::from(hostile.as_str()));
        let csv = csv_rows(&text("csv", &plan, &records));
        prop_assert_eq!(csv.len(), 2);
        prop_assert_eq!(csv[0].len(), csv[1].len());
        prop_assert_eq!(xml_elements(&text("junit", &plan, &records)), Ok(4));
    }
}
