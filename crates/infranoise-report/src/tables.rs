//! The tables that HTML and Markdown share.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{Claim, Difference};
use infranoise_core::{ScoringRule, Shown};

use crate::table::{Align, Table};
use crate::text::{number, words};

/// How the planned trials of each arm ended.
#[must_use]
pub fn outcomes(analysis: &Analysis) -> Table {
    let mut table = Table::new(&["arm", "asks for", ">planned"]);
    for shown in Shown::ALL {
        table.column(&shown.to_string(), Align::Right);
    }
    table.column("coverage, %", Align::Right);
    for arm in &analysis.arms {
        let counts = Shown::ALL.into_iter().map(|shown| number::count(arm.count(shown)));
        let head = [words::arm(arm), arm.says.clone(), number::count(arm.planned)];
        table.push(head.into_iter().chain(counts).chain([number::percent(arm.coverage)]));
    }
    table
}

/// Error rates and scores of each arm.
#[must_use]
pub fn rates(analysis: &Analysis) -> Table {
    let mut table = Table::new(&["arm", ">ceiling kills, %", ">faults, %", ">infra errors, %"]);
    let rules = [ScoringRule::Strict, ScoringRule::ValidOnly];
    for rule in rules {
        table.column(&format!("{rule} score, %"), Align::Right);
    }
    table.column("bounds, %", Align::Right);
    for arm in &analysis.arms {
        let score = |rule| arm.score(rule).and_then(|row| row.estimate);
        let rates = [&arm.ceiling_kills, &arm.faults, &arm.infra_errors].map(words::rate);
        let scores =
            rules.map(|rule| score(rule).map_or("no trial".to_owned(), |e| number::percent_cell(&e)));
        let bounds = match (score(ScoringRule::LowerBound), score(ScoringRule::UpperBound)) {
            (Some(low), Some(high)) => {
                format!("{} to {}", number::percent(low.value), number::percent(high.value))
            }
            _ => "no trial".to_owned(),
        };
        table.push(std::iter::once(words::arm(arm)).chain(rates).chain(scores).chain([bounds]));
    }
    table
}

/// Which of the two claims of a difference.
pub(crate) type Side = fn(&Difference) -> &Claim;

/// The two claims with their headings; they are never mixed in one table.
pub(crate) const SIDES: [(&str, Side); 2] = [
    ("These tasks: would the same tasks score differently?", |difference| &difference.these_tasks),
    ("Tasks like these: would other tasks of this kind?", |difference| &difference.new_tasks),
];

/// Differences in score, about one of the two.
#[must_use]
pub fn scores(analysis: &Analysis, side: Side) -> Table {
    let mut table =
        Table::new(&["arm against base", "rule", ">tasks", ">points [interval]", ">p", ">p (Holm)"]);
    table.column("90 % interval", Align::Right);
    let is_judged =
        analysis.comparisons.iter().flat_map(|c| &c.scores).any(|d| !verdict(d, side(d)).is_empty());
    if is_judged {
        table.column("verdict", Align::Left);
    }
    for comparison in &analysis.comparisons {
        for difference in &comparison.scores {
            let claim = side(difference);
            let effect = claim.test.as_ref().map(|test| number::points_cell(&test.effect));
            let why = claim.why_not.clone().unwrap_or_else(|| "no test".to_owned());
            // A p-value never stands without an effect and its interval.
            let p =
                |p: Option<f64>| p.filter(|_| claim.test.is_some()).map(number::p_value).unwrap_or_default();
            table.push([
                format!("{} against {}", comparison.arm, comparison.base),
                difference.rule.to_string(),
                number::count(difference.tasks),
                effect.unwrap_or(why),
                p(claim.test.as_ref().map(|test| test.p)),
                p(claim.p_holm),
                claim.interval_90.map(|interval| number::points_interval(&interval)).unwrap_or_default(),
                verdict(difference, claim),
            ]);
        }
    }
    table
}

/// The verdict stands on these tasks; a claim about tasks like these has none of its own.
fn verdict(difference: &Difference, claim: &Claim) -> String {
    if claim.scope == difference.these_tasks.scope { difference.verdict.says.clone() } else { String::new() }
}

/// Differences in infra errors.
#[must_use]
pub fn kills(analysis: &Analysis) -> Table {
    let heads = [
        "arm against base",
        "what",
        ">base",
        ">arm",
        ">points [interval]",
        ">odds ratio [interval]",
        ">exact p",
    ];
    let mut table = Table::new(&heads);
    table.column("p (Holm)", Align::Right);
    for comparison in &analysis.comparisons {
        for kills in &comparison.kills {
            let of = |(events, trials): (u64, u64)| {
                format!("{} of {}", number::count(events), number::count(trials))
            };
            let effect = match &kills.risk_difference {
                Some(estimate) => number::points_cell(estimate),
                None => kills.why_not.clone().unwrap_or_else(|| "not computed".to_owned()),
            };
            // A p-value never stands without an effect and its interval.
            let has_effect = kills.risk_difference.is_some() || kills.odds_ratio.is_some();
            let p = |p: Option<f64>| p.filter(|_| has_effect).map(number::p_value).unwrap_or_default();
            table.push([
                format!("{} against {}", comparison.arm, comparison.base),
                kills.what.clone(),
                of(kills.base),
                of(kills.arm),
                effect,
                kills.odds_ratio.map(|ratio| number::ratio_estimate(&ratio)).unwrap_or_default(),
                p(kills.p_exact),
                p(kills.p_holm),
            ]);
        }
    }
    table
}
