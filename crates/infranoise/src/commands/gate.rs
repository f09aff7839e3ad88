//! `infranoise gate`: for CI, fail on a real regression.

use std::collections::BTreeSet;

use infranoise_analysis::Effort;
use infranoise_analysis::compare::{Comparing, Word, compare};

use super::compare::{apart, words};
use crate::cli::{Gate, GateFormat, Inconclusive, InfraArg};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sources::{Source, load};
use crate::sweep::MADE_BY;

/// What a gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    NoRegression,
    Regression,
    Inconclusive,
    /// A journal is damaged, or trials have no record.
    NotWhole,
    NotComparable,
}

pub(super) fn run(args: &Gate) -> Result<Exit, CommandError> {
    let base = load(&args.base)?;
    let mut head = load(&args.head)?;
    apart(&base, &mut head);
    let infra = args.infra.map(InfraArg::assumption);
    let found = compare(&base.side(), &head.side(), args.margin, infra, MADE_BY, Effort::default())
        .map_err(CommandError::usage)?;
    let gaps = gaps(&[&base, &head]);
    let answer = answer(&found, args.margin / 100.0, !gaps.is_empty());
    match args.format {
        GateFormat::Text => {
            let lines =
                [title(answer).to_owned()].into_iter().chain(gaps.iter().map(|gap| format!("  ! {gap}")));
            console::data(&lines.chain(words(&found)).collect::<Vec<_>>().join("\n"))
        }
        GateFormat::Md => console::data(&markdown(answer, &found, &gaps)),
        GateFormat::Junit => console::data(&junit(answer, &found, &gaps)),
        GateFormat::Json => {
            let document = serde_json::json!({ "gate": title(answer), "gaps": gaps, "comparison": found });
            console::json(&document)
        }
    }?;
    Ok(match (answer, args.inconclusive) {
        (Answer::NoRegression, _) | (Answer::Inconclusive, Inconclusive::Pass) => Exit::Done,
        (Answer::Regression, _) => Exit::Regression,
        (Answer::Inconclusive, Inconclusive::Fail) => Exit::Inconclusive,
        (Answer::NotWhole, _) => Exit::Incomplete,
        (Answer::NotComparable, _) => Exit::NotComparable,
    })
}

/// Why a side is not all that was planned: damage, and trials without a record.
fn gaps(sides: &[&Source]) -> Vec<String> {
    let mut gaps = Vec::new();
    for side in sides {
        gaps.extend(side.damage.iter().map(|damage| format!("{}: {damage}", side.label)));
        let planned: u64 =
            side.plan.tasks.iter().map(|task| u64::from(side.plan.repeats_of(&side.arm, &task.id))).sum();
        let own = side.records.iter().map(|record| &record.facts.key).filter(|key| key.arm == side.arm);
        let recorded = own.collect::<BTreeSet<_>>().len() as u64;
        if recorded < planned {
            let missing = planned - recorded;
            gaps.push(format!("{}: {missing} of {planned} planned trials have no record", side.label));
        }
    }
    gaps
}

/// A real drop is a regression, also on part of a result; else a gate does not open on what is not whole. There is no regression if the difference is noise, a real gain, or its 90 % interval stays above the margin.
fn answer(found: &Comparing, margin: f64, gaps: bool) -> Answer {
    if !found.card.comparable {
        return Answer::NotComparable;
    }
    let difference = found.judgement.difference.unwrap_or(0.0);
    let claim =
        found.analysis.comparisons.first().and_then(|c| c.scores.first()).map(|score| &score.these_tasks);
    let stays_above =
        claim.and_then(|claim| claim.interval_90).is_some_and(|interval| interval.low > -margin);
    match found.judgement.word {
        Word::Real if difference < 0.0 => Answer::Regression,
        _ if gaps => Answer::NotWhole,
        Word::Real | Word::Noise => Answer::NoRegression,
        Word::CannotTell if stays_above => Answer::NoRegression,
        Word::CannotTell => Answer::Inconclusive,
    }
}

fn title(answer: Answer) -> &'static str {
    match answer {
        Answer::NoRegression => "no regression",
        Answer::Regression => "regression",
        Answer::Inconclusive => "inconclusive",
        Answer::NotWhole => "not whole",
        Answer::NotComparable => "not comparable",
    }
}

fn markdown(answer: Answer, found: &Comparing, gaps: &[String]) -> String {
    let mut text = format!("### infranoise gate: {}\n\n{}\n", title(answer), found.judgement.says);
    if !found.card.reservations.is_empty() || !gaps.is_empty() {
        text.push_str("\n**Before you believe it**\n\n");
        for says in gaps.iter().chain(&found.card.reservations) {
            text.push_str(&format!("* {says}\n"));
        }
    }
    text.push_str("\n<details><summary>The comparison</summary>\n\n```text\n");
    text.push_str(&words(found).join("\n").replace("```", "'''"));
    text.push_str("\n```\n\n</details>\n");
    text
}

/// One test case: it fails on a regression, errors if the two cannot be compared or are not whole, is skipped if nothing can be said.
fn junit(answer: Answer, found: &Comparing, gaps: &[String]) -> String {
    let says = escape(&found.judgement.says);
    let body = match answer {
        Answer::NoRegression => String::new(),
        Answer::Regression => format!("<failure message=\"{says}\"/>"),
        Answer::Inconclusive => format!("<skipped message=\"{says}\"/>"),
        Answer::NotWhole => format!("<error message=\"{}\"/>", escape(&gaps.join("; "))),
        Answer::NotComparable => {
            format!("<error message=\"{}\"/>", escape(&found.card.reservations.join("; ")))
        }
    };
    let count = |wanted| u8::from(answer == wanted);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites><testsuite name=\"infranoise\" tests=\"1\" failures=\"{}\" errors=\"{}\" \
         skipped=\"{}\"><testcase classname=\"infranoise.gate\" name=\"score\">{body}</testcase></testsuite></testsuites>\n",
        count(Answer::Regression),
        count(Answer::NotComparable) + count(Answer::NotWhole),
        count(Answer::Inconclusive)
    )
}

fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
