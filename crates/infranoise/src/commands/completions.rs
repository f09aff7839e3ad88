//! `infranoise completions`

use clap::CommandFactory as _;

use crate::cli::{Cli, Completions};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(args: &Completions) -> Result<Exit, CommandError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "infranoise", &mut text);
    console::data(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}
