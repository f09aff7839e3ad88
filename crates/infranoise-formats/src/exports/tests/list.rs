//! Tests that walk the lists: exporters, columns, documentation.

use std::collections::BTreeSet;
use std::path::Path;

use super::sample::mixed;
use super::{EXPORTS, ExportOptions, bytes};
use crate::exports::{ExportError, Sweep, column_reference, columns, exporter, exporter_for};

#[test]
fn exporters_have_names_and_endings_of_their_own() {
    let ids: BTreeSet<_> = EXPORTS.iter().map(|exporter| exporter.id).collect();
    let endings: BTreeSet<_> = EXPORTS.iter().map(|exporter| exporter.extension).collect();
    assert_eq!((ids.len(), endings.len()), (EXPORTS.len(), EXPORTS.len()));
    for exporter in EXPORTS {
        let path = Path::new("folder.csv").join(format!("x.{}", exporter.extension.to_uppercase()));
        assert_eq!(exporter_for(&path).map(|found| found.id), Some(exporter.id));
    }
    assert!(exporter_for(Path::new("x.txt")).is_none());
    assert!(exporter_for(Path::new("csv")).is_none());
    assert!(exporter("no such thing").is_none());
}

#[test]
fn every_export_writes_the_same_bytes_twice_and_an_empty_sweep_too() {
    let (plan, records) = mixed();
    for exporter in EXPORTS {
        let write = |records| bytes(exporter, &plan, records, ExportOptions::default());
        let first = write(&records);
        assert!(!first.is_empty(), "{}", exporter.id);
        assert!(first == write(&records), "{} is not reproducible", exporter.id);
        write(&[]);
    }
}

#[test]
fn a_file_appears_when_it_is_whole_and_replaces_the_old_one() {
    let (plan, records) = mixed();
    let sweep = Sweep::new(&plan, &records);
    let folder = tempfile::tempdir().expect("a folder");
    for exporter in EXPORTS {
        let path = folder.path().join(exporter.id);
        std::fs::write(&path, "what was there before").expect("written");
        exporter.write_file(&sweep, ExportOptions::default(), &path).expect("exported");
        assert_eq!(
            std::fs::read(&path).expect("reads"),
            bytes(exporter, &plan, &records, ExportOptions::default())
        );
        let nowhere = folder.path().join("no such folder").join("x");
        let error = exporter.write_file(&sweep, ExportOptions::default(), &nowhere).expect_err("no folder");
        assert!(error.to_string().starts_with("write "), "{error}");
    }
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("lists").map(|e| e.expect("entry").path()).collect();
    assert_eq!(left.len(), EXPORTS.len(), "no partial file is left: {left:?}");
}

#[test]
fn a_stream_that_breaks_is_an_error_and_a_database_is_no_stream() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (plan, records) = mixed();
    let sweep = Sweep::new(&plan, &records);
    for exporter in EXPORTS {
        let error = exporter.write_to(&sweep, ExportOptions::default(), &mut Full).expect_err("nothing fits");
        assert_eq!(matches!(error, ExportError::NeedsFile { .. }), exporter.needs_file(), "{error}");
    }
}

#[test]
fn columns_are_named_once_and_numbers_carry_their_unit() {
    let names: BTreeSet<_> = columns().map(|column| column.name).collect();
    assert_eq!(names.len(), columns().count());
    let minimal: Vec<_> = ["task", "arm", "repeat", "pass", "infra"].into();
    assert!(minimal.iter().all(|name| names.contains(name)));
    for column in columns() {
        let plain = column.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        assert!(plain && column.says.ends_with('.') && !column.says.contains(['|', '\n']), "{}", column.name);
    }
}

#[test]
fn the_page_lists_every_column() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/exports.md");
    let Ok(page) = std::fs::read_to_string(&page) else { panic!("`{}` exists", page.display()) };
    let reference = column_reference();
    assert!(page.contains(reference.trim()), "docs/exports.md should hold:\n{reference}");
    for exporter in EXPORTS {
        assert!(page.contains(&format!("| `{}` |", exporter.id)), "docs/exports.md knows {}", exporter.id);
    }
}
