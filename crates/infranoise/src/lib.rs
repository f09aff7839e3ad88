//! What does a person type?
//!
//! Arguments and files in, a resolved request to the other crates, words and exit codes out. Human text goes to stderr, data to stdout.
//! Deliberately absent: anything that decides about trials or numbers.

mod cli;
mod commands;
mod console;
mod environment;
mod error;
mod exit;
mod progress;
mod rootless;
mod signals;
mod sources;
mod sweep;

use std::process::ExitCode;

use clap::Parser as _;

pub use cli::Cli;
pub use exit::Exit;

/// Parses the command line, does what it says and turns the outcome into an exit code.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if error.use_stderr() {
                // Nothing better can be done if the terminal is gone.
                let _ = error.print();
                return Exit::Usage.into();
            }
            return match error.print().or_else(console::unwritten) {
                Ok(()) => Exit::Done.into(),
                Err(error) => failed(&error),
            };
        }
    };
    match commands::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) => failed(&error),
    }
}

/// Says what went wrong.
fn failed(error: &error::CommandError) -> ExitCode {
    console::error(error);
    error.exit().into()
}
