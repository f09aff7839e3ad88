//! `infranoise stats eval`: methods by name, cases in and values out.

use std::io::Read as _;
use std::path::Path;

use infranoise_stats::eval::eval_document;
use serde_json::Value;

use crate::cli::Stats;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;

pub(super) fn run(args: &Stats) -> Result<Exit, CommandError> {
    let Stats::Eval { file } = args;
    let bad = |error: &dyn std::fmt::Display| CommandError::usage(format!("`{}`: {error}", file.display()));
    let document: Value = serde_json::from_str(&read(file)?).map_err(|error| bad(&error))?;
    let answers = eval_document(&document).map_err(|error| bad(&error))?;
    let failed =
        answers.as_array().is_some_and(|answers| answers.iter().any(|answer| answer.get("error").is_some()));
    console::json(&answers)?;
    Ok(if failed { Exit::Usage } else { Exit::Done })
}

fn read(file: &Path) -> Result<String, CommandError> {
    if file == Path::new("-") {
        let mut text = String::new();
        return std::io::stdin().read_to_string(&mut text).map(|_| text).map_err(at("read", file));
    }
    std::fs::read_to_string(file).map_err(at("read", file))
}
