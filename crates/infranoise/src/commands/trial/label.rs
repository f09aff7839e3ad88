//! `infranoise trial label`: a blind sample for people to judge, and what their judgements say about the classifier.

use std::path::Path;

use infranoise_analysis::labels::{LabelClass, LabelReport, LabelSheet, Rate, draw, score};

use crate::cli::TrialLabel;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sources;

pub(super) fn run(args: &TrialLabel) -> Result<Exit, CommandError> {
    let (plan, records) = sources::read(&args.result)?;
    if let Some(judged) = &args.judged {
        let report = score(&plan, &records, &read(judged)?);
        if args.json {
            console::json(&report)?;
        } else {
            console::data(&words(&report).join("\n"))?;
        }
        return Ok(Exit::Done);
    }
    let sheet = draw(&plan, &records, args.draw, args.seed.unwrap_or(plan.seed));
    let text = serde_json::to_string_pretty(&sheet)
        .map_err(|error| CommandError::new(Exit::Unexpected, format!("write JSON: {error}")))?;
    if args.output == Path::new("-") {
        console::data(&text)?;
        return Ok(Exit::Done);
    }
    std::fs::write(&args.output, text).map_err(at("write", &args.output))?;
    console::say(&format!(
        "{} trials to judge are in {}: write pass, fail, ceiling, fault, undetermined or not_started into each `truth`, then:\n  \
         infranoise trial label {} --judged {}",
        sheet.items.len(),
        args.output.display(),
        args.result.display(),
        args.output.display()
    ));
    Ok(Exit::Done)
}

fn read(path: &Path) -> Result<LabelSheet, CommandError> {
    let text = std::fs::read_to_string(path).map_err(at("read", path))?;
    serde_json::from_str(&text).map_err(|error| CommandError::usage(format!("`{}`: {error}", path.display())))
}

fn rate(rate: &Rate) -> String {
    match rate {
        Rate::Known(estimate) => format!(
            "{:.1} % [{:.1}, {:.1}]",
            estimate.value * 100.0,
            estimate.low * 100.0,
            estimate.high * 100.0
        ),
        Rate::Absent { why } => why.clone(),
    }
}

/// A class by its name on disk.
fn class(class: LabelClass) -> String {
    serde_json::to_value(class).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn words(report: &LabelReport) -> Vec<String> {
    let judged: u64 = report.strata.iter().map(|stratum| stratum.sampled).sum();
    let mut lines = vec![
        format!("{judged} trials are judged, {} are not yet", report.unjudged),
        format!("judge and classifier agree on {}", rate(&report.agreement)),
        String::new(),
        format!("{:16} {:28} {}", "class", "precision", "recall"),
    ];
    for accuracy in &report.classes {
        lines.push(format!(
            "{:16} {:28} {}",
            class(accuracy.class),
            rate(&accuracy.precision),
            rate(&accuracy.recall)
        ));
    }
    if !report.disagreements.is_empty() {
        lines.push(String::new());
        lines.push("they disagree on:".to_owned());
    }
    lines.extend(report.disagreements.iter().map(|found| {
        format!(
            "  {}: {} by {}, judged {} {}",
            found.trial, found.verdict, found.rule, found.truth, found.note
        )
    }));
    lines.extend(report.warnings.iter().map(|warning| format!("! {warning}")));
    lines
}
