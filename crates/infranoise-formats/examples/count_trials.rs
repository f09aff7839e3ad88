//! Imports paths and prints how many trials there are by verdict, in constant memory: `cargo run --release --example count_trials PATH...`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use infranoise_formats::results::{ImportEvent, import_each};

fn main() -> std::io::Result<()> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let imported = import_each(&paths, None, 0, &mut |event| {
        if let ImportEvent::Trial(record) = event {
            let said = &record.classification;
            *counts.entry(format!("{}: {}", said.blame, said.cause)).or_insert(0) += 1;
        }
    });
    let mut out = std::io::stdout().lock();
    for (what, count) in counts {
        writeln!(out, "{count:>8} {what}")?;
    }
    match imported {
        Ok(imported) => {
            writeln!(out, "{:>8} planned, {} losses", imported.plan.planned(), imported.losses.total)
        }
        Err(error) => writeln!(out, "{error}"),
    }
}
