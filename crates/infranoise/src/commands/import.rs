//! `infranoise import`: results that people already have become a sweep of our own form; everything works on from there.

use std::path::{Path, PathBuf};

use infranoise_analysis::side_by_side::{SideBySide, side_by_side};
use infranoise_analysis::{Effort, analyse};
use infranoise_core::{Event, Plan, SweepId, TrialRecord};
use infranoise_formats::results::{ImportOptions, Imported, import_with as read};
use infranoise_runner::clock::now_ms;
use infranoise_store::SweepFolder;

use crate::cli::Import;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sweep::MADE_BY;

/// How many losses are said; the rest is in the file.
const SAID: usize = 8;

pub(super) fn run(args: &Import) -> Result<Exit, CommandError> {
    let paths: Vec<&Path> = args.paths.iter().map(AsRef::as_ref).collect();
    let name = args.name.as_deref().map(SweepId::try_new).transpose().map_err(CommandError::usage)?;
    if let Some(folder) = args.tasks.iter().find(|folder| !folder.is_dir()) {
        return Err(CommandError::usage(format!("--tasks: `{}` is no folder", folder.display())));
    }
    let options = ImportOptions { name, now_ms: now_ms(), tasks: args.tasks.clone() };
    let imported = read(&paths, options).map_err(|error| CommandError::new(Exit::NothingMatched, error))?;
    console::warnings(losses_words(&imported));
    let trials = imported.records.len();
    let Written { sweep, plan, records } = write(&args.out, imported)?;
    console::say(&format!(
        "{trials} trials in {} arm(s) are in {}; go on with: infranoise report {}",
        plan.arms.len(),
        sweep.display(),
        sweep.display()
    ));
    let analysis = analyse(&plan, &records, MADE_BY, Effort::default());
    if args.json {
        console::json(&analysis)?;
    } else {
        console::data(&infranoise_report::terminal(&analysis, console::width(), console::colour_out()))?;
        console::data(&sides(&side_by_side(&plan, &records, &analysis)))?;
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
    let options = ImportOptions { name, now_ms: now_ms(), ..ImportOptions::default() };
    read(paths, options).map_err(|error| CommandError::new(Exit::NothingMatched, error))
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

/// What was written, still in memory.
struct Written {
    sweep: PathBuf,
    plan: Plan,
    records: Vec<TrialRecord>,
}

/// Writes the plan, the journal and the losses, as a sweep of our own. An import of the same things is done anew; one of
/// other things is left alone.
fn write(out: &Path, imported: Imported) -> Result<Written, CommandError> {
    let sweep = out.join(imported.plan.sweep.as_str());
    if sweep.exists() {
        let (_, known) = SweepFolder::open(&sweep)?;
        if known.plan.imported.is_none() {
            return Err(CommandError::usage(format!("`{}` is a sweep of our own", sweep.display()))
                .hint("choose another --name"));
        }
        let sources =
            |plan: &Plan| plan.imported.as_ref().map(|from| from.sources.clone()).unwrap_or_default();
        if sources(&known.plan) != sources(&imported.plan) {
            let of = sources(&known.plan).join(", ");
            return Err(CommandError::usage(format!("`{}` holds an import of {of}", sweep.display()))
                .hint("choose another --name, or remove that folder"));
        }
        std::fs::remove_dir_all(&sweep).map_err(at("write anew", &sweep))?;
    }
    let (folder, plan) = SweepFolder::create(out, &imported.plan)?;
    let (_lock, mut writer, _) = folder.write(&plan)?;
    let at_ms = now_ms();
    let started = Event::SweepStarted {
        at_ms,
        plan_sha256: plan.sha256.clone(),
        host: Box::new(imported.plan.host.clone()),
        concurrency: 0,
        resumed: 0,
    };
    let ended =
        imported.records.into_iter().map(|record| Event::TrialEnded { at_ms, record: Box::new(record) });
    let events: Vec<Event> = [started].into_iter().chain(ended).collect();
    writer.append_all(&events)?;
    let losses = serde_json::to_vec_pretty(&imported.losses)
        .map_err(|error| CommandError::new(Exit::Unexpected, format!("write the losses: {error}")))?;
    folder.write_document("losses.json", &losses)?;
    let records = events.into_iter().filter_map(|event| match event {
        Event::TrialEnded { record, .. } => Some(*record),
        Event::SweepStarted { .. }
        | Event::TrialStarted { .. }
        | Event::PhaseStarted { .. }
        | Event::TrialLost { .. }
        | Event::SweepStopped { .. } => None,
    });
    Ok(Written { records: records.collect(), sweep, plan: imported.plan })
}
