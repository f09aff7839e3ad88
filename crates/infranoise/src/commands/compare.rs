//! `infranoise compare`: two results against each other.

use infranoise_analysis::Effort;
use infranoise_analysis::compare::{Comparing, Same, Word, compare};

use crate::cli::Compare;
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sources::{Source, load};
use crate::sweep::MADE_BY;

/// How many flips are printed.
const FLIPS: usize = 12;

pub(super) fn run(args: &Compare) -> Result<Exit, CommandError> {
    let base = load(&args.base)?;
    let mut all = Vec::new();
    for other in &args.others {
        let mut other = load(other)?;
        apart(&base, &mut other);
        let infra = args.infra.map(crate::cli::InfraArg::assumption);
        let found = compare(&base.side(), &other.side(), args.margin, infra, MADE_BY, Effort::default())
            .map_err(CommandError::usage)?;
        all.push(found);
    }
    if args.json {
        console::json(&all)?;
    } else {
        let texts: Vec<String> = all.iter().map(|found| words(found).join("\n")).collect();
        console::data(&texts.join("\n\n"))?;
    }
    Ok(all.iter().map(exit).max_by_key(|exit| exit.code()).unwrap_or(Exit::Done))
}

/// Gives the other a name of its own, if both folders are called the same.
pub(super) fn apart(base: &Source, other: &mut Source) {
    if base.label == other.label {
        let name = format!("{}-2", other.label);
        other.label = infranoise_core::ArmId::try_new(name).unwrap_or_else(|_| other.label.clone());
    }
}

/// The exit code of a comparison.
fn exit(found: &Comparing) -> Exit {
    match found.judgement.word {
        _ if !found.card.comparable => Exit::NotComparable,
        Word::Real | Word::Noise => Exit::Done,
        Word::CannotTell => Exit::Inconclusive,
    }
}

/// A comparison in words.
pub(super) fn words(found: &Comparing) -> Vec<String> {
    let names: Vec<&str> = found.analysis.arms.iter().map(|arm| arm.name.as_str()).collect();
    let title = format!("{} against {}", names.get(1).unwrap_or(&"?"), names.first().unwrap_or(&"?"));
    let mut lines = vec![format!("{title}: {}", found.judgement.says)];
    if !found.card.comparable {
        lines.push("not comparable:".to_owned());
    }
    lines.extend(found.card.reservations.iter().map(|says| format!("  ! {says}")));
    lines.push(String::new());
    let width = found.card.rows.iter().map(|row| row.what.len()).max().unwrap_or(0);
    for row in &found.card.rows {
        let mark = match row.same {
            Same::Same => "=",
            Same::Different => "≠",
            Same::Unknown => "?",
        };
        lines.push(if row.same == Same::Same {
            format!("  {mark} {:width$}  {}", row.what, row.base)
        } else {
            format!("  {mark} {:width$}  {} | {}", row.what, row.base, row.other)
        });
    }
    lines.push(String::new());
    lines.extend(parts(found));
    lines.extend(incidents(found));
    lines.extend(flips(found));
    lines
}

/// What the difference is made of.
fn parts(found: &Comparing) -> Vec<String> {
    let Some(comparison) = found.analysis.comparisons.first() else { return Vec::new() };
    let mut lines = Vec::new();
    let hidden = found
        .analysis
        .arms
        .iter()
        .any(|arm| arm.ceiling_kills.estimate.is_none() && arm.ceiling_kills.of > 0);
    if hidden {
        lines.push("  ceiling kills  not observable in both, and so are infra errors".to_owned());
    }
    for kills in comparison.kills.iter().filter(|kills| !hidden || kills.what == "faults") {
        let rate = |(count, of): (u64, u64)| {
            if of == 0 {
                "-".to_owned()
            } else {
                format!("{count} of {of} ({:.1} %)", count as f64 / of as f64 * 100.0)
            }
        };
        lines.push(format!("  {:14} {} -> {}", kills.what, rate(kills.base), rate(kills.arm)));
    }
    if let Some(split) = &comparison.decomposition {
        lines.push(format!(
            "  over the {} tasks with an undisturbed trial in the other: {:+.1} points by infra errors removed, {:+.1} the rest",
            split.tasks,
            split.noise_removed.value * 100.0,
            split.rest.value * 100.0
        ));
    }
    lines
}

fn incidents(found: &Comparing) -> Vec<String> {
    let large = found.incidents.iter().filter(|incident| incident.trials.len() > 1).take(3);
    let mut lines: Vec<String> = large
        .map(|incident| {
            format!("  incident in {}: {} trials, {}", incident.result, incident.trials.len(), incident.cause)
        })
        .collect();
    if let (false, Some(without)) = (lines.is_empty(), found.judgement.without_largest_incident) {
        let word = match without {
            Word::Real => "real",
            Word::Noise => "noise",
            Word::CannotTell => "can't tell",
        };
        lines.push(format!("  without the largest incident: {word}"));
    }
    lines
}

fn flips(found: &Comparing) -> Vec<String> {
    if found.flips.is_empty() {
        return vec!["  no task differs in success".to_owned()];
    }
    let mut lines = vec![format!("  {} tasks differ in success, the largest:", found.flips.len())];
    lines.extend(found.flips.iter().take(FLIPS).map(|flip| {
        format!(
            "    {:32} {}/{} -> {}/{}",
            flip.task.as_str(),
            flip.base.0,
            flip.base.1,
            flip.other.0,
            flip.other.1
        )
    }));
    lines
}
