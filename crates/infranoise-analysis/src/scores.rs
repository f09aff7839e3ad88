//! Scores of one arm under each rule.

use infranoise_core::{Score, ScoringRule, Shown};
use infranoise_stats::Cell;
use infranoise_stats::rate::{seed_se, wilson_neff};

use crate::arms::LEVEL;
use crate::doc::ScoreRow;
use crate::table::{Table, Tally, cell};

/// One row per rule; `column` holds the arm's tally per task.
pub(crate) fn scores(table: &Table<'_>, column: &[Tally]) -> Vec<ScoreRow> {
    ScoringRule::ALL.into_iter().map(|rule| row(table, column, rule)).collect()
}

/// Solved and counting trials of a tally under a rule. Valid-only is `s_t / (1 - dropped share_t)` for each task: solved over counting.
pub(crate) fn cell_under(rule: ScoringRule, tally: &Tally) -> Cell {
    let (mut solved, mut counting) = (0, 0);
    for shown in Shown::ALL {
        let trials = tally.count(shown);
        match rule.score(shown) {
            Score::Counts { solved: true } => {
                solved += trials;
                counting += trials;
            }
            Score::Counts { solved: false } => counting += trials,
            Score::Dropped => {}
        }
    }
    cell(solved, counting)
}

fn row(table: &Table<'_>, column: &[Tally], rule: ScoringRule) -> ScoreRow {
    let cells: Vec<Cell> = column.iter().map(|tally| cell_under(rule, tally)).collect();
    let counting: Vec<Cell> = cells.iter().copied().filter(|cell| cell.trials() > 0).collect();
    let trials: u64 = counting.iter().map(|cell| u64::from(cell.trials())).sum();
    let planned: u64 = column.iter().map(Tally::planned).sum();
    let rates: Vec<f64> = counting.iter().filter_map(|cell| cell.rate()).collect();
    ScoreRow {
        rule,
        value: (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64),
        estimate: wilson_neff(&counting, LEVEL).ok().map(|wilson| wilson.estimate),
        seed_se: seed_se(&counting).ok().map(|se| se.value()),
        tasks: counting.len() as u64,
        trials,
        dropped: planned - trials,
        tasks_without_valid: cells
            .iter()
            .zip(&table.plan.tasks)
            .filter(|(cell, _)| cell.trials() == 0)
            .map(|(_, task)| task.id.clone())
            .collect(),
    }
}
