//! What every export promises, checked on one small sweep with everything odd in it.

mod golden;
mod hostile;
mod list;
mod read_back;
mod round_trip;
mod sample;
mod tables;

use infranoise_core::{Plan, TrialRecord};

use super::{EXPORTS, ExportOptions, Exporter, Sweep, exporter};

/// An export as bytes, whichever way it must be written.
fn bytes(exporter: &Exporter, plan: &Plan, records: &[TrialRecord], options: ExportOptions) -> Vec<u8> {
    let sweep = Sweep::new(plan, records);
    if exporter.needs_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("export");
        exporter.write_file(&sweep, options, &path).expect("written");
        return std::fs::read(path).expect("reads");
    }
    let mut out = Vec::new();
    exporter.write_to(&sweep, options, &mut out).expect("written");
    out
}

/// A text export with the default options.
fn text(id: &str, plan: &Plan, records: &[TrialRecord]) -> String {
    let exporter = exporter(id).expect("an exporter");
    String::from_utf8(bytes(exporter, plan, records, ExportOptions::default())).expect("UTF-8")
}
