//! `infranoise gate`: for CI, fail on a real regression.

use infranoise_analysis::Effort;
use infranoise_analysis::compare::{Comparing, Word, compare};

use super::compare::{apart, words};
use crate::cli::{Gate, GateFormat, Inconclusive, InfraArg};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sources::load;
use crate::sweep::MADE_BY;

/// What a gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    NoRegression,
    Regression,
    Inconclusive,
    NotComparable,
}

pub(super) fn run(args: &Gate) -> Result<Exit, CommandError> {
    let base = load(&args.base)?;
    let mut head = load(&args.head)?;
    apart(&base, &mut head);
    let infra = args.infra.map(InfraArg::assumption);
    let found = compare(&base.side(), &head.side(), args.margin, infra, MADE_BY, Effort::default())
        .map_err(CommandError::usage)?;
    let answer = answer(&found, args.margin / 100.0);
    match args.format {
        GateFormat::Text => console::data(&format!("{}\n{}", title(answer), words(&found).join("\n"))),
        GateFormat::Md => console::data(&markdown(answer, &found)),
        GateFormat::Junit => console::data(&junit(answer, &found)),
        GateFormat::Json => console::json(&serde_json::json!({ "gate": title(answer), "comparison": found })),
    }?;
    Ok(match (answer, args.inconclusive) {
        (Answer::NoRegression, _) | (Answer::Inconclusive, Inconclusive::Pass) => Exit::Done,
        (Answer::Regression, _) => Exit::Regression,
        (Answer::Inconclusive, Inconclusive::Fail) => Exit::Inconclusive,
        (Answer::NotComparable, _) => Exit::NotComparable,
    })
}

/// A real drop is a regression; there is none if the difference is noise, a real gain, or its 90 % interval stays above the margin.
fn answer(found: &Comparing, margin: f64) -> Answer {
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
        Answer::NotComparable => "not comparable",
    }
}

fn markdown(answer: Answer, found: &Comparing) -> String {
    let mut text = format!("### infranoise gate: {}\n\n{}\n", title(answer), found.judgement.says);
    if !found.card.reservations.is_empty() {
        text.push_str("\n**Before you believe it**\n\n");
        for says in &found.card.reservations {
            text.push_str(&format!("* {says}\n"));
        }
    }
    text.push_str("\n<details><summary>The comparison</summary>\n\n```text\n");
    text.push_str(&words(found).join("\n").replace("```", "'''"));
    text.push_str("\n```\n\n</details>\n");
    text
}

/// One test case: it fails on a regression, errors if the two cannot be compared, is skipped if nothing can be said.
fn junit(answer: Answer, found: &Comparing) -> String {
    let says = escape(&found.judgement.says);
    let body = match answer {
        Answer::NoRegression => String::new(),
        Answer::Regression => format!("<failure message=\"{says}\"/>"),
        Answer::Inconclusive => format!("<skipped message=\"{says}\"/>"),
        Answer::NotComparable => {
            format!("<error message=\"{}\"/>", escape(&found.card.reservations.join("; ")))
        }
    };
    let count = |wanted| u8::from(answer == wanted);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites><testsuite name=\"infranoise\" tests=\"1\" failures=\"{}\" errors=\"{}\" \
         skipped=\"{}\"><testcase classname=\"infranoise.gate\" name=\"score\">{body}</testcase></testsuite></testsuites>\n",
        count(Answer::Regression),
        count(Answer::NotComparable),
        count(Answer::Inconclusive)
    )
}

fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
