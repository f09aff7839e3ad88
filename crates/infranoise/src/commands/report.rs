//! `infranoise report`: a sweep's report as page, Markdown or JSON.

use std::path::Path;

use crate::cli::{Report, ReportFormat};
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;

pub(super) fn run(args: &Report) -> Result<Exit, CommandError> {
    let analysis = super::analyze::read(&args.sweep)?;
    let (text, extension) = match args.format {
        ReportFormat::Html => (infranoise_report::html(&analysis), "html"),
        ReportFormat::Md => (infranoise_report::markdown(&analysis), "md"),
        ReportFormat::Json => {
            let text = serde_json::to_string_pretty(&analysis)
                .map_err(|error| CommandError::new(Exit::Unexpected, format!("write JSON: {error}")))?;
            (text, "json")
        }
    };
    let path = args.output.clone().unwrap_or_else(|| args.sweep.join(format!("report.{extension}")));
    if path == Path::new("-") {
        console::data(&text)?;
        return Ok(Exit::Done);
    }
    std::fs::write(&path, text).map_err(at("write", &path))?;
    console::say(&format!("report: {}", path.display()));
    Ok(Exit::Done)
}
