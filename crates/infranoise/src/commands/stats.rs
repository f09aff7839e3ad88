//! `infranoise stats eval`: methods by name, cases in and values out.

use std::io::Read as _;
use std::path::Path;

use infranoise_stats::eval::eval;
use serde_json::{Value, json};

use crate::cli::Stats;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;

pub(super) fn run(args: &Stats) -> Result<Exit, CommandError> {
    let Stats::Eval { file } = args;
    let text = read(file)?;
    let document: Value = serde_json::from_str(&text)
        .map_err(|error| CommandError::usage(format!("`{}`: {error}", file.display())))?;
    let cases = match &document {
        Value::Array(cases) => cases.clone(),
        Value::Object(object) => match object.get("cases") {
            Some(Value::Array(cases)) => cases.clone(),
            Some(_) => {
                return Err(CommandError::usage(format!("`{}`: `cases` is not a list", file.display())));
            }
            None => vec![document.clone()],
        },
        _ => {
            return Err(CommandError::usage(format!(
                "`{}`: expected a case or a list of cases",
                file.display()
            )));
        }
    };
    let answers: Vec<Value> = cases.iter().map(answer).collect();
    let failed = answers.iter().any(|answer| answer.get("error").is_some());
    console::json(&answers)?;
    Ok(if failed { Exit::Usage } else { Exit::Done })
}

/// The answer to one case, or why there is none.
fn answer(case: &Value) -> Value {
    let id = case.get("id").cloned().unwrap_or(Value::Null);
    let Some(method) = case.get("method").and_then(Value::as_str) else {
        return json!({ "id": id, "error": "the case names no `method`" });
    };
    let nothing = json!({});
    match eval(method, case.get("inputs").unwrap_or(&nothing)) {
        Ok(values) => json!({ "id": id, "method": method, "values": values }),
        Err(error) => json!({ "id": id, "method": method, "error": error.to_string() }),
    }
}

fn read(file: &Path) -> Result<String, CommandError> {
    if file == Path::new("-") {
        let mut text = String::new();
        return std::io::stdin().read_to_string(&mut text).map(|_| text).map_err(at("read", file));
    }
    std::fs::read_to_string(file).map_err(at("read", file))
}
