//! `infranoise analyze`: the tables of a sweep, or the whole document.

use std::path::Path;

use infranoise_analysis::subjects::{SubjectResult, subjects as compare_subjects};
use infranoise_analysis::{Analysis, Effort, analyse};
use infranoise_runner::dispatch::progress;
use infranoise_store::{PlanFile, SweepFolder};

use crate::cli::Analyze;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sources;
use crate::sweep::MADE_BY;

pub(super) fn run(args: &Analyze) -> Result<Exit, CommandError> {
    if let [_, _, ..] = args.sweeps.as_slice() {
        return subjects(args);
    }
    let Some(sweep) = args.sweeps.first() else { return Err(CommandError::usage("no sweep is named")) };
    let analysis = read(sweep)?;
    if args.json {
        console::json(&analysis)?;
    } else {
        console::data(&infranoise_report::terminal(&analysis, console::width(), console::colour_out()))?;
    }
    let complete = analysis.about.recorded == analysis.about.planned;
    Ok(if complete { Exit::Done } else { Exit::Incomplete })
}

/// Several subjects over the same arms.
fn subjects(args: &Analyze) -> Result<Exit, CommandError> {
    let mut read = Vec::new();
    for path in &args.sweeps {
        let (plan, records) = sources::read(path)?;
        let name =
            path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        read.push((name, plan, records));
    }
    let results: Vec<SubjectResult<'_>> = read
        .iter()
        .map(|(name, plan, records)| SubjectResult { name: name.clone(), plan, records })
        .collect();
    let found = compare_subjects(&results).map_err(|error| CommandError::new(Exit::NotComparable, error))?;
    if args.json {
        console::json(&found)?;
        return Ok(Exit::Done);
    }
    let mut lines = Vec::new();
    for ranking in &found.rankings {
        let order: Vec<String> =
            ranking.order.iter().map(|(name, score)| format!("{name} {:.1} %", score * 100.0)).collect();
        lines.push(format!("{:12} {}", ranking.arm.as_str(), order.join(" > ")));
    }
    lines.push(if found.ranking_holds {
        "the ranking by strict score is the same in every arm".to_owned()
    } else {
        "the ranking by strict score changes between arms".to_owned()
    });
    lines.extend(found.interactions.iter().map(|interaction| interaction.says.clone()));
    console::data(&lines.join("\n"))?;
    Ok(Exit::Done)
}

/// Reads a sweep's journal and analyses it; damage in the journal is said.
pub(super) fn read(sweep: &Path) -> Result<Analysis, CommandError> {
    if !sweep.join(PlanFile::NAME).exists() {
        let (plan, records) = sources::read(sweep)?;
        return Ok(analyse(&plan, &records, MADE_BY, Effort::default()));
    }
    let (folder, plan) = SweepFolder::open(sweep)?;
    let journal = folder.journal(&plan)?;
    console::warnings(journal.damage.iter().filter(|damage| !damage.torn_tail).map(|damage| {
        format!("journal line {}: {}; what it held is missing below", damage.line, damage.why)
    }));
    let known = progress(&plan.plan, &journal);
    Ok(analyse(&plan.plan, &known.records, MADE_BY, Effort::default()))
}
