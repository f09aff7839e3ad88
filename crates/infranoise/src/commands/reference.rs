//! `infranoise reference`: the command reference and the man pages, made from the command line's own definition.

use std::path::Path;

use clap::CommandFactory as _;

use crate::cli::{Cli, Reference};
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;

pub(super) fn run(args: &Reference) -> Result<Exit, CommandError> {
    match &args.man {
        Some(folder) => man(folder),
        None => {
            console::data(&markdown())?;
            Ok(Exit::Done)
        }
    }
}

/// The command reference as Markdown: the long help of every command.
pub(crate) fn markdown() -> String {
    let mut text = String::from("# Command reference\n\nMade by `infranoise reference`; do not edit.\n");
    let mut root = Cli::command().term_width(110);
    root.build();
    append(&mut text, &root, "");
    text
}

fn append(text: &mut String, command: &clap::Command, prefix: &str) {
    let name = if prefix.is_empty() {
        command.get_name().to_owned()
    } else {
        format!("{prefix} {}", command.get_name())
    };
    let help = command.clone().term_width(110).render_long_help().to_string();
    text.push_str(&format!("\n## `{name}`\n\n```text\n{}\n```\n", help.trim_end()));
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        append(text, sub, &name);
    }
}

fn man(folder: &Path) -> Result<Exit, CommandError> {
    clap_mangen::generate_to(Cli::command(), folder).map_err(at("write man pages to", folder))?;
    Ok(Exit::Done)
}
