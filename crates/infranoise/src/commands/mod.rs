//! One file per command.

mod analyze;
mod audit;
mod classify;
mod compare;
mod completions;
mod demo;
mod doctor;
mod explain;
mod export;
mod gap;
mod gate;
mod gc;
pub mod import;
mod leaderboard;
mod look;
mod plan;
mod reference;
mod report;
mod schema;
mod stats;
mod sweeping;
mod task;
mod trial;

use crate::cli::{Cli, Command};
use crate::error::CommandError;
use crate::exit::Exit;

/// Does what the command line says.
///
/// # Errors
/// With what went wrong and what to do about it.
pub fn run(cli: Cli) -> Result<Exit, CommandError> {
    match cli.command {
        Command::Demo(args) => demo::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Sweep(args) => sweeping::sweep(&args),
        Command::Run(args) => sweeping::run(&args),
        Command::Watch(args) => look::watch(&args),
        Command::Serve(args) => look::serve(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Leaderboard(args) => leaderboard::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Gap(args) => gap::run(&args),
        Command::Gc(args) => gc::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Trial(args) => trial::run(&args),
        Command::Task(args) => task::run(&args),
        Command::Classify(args) => classify::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Reference(args) => reference::run(&args),
    }
}
