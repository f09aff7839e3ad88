//! A leaderboard in tiers instead of ranks: which rows can be told apart?

use infranoise_stats::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GapQuestion, InfraAssumption, gap};

/// One row of a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its score, as a share.
    pub score: f64,
    /// Tasks.
    pub tasks: u32,
    /// Repeats of each task.
    pub repeats: u32,
    /// What it says of its resources; rows that say the same are matched.
    #[serde(default)]
    pub resources: Option<String>,
}

/// A row in its tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TieredRow {
    /// The row.
    pub row: Row,
    /// Its tier, counted from 1: the first row that can be told from the head of a tier opens the next.
    pub tier: u32,
    /// How many rows of the board it cannot be told from.
    pub alike: u32,
    /// Whether its resources are disclosed.
    pub disclosed: bool,
}

/// A leaderboard in tiers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tiers {
    /// Rows, best first.
    pub rows: Vec<TieredRow>,
    /// Pairs of rows.
    pub pairs: u64,
    /// Pairs that can be told apart.
    pub told_apart: u64,
    /// Of the neighbours in rank, how many can be told apart.
    pub neighbours_told_apart: u64,
    /// Rows that disclose no resources.
    pub undisclosed: u64,
    /// What was assumed.
    pub assumes: String,
}

/// Sorts rows into tiers. Rows that disclose the same resources are matched; for all others `unmatched` is assumed.
///
/// # Errors
/// If a row's numbers are out of range.
pub fn tiers(mut rows: Vec<Row>, rho: f64, unmatched: InfraAssumption) -> Result<Tiers> {
    rows.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
    let apart = |a: &Row, b: &Row| -> Result<bool> {
        let matched = a.resources.is_some() && a.resources == b.resources;
        let answer = gap(GapQuestion {
            first: a.score,
            second: b.score,
            tasks: a.tasks.min(b.tasks),
            first_repeats: a.repeats,
            second_repeats: b.repeats,
            rho,
            task_correlation: None,
            infra: if matched { InfraAssumption::Matched } else { unmatched },
        })?;
        Ok(answer.distinguishable)
    };
    let (mut told_apart, mut neighbours, mut pairs) = (0, 0, 0);
    let mut alike = vec![0u32; rows.len()];
    for first in 0..rows.len() {
        for second in first + 1..rows.len() {
            pairs += 1;
            if apart(&rows[first], &rows[second])? {
                told_apart += 1;
                neighbours += u64::from(second == first + 1);
            } else {
                alike[first] += 1;
                alike[second] += 1;
            }
        }
    }
    let mut tier = 1;
    let mut head = 0;
    let mut placed = Vec::with_capacity(rows.len());
    for place in 0..rows.len() {
        if place > head && apart(&rows[head], &rows[place])? {
            tier += 1;
            head = place;
        }
        placed.push(tier);
    }
    let undisclosed = rows.iter().filter(|row| row.resources.is_none()).count() as u64;
    let rows = rows
        .into_iter()
        .zip(placed)
        .zip(alike)
        .map(|((row, tier), alike)| TieredRow { disclosed: row.resources.is_some(), row, tier, alike })
        .collect();
    Ok(Tiers {
        rows,
        pairs,
        told_apart,
        neighbours_told_apart: neighbours,
        undisclosed,
        assumes: format!(
            "rho {rho}; {} for rows whose resources are not disclosed or differ",
            unmatched.words()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, score: f64, resources: Option<&str>) -> Row {
        Row { name: name.into(), score, tasks: 89, repeats: 5, resources: resources.map(str::to_owned) }
    }

    #[test]
    fn rows_within_noise_share_a_tier() {
        let rows = vec![row("c", 0.40, None), row("a", 0.72, None), row("b", 0.70, None)];
        let board = tiers(rows, 0.5, InfraAssumption::Unknown).expect("tiers");
        let placed: Vec<(&str, u32)> = board.rows.iter().map(|r| (r.row.name.as_str(), r.tier)).collect();
        assert_eq!(placed, vec![("a", 1), ("b", 1), ("c", 2)]);
        assert_eq!(
            (board.pairs, board.told_apart, board.neighbours_told_apart, board.undisclosed),
            (3, 2, 1, 3)
        );
    }

    #[test]
    fn matched_resources_tell_more_apart() {
        let board = |resources: Option<&str>| {
            let rows = vec![row("a", 0.72, resources), row("b", 0.64, resources)];
            tiers(rows, 0.5, InfraAssumption::Unknown).expect("tiers").told_apart
        };
        assert_eq!((board(None), board(Some("1x..3x, enforced"))), (0, 1));
        assert_eq!(tiers(Vec::new(), 0.5, InfraAssumption::Unknown).expect("tiers").pairs, 0);
    }
}
