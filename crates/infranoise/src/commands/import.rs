//! `infranoise import`: results that people already have become a sweep of our own form; everything works on from there.

use std::path::Path;

use infranoise_analysis::side_by_side::{SideBySide, side_by_side};
use infranoise_core::{Event, SweepId, TrialRecord};
use infranoise_formats::results::{Imported, import as read};
use infranoise_runner::clock::now_ms;
use infranoise_store::SweepFolder;

use crate::cli::Import;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;

/// How many losses are said; the rest is in the file.
const SAID: usize = 8;

pub(super) fn run(args: &Import) -> Result<Exit, CommandError> {
    let paths: Vec<&Path> = args.paths.iter().map(AsRef::as_ref).collect();
    let name = args.name.as_deref().map(SweepId::try_new).transpose().map_err(CommandError::usage)?;
    let imported = import(&paths, name)?;
    console::warnings(losses_words(&imported));
    let sweep = write(&args.out, &imported)?;
    console::say(&format!(
        "{} trials in {} arm(s) are in {}; go on with: infranoise report {}",
        imported.records.len(),
        imported.plan.arms.len(),
        sweep.display(),
        sweep.display()
    ));
    let analysis = super::analyze::read(&sweep)?;
    if args.json {
        console::json(&analysis)?;
    } else {
        console::data(&infranoise_report::terminal(&analysis, console::width(), console::colour_out()))?;
        console::data(&sides(&side_by_side(&imported.plan, &imported.records, &analysis)))?;
    }
    Ok(Exit::Done)
}

/// Everybody's score of the same trials.
fn sides(arms: &[SideBySide]) -> String {
    let width = arms.iter().flat_map(|arm| &arm.rows).map(|row| row.rule.len()).max().unwrap_or(0);
    let mut lines = vec![String::new(), "the same trials under everybody's rule:".to_owned()];
    for arm in arms {
        lines.push(format!("  {}", arm.says));
        for row in &arm.rows {
            let score =
                row.score.map_or_else(|| "     -".to_owned(), |score| format!("{:5.1} %", score * 100.0));
            lines.push(format!(
                "    {:width$}  {score}  {} trials, {} dropped",
                row.rule, row.trials, row.dropped
            ));
        }
    }
    lines.join("\n")
}

/// Imports without writing anything.
pub fn import(paths: &[&Path], name: Option<SweepId>) -> Result<Imported, CommandError> {
    read(paths, name, now_ms()).map_err(|error| CommandError::new(Exit::NothingMatched, error))
}

/// The losses in words.
pub fn losses_words(imported: &Imported) -> Vec<String> {
    let mut words: Vec<String> = imported
        .losses
        .kept
        .iter()
        .take(SAID)
        .map(|loss| format!("lost: {}, {}: {}", loss.file, loss.field, loss.reason))
        .collect();
    let more = imported.losses.total.saturating_sub(words.len() as u64);
    if more > 0 {
        words.push(format!("lost: {more} more; all of them are in losses.json of the imported sweep"));
    }
    words
}

/// Writes the plan, the journal and the losses, as a sweep of our own. An import of the same name is done anew.
fn write(out: &Path, imported: &Imported) -> Result<std::path::PathBuf, CommandError> {
    let path = out.join(imported.plan.sweep.as_str());
    if path.exists() {
        let (_, known) = SweepFolder::open(&path)?;
        if known.plan.imported.is_none() {
            return Err(CommandError::usage(format!("`{}` is a sweep of our own", path.display()))
                .hint("choose another --name"));
        }
        std::fs::remove_dir_all(&path).map_err(at("write anew", &path))?;
    }
    let (folder, plan) = SweepFolder::create(out, &imported.plan)?;
    let (_lock, mut writer, _) = folder.write(&plan)?;
    let at_ms = now_ms();
    writer.append(&Event::SweepStarted {
        at_ms,
        plan_sha256: plan.sha256.clone(),
        host: Box::new(imported.plan.host.clone()),
        concurrency: 0,
        resumed: 0,
    })?;
    let events: Vec<Event> = imported.records.iter().map(|record| ended(at_ms, record)).collect();
    writer.append_all(&events)?;
    let losses = serde_json::to_vec_pretty(&imported.losses)
        .map_err(|error| CommandError::new(Exit::Unexpected, format!("write the losses: {error}")))?;
    folder.write_document("losses.json", &losses)?;
    Ok(path)
}

fn ended(at_ms: u64, record: &TrialRecord) -> Event {
    Event::TrialEnded { at_ms, record: Box::new(record.clone()) }
}
