//! `infranoise sweep` and `infranoise run`.

use crate::cli::{Run, Sweep};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sweep::{Outcome, execute, resolve_run, resolve_sweep};

/// `infranoise sweep`
pub(super) fn sweep(args: &Sweep) -> Result<Exit, CommandError> {
    let json = args.what.json;
    show(&execute(resolve_sweep(args)?)?, json)
}

/// `infranoise run`
pub(super) fn run(args: &Run) -> Result<Exit, CommandError> {
    let json = args.what.json;
    show(&execute(resolve_run(args)?)?, json)
}

/// Shows what a sweep left: the table or JSON on stdout, the report's path on stderr.
pub(super) fn show(outcome: &Outcome, json: bool) -> Result<Exit, CommandError> {
    let printed = match &outcome.analysis {
        Some(analysis) if json => console::json(analysis),
        Some(analysis) => {
            console::data(&infranoise_report::terminal(analysis, console::width(), console::colour_out()))
        }
        None => Ok(()),
    };
    // Where the report is, is worth knowing above all if the table could not be printed.
    if let Some(report) = &outcome.report {
        console::say(&format!("report: {}", report.display()));
    }
    printed.map(|()| outcome.exit)
}
