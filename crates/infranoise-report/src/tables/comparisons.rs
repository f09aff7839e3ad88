//! Arms against their base.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{Claim, Difference};

use crate::table::{Align, Table};
use crate::text::number;

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
