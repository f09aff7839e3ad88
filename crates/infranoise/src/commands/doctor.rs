//! `infranoise doctor`: can this host hold what a sweep asks for? A way out beside each failure.

use std::path::Path;

use infranoise_sandbox::doctor::{Diagnosis, Probe, Status, examine};

use crate::cli::Doctor;
use crate::console;
use crate::environment;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(args: &Doctor) -> Result<Exit, CommandError> {
    let state = environment::state_dir();
    // If it cannot be made, the checks that need it say so.
    let _ = std::fs::create_dir_all(&state);
    let findings = examine(&Probe::new(Path::new("/"), &state));
    if args.json {
        console::json(&findings)?;
    } else {
        console::data(&words(&findings))?;
    }
    let failed = findings.iter().any(|finding| finding.result.status == Status::Fail);
    Ok(if failed { Exit::Unfit } else { Exit::Done })
}

/// One line a check, a second one with the way out where there is something to do.
fn words(findings: &[Diagnosis]) -> String {
    let width = findings.iter().map(|finding| finding.what.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for finding in findings {
        let mark = match finding.result.status {
            Status::Ok => "ok  ",
            Status::Warn => "warn",
            Status::Fail => "FAIL",
        };
        lines.push(format!("{mark}  {:width$}  {}", finding.what, finding.result.says));
        lines.extend(
            finding.result.way_out.iter().map(|way_out| format!("      {:width$}  -> {way_out}", "")),
        );
    }
    let count = |status| findings.iter().filter(|finding| finding.result.status == status).count();
    lines.push(match (count(Status::Fail), count(Status::Warn)) {
        (0, 0) => "this host can hold what a sweep asks for".to_owned(),
        (0, warned) => format!("this host can hold what a sweep asks for, with {warned} reservations"),
        (failed, _) => format!("this host is unfit: {failed} checks failed"),
    });
    lines.join("\n")
}
