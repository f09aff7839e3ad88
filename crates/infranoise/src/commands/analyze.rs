//! `infranoise analyze`: the tables of a sweep, or the whole document.

use std::path::Path;

use infranoise_analysis::{Analysis, Effort, analyse};
use infranoise_runner::dispatch::progress;
use infranoise_store::SweepFolder;

use crate::cli::Analyze;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sweep::MADE_BY;

pub(super) fn run(args: &Analyze) -> Result<Exit, CommandError> {
    let analysis = read(&args.sweep)?;
    if args.json {
        console::json(&analysis)?;
    } else {
        console::data(&infranoise_report::terminal(&analysis, console::width(), console::colour_out()));
    }
    let complete = analysis.about.recorded == analysis.about.planned;
    Ok(if complete { Exit::Done } else { Exit::Incomplete })
}

/// Reads a sweep's journal and analyses it; damage in the journal is said.
pub(super) fn read(sweep: &Path) -> Result<Analysis, CommandError> {
    let (folder, plan) = SweepFolder::open(sweep)?;
    let journal = folder.journal(&plan)?;
    console::warnings(journal.damage.iter().filter(|damage| !damage.torn_tail).map(|damage| {
        format!("journal line {}: {}; what it held is missing below", damage.line, damage.why)
    }));
    let known = progress(&plan.plan, &journal);
    Ok(analyse(&plan.plan, &known.records, MADE_BY, Effort::default()))
}
