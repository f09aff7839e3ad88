//! `infranoise demo`: a real sweep of the bundled probes, in the first minute.

use infranoise_analysis::Analysis;

use crate::cli::Demo;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sweep::{execute, resolve_demo};

/// So many deviations from the design are named.
const MOST_DEVIATIONS: usize = 8;

pub(super) fn run(args: &Demo) -> Result<Exit, CommandError> {
    if let Some(folder) = &args.export {
        infranoise_probes::materialise(infranoise_probes::BUNDLED, folder)
            .map_err(at("write the bundled tasks to", folder))?;
        console::say(&format!(
            "{} tasks are in {}; try them with: infranoise sweep -p {} -a script",
            infranoise_probes::BUNDLED.len(),
            folder.display(),
            folder.display()
        ));
        return Ok(Exit::Done);
    }
    console::say(
        "demo: bundled probes under real kernel limits in six arms. It is staged: a check of the instrument, no model is measured.",
    );
    let outcome = execute(resolve_demo(args)?)?;
    let exit = super::sweeping::show(&outcome, args.json)?;
    if let Some(analysis) = &outcome.analysis {
        as_designed(analysis);
    }
    Ok(exit)
}

/// Says how many trials ended as their probe was designed to, and which did not.
fn as_designed(analysis: &Analysis) {
    let mut right = 0;
    let mut wrong = Vec::new();
    for row in &analysis.trials {
        let arm = analysis.arms.iter().find(|arm| arm.name == row.arm);
        let probe = infranoise_probes::demo().find(|task| task.name == row.task.as_str());
        let Some((arm, ceiling, probe)) = arm.and_then(|arm| Some((arm, arm.headroom?, probe?))) else {
            continue;
        };
        // A cell of the design that is open depends on the host.
        let Some(design) = probe.expected(arm.kill_scope, ceiling) else { continue };
        let is_right = design.shown == row.shown
            && design.cause.is_none_or(|cause| cause == row.cause)
            && design.phase.is_none_or(|phase| Some(phase) == row.phase);
        if is_right {
            right += 1;
        } else {
            wrong.push(format!(
                "{} in {}: designed {}, found {} ({})",
                row.task, row.arm, design.shown, row.shown, row.cause
            ));
        }
    }
    let all = right + wrong.len();
    if all == 0 {
        return;
    }
    console::say(&format!("{right} of {all} trials ended as designed"));
    for says in wrong.iter().take(MOST_DEVIATIONS) {
        console::say(&format!("  ! {says}"));
    }
    if wrong.len() > MOST_DEVIATIONS {
        console::say(&format!("  ! and {} more", wrong.len() - MOST_DEVIATIONS));
    }
}
