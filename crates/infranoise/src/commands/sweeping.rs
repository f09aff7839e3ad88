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
    if let Some(analysis) = &outcome.analysis {
        if json {
            console::json(analysis)?;
        } else {
            console::data(&infranoise_report::terminal(analysis, console::width(), console::colour_out()));
        }
    }
    if let Some(report) = &outcome.report {
        console::say(&format!("report: {}", report.display()));
    }
    Ok(outcome.exit)
}
