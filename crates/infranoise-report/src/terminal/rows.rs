//! The table of arms, in one piece where the terminal is wide enough and in two or three where it is not.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::ArmSummary;
use infranoise_core::{ScoringRule, Shown};

use super::paint::Paint;
use super::{column, outcome_of};
use crate::find;
use crate::table::{Align, Column, Table};
use crate::text::{clean, number, words};

/// Columns that stay together.
struct Group {
    columns: Vec<Column>,
    cells: fn(&Analysis, &ArmSummary) -> Vec<String>,
}

fn outcomes(analysis: &Analysis, arm: &ArmSummary) -> Vec<String> {
    let counts = Shown::ALL.into_iter().map(|shown| number::count(words::ended(arm, shown)));
    let pending = words::is_pending(&analysis.arms).then(|| number::count(arm.not_recorded));
    let first = std::iter::once(number::count(arm.planned));
    first.chain(counts).chain(pending).chain([number::percent(arm.coverage)]).collect()
}

fn rates(_: &Analysis, arm: &ArmSummary) -> Vec<String> {
    let strict = words::score(arm.score(ScoringRule::Strict));
    vec![words::rate(&arm.ceiling_kills), words::rate(&arm.faults), strict]
}

fn differences(analysis: &Analysis, arm: &ArmSummary) -> Vec<String> {
    if find::first_arm(analysis).is_some_and(|first| first.name == arm.name) {
        return vec![String::new(), "the base".to_owned()];
    }
    let Some(difference) = find::against_first(analysis, &arm.name).and_then(find::strict) else {
        return vec![String::new(), "not compared".to_owned()];
    };
    let effect = difference.these_tasks.test.as_ref().map(|test| number::points_cell(&test.effect));
    vec![effect.unwrap_or_default(), difference.verdict.says.clone()]
}

fn groups(analysis: &Analysis) -> Vec<Group> {
    let right = |head: &str| column(head, Align::Right);
    let heads = Shown::ALL.map(|shown| right(words::look(shown).head));
    let pending = words::is_pending(&analysis.arms).then(|| right("pending"));
    let counts =
        std::iter::once(right("planned")).chain(heads).chain(pending).chain([right("coverage %")]).collect();
    let mut groups = vec![
        Group { columns: counts, cells: outcomes },
        Group {
            columns: vec![right("ceiling kills %"), right("faults %"), right("strict score %")],
            cells: rates,
        },
    ];
    if let Some(first) = find::first_arm(analysis).filter(|_| !analysis.comparisons.is_empty()) {
        let head = format!("vs {}, points", clean::line(first.name.as_str()));
        groups
            .push(Group { columns: vec![right(&head), column("verdict", Align::Left)], cells: differences });
    }
    groups
}

/// The first table says what an uncapped arm really is; the others have no room for it.
fn table(analysis: &Analysis, groups: &[Group], is_first: bool) -> Table {
    let mut table = Table::new(&["arm"]);
    table.columns.extend(groups.iter().flat_map(|group| group.columns.clone()));
    for arm in &analysis.arms {
        let cells = groups.iter().flat_map(|group| (group.cells)(analysis, arm));
        let name = if is_first { words::arm(arm) } else { arm.name.to_string() };
        table.push(std::iter::once(name).chain(cells));
    }
    table
}

fn width(table: &Table) -> usize {
    table.text().iter().map(|line| clean::columns(line)).max().unwrap_or(0)
}

/// As few tables as fit, each with the arms at its left.
#[must_use]
pub(super) fn tables(analysis: &Analysis, most: usize) -> Vec<Table> {
    if analysis.arms.is_empty() {
        return Vec::new();
    }
    let groups = groups(analysis);
    let mut tables: Vec<Table> = Vec::new();
    let mut from = 0;
    while from < groups.len() {
        let fits = |to: usize| {
            groups.get(from..to).is_some_and(|some| width(&table(analysis, some, from == 0)) <= most)
        };
        let to = (from + 1..=groups.len()).rev().find(|to| fits(*to)).unwrap_or(from + 1);
        tables.push(table(analysis, groups.get(from..to).unwrap_or_default(), from == 0));
        from = to;
    }
    tables
}

/// A table in colour: heads dim, arms bold, outcomes in their own colour, zeros dim.
#[must_use]
pub(super) fn painted(table: &Table, paint: Paint) -> Vec<String> {
    table.painted(&|row, at, cell| match (row, outcome_of(table, at)) {
        (None, Some(shown)) => paint.outcome(shown, cell),
        (None, None) => paint.dim(cell),
        (Some(_), _) if at == 0 => paint.bold(cell),
        (Some(_), Some(_)) if cell == "0" => paint.dim(cell),
        (Some(_), Some(shown)) => paint.outcome(shown, cell),
        (Some(_), None) => cell.to_owned(),
    })
}
