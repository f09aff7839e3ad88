//! `[metadata]`: free labels, and our own `[metadata.infranoise]` with what Harbor has no field for.

use std::collections::BTreeMap;

use infranoise_core::Stated;
use toml_edit::Item;

use super::manifest::{Manifest, cpus};
use super::report::Report;
use super::section::{Section, label};

/// What of `[metadata.infranoise]` is only a label: truth tables, and whether a bundled task belongs to the demonstration.
const LABELS: [&str; 3] = ["expected", "expect", "demo"];

/// Reads the table into the manifest: `pids` and a fractional `cpus` change the task spec, all the rest are labels.
pub(super) fn read(mut metadata: Section<'_>, manifest: &mut Manifest, report: &mut Report) {
    for (key, item) in metadata.entries() {
        flatten(&key, item, &mut manifest.labels);
    }
    let mut ours = metadata.section(report, "infranoise");
    if let Some(pids) = ours.whole(report, "pids", 1) {
        match u32::try_from(pids) {
            Ok(pids) => manifest.spec.pids = Stated::Value(pids),
            Err(_) => report.error(ours.place("pids"), format!("`{pids}` is out of range"), "give less"),
        }
    }
    let own_cpus = cpus(&mut ours, report);
    if own_cpus != Stated::NotStated {
        manifest.spec.cpu = own_cpus;
    }
    ours.text(report, "egress");
    for key in LABELS {
        ours.item(key);
    }
    ours.finish(report);
}

/// Writes an item as one label, or a table as one label per key.
fn flatten(key: &str, item: &Item, labels: &mut BTreeMap<String, String>) {
    match (item.as_table_like(), item.as_value()) {
        (Some(table), _) => {
            for (inner, item) in table.iter() {
                flatten(&format!("{key}.{inner}"), item, labels);
            }
        }
        (None, Some(value)) => {
            labels.insert(key.to_owned(), label(value));
        }
        (None, None) => {}
    }
}
