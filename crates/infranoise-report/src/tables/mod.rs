//! The tables that HTML and Markdown share: arms here, comparisons and what all arms say together beside.

use infranoise_analysis::Analysis;
use infranoise_core::{ScoringRule, Shown};

use crate::table::{Align, Table};
use crate::text::{number, words};

mod comparisons;
mod together;

pub(crate) use comparisons::{SIDES, kills, scores};
pub(crate) use together::{components, noise_floor, trends};

/// How the planned trials of each arm ended.
#[must_use]
pub fn outcomes(analysis: &Analysis) -> Table {
    let mut table = Table::new(&["arm", "asks for", ">planned"]);
    for shown in Shown::ALL {
        table.column(&shown.to_string(), Align::Right);
    }
    let is_pending = words::is_pending(&analysis.arms);
    if is_pending {
        table.column("pending", Align::Right);
    }
    table.column("coverage, %", Align::Right);
    for arm in &analysis.arms {
        let counts = Shown::ALL.into_iter().map(|shown| number::count(words::ended(arm, shown)));
        let head = [words::arm(arm), arm.says.clone(), number::count(arm.planned)];
        let pending = is_pending.then(|| number::count(arm.not_recorded));
        table.push(head.into_iter().chain(counts).chain(pending).chain([number::percent(arm.coverage)]));
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
        let value = |rule| arm.score(rule).and_then(|row| row.value.or(row.estimate.map(|e| e.value)));
        let rates = [&arm.ceiling_kills, &arm.faults, &arm.infra_errors].map(words::rate);
        let scores = rules.map(|rule| words::score(arm.score(rule)));
        let bounds = match (value(ScoringRule::LowerBound), value(ScoringRule::UpperBound)) {
            (Some(low), Some(high)) => {
                format!("{} to {}", number::percent(low), number::percent(high))
            }
            _ => "no trial".to_owned(),
        };
        table.push(std::iter::once(words::arm(arm)).chain(rates).chain(scores).chain([bounds]));
    }
    table
}
