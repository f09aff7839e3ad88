//! `infranoise trial list|show|logs|label`: every trial with its evidence at one command.

mod label;

use std::path::Path;

use infranoise_core::{Cause, EvidenceState, Plan, Shown, TrialRecord};
use infranoise_runner::dispatch::progress;
use infranoise_store::SweepFolder;

use crate::cli::{Trial, TrialList, TrialShow};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

/// The most that is printed of one log.
const LOG_LIMIT_BYTES: usize = 256 << 10;

pub(super) fn run(args: &Trial) -> Result<Exit, CommandError> {
    match args {
        Trial::List(args) => list(args),
        Trial::Show(args) => show(args),
        Trial::Logs(args) => logs(args),
        Trial::Label(args) => label::run(args),
    }
}

fn records(sweep: &Path) -> Result<(SweepFolder, Plan, Vec<TrialRecord>), CommandError> {
    let (folder, plan) = SweepFolder::open(sweep)?;
    let journal = folder.journal(&plan)?;
    let known = progress(&plan.plan, &journal);
    Ok((folder, plan.plan, known.records))
}

fn list(args: &TrialList) -> Result<Exit, CommandError> {
    let (_, _, mut records) = records(&args.sweep)?;
    let shown = args.shown.as_deref().map(shown).transpose()?;
    let cause = args.cause.as_deref().map(|text| word::<Cause>("cause", text)).transpose()?;
    let evidence =
        args.evidence.as_deref().map(|text| word::<EvidenceState>("state of evidence", text)).transpose()?;
    records.retain(|record| {
        let key = &record.facts.key;
        args.arm.as_deref().is_none_or(|arm| key.arm.as_str() == arm)
            && args.task.as_deref().is_none_or(|task| key.task.as_str() == task)
            && shown.is_none_or(|shown| Shown::of(record) == shown)
            && cause.is_none_or(|cause| record.classification.cause == cause)
            && args.rule.as_deref().is_none_or(|rule| record.classification.rule.0 == rule)
            && evidence.is_none_or(|state| record.classification.weakest_evidence() == state)
            && (!args.survived || !record.classification.survived.is_empty())
    });
    records.sort_by_key(|record| (record.facts.position, record.facts.attempt));
    if records.is_empty() {
        return Err(CommandError::new(Exit::NothingMatched, "no trial matches"));
    }
    if args.json {
        console::json(&records)?;
    } else {
        console::data(&table(&records))?;
    }
    Ok(Exit::Done)
}

/// A member of one of the record's own enumerations, as people write it.
fn word<T: serde::de::DeserializeOwned>(what: &str, text: &str) -> Result<T, CommandError> {
    let name = serde_json::Value::String(text.replace('-', "_"));
    serde_json::from_value(name)
        .map_err(|error| CommandError::usage(format!("`{text}` is not a {what}: {error}")))
}

/// One line per trial: what it counts as, why, and how heavy it was.
fn table(records: &[TrialRecord]) -> String {
    let width = records.iter().map(|record| record.facts.key.folder().len()).max().unwrap_or(0);
    let mut lines = vec![format!(
        "{:width$}  {:12}  {:24}  {:>9}  {:>9}  rule",
        "trial", "shown", "cause", "seconds", "peak"
    )];
    for record in records {
        let (facts, verdict) = (&record.facts, &record.classification);
        let peak =
            facts.telemetry.memory_peak_bytes.value().map_or_else(|| "-".to_owned(), ToString::to_string);
        let survived = if verdict.survived.is_empty() { "" } else { " (survived an event)" };
        let attempt =
            if facts.attempt.0 > 0 { format!(" (attempt {})", facts.attempt.0 + 1) } else { String::new() };
        lines.push(format!(
            "{:width$}  {:12}  {:24}  {:>9.2}  {:>9}  {}{survived}{attempt}",
            facts.key.folder(),
            Shown::of(record),
            verdict.cause.to_string(),
            facts.wall_ms as f64 / 1000.0,
            peak,
            verdict.rule.0
        ));
    }
    lines.join("\n")
}

/// An outcome as people write it.
fn shown(text: &str) -> Result<Shown, CommandError> {
    let wanted = text.replace(['-', '_'], " ");
    Shown::ALL.into_iter().find(|shown| shown.to_string() == wanted).ok_or_else(|| {
        let known: Vec<String> = Shown::ALL.iter().map(|shown| shown.to_string().replace(' ', "-")).collect();
        CommandError::usage(format!("`{text}` is not an outcome; there are {}", known.join(", ")))
    })
}

/// The one trial whose folder's name begins so; the last attempt, if there are several.
fn find(records: Vec<TrialRecord>, wanted: &str) -> Result<TrialRecord, CommandError> {
    let exact = |record: &&TrialRecord| record.facts.key.folder() == wanted;
    let mut matching: Vec<&TrialRecord> = records.iter().filter(exact).collect();
    if matching.is_empty() {
        matching = records.iter().filter(|record| record.facts.key.folder().starts_with(wanted)).collect();
    }
    let mut names: Vec<String> = matching.iter().map(|record| record.facts.key.folder()).collect();
    names.dedup();
    match names.as_slice() {
        [] => Err(CommandError::new(Exit::NothingMatched, format!("no trial is called `{wanted}`"))
            .hint("`infranoise trial list` shows their names")),
        [_] => matching
            .into_iter()
            .max_by_key(|record| record.facts.attempt)
            .cloned()
            .ok_or_else(|| CommandError::new(Exit::NothingMatched, "no trial")),
        _ => Err(CommandError::usage(format!("`{wanted}` could be any of {}", names.join(", ")))),
    }
}

fn show(args: &TrialShow) -> Result<Exit, CommandError> {
    let (_, _, records) = records(&args.sweep)?;
    let record = find(records, &args.trial)?;
    if args.json {
        console::json(&record)?;
    } else {
        console::data(&infranoise_report::trial(&record, console::width(), console::colour_out()))?;
    }
    Ok(Exit::Done)
}

fn logs(args: &TrialShow) -> Result<Exit, CommandError> {
    let (folder, plan, records) = records(&args.sweep)?;
    let record = find(records, &args.trial)?;
    if let (Some(imported), Some(source)) = (&plan.imported, &record.facts.source) {
        let file =
            imported.sources.iter().map(|from| Path::new(from).join(&source.file)).find(|path| path.exists());
        let place = file
            .as_deref()
            .and_then(Path::parent)
            .map_or_else(|| source.file.clone(), |p| p.display().to_string());
        console::data(&format!("the logs lie where the trial was read from: {place}"))?;
        return Ok(Exit::Done);
    }
    let trial = folder.trial(&record.facts.key, record.facts.attempt);
    let mut text = String::new();
    for part in ["setup", "agent", "verifier"] {
        let Ok(entries) = std::fs::read_dir(trial.join(part)) else { continue };
        let mut files: Vec<_> =
            entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        files.sort();
        for file in files {
            let Ok(bytes) = std::fs::read(&file) else { continue };
            let tail = bytes.len().saturating_sub(LOG_LIMIT_BYTES);
            let name = file.strip_prefix(&trial).unwrap_or(&file);
            text.push_str(&format!("==> {} ({} bytes)\n", name.display(), bytes.len()));
            let log = String::from_utf8_lossy(&bytes[tail..]);
            for line in log.lines() {
                text.push_str(&infranoise_report::text::clean::line(line));
                text.push('\n');
            }
        }
    }
    if text.is_empty() {
        return Err(CommandError::new(Exit::NothingMatched, "the trial left no logs"));
    }
    console::data(&text)?;
    Ok(Exit::Done)
}
