//! The same trials under everybody's scoring rule, and one sentence on why the scores differ.
//!
//! Harbor up to 0.25 averages over all trials, an error counting as 0; since 0.26 it drops trials whose reward it holds invalid. The
//! Terminal-Bench leaderboard keeps trials without an exception and those with a time-out. Both average over trials, not over tasks.

use infranoise_core::{ArmId, ScoringRule, Stop, TrialRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doc::{Analysis, ArmSummary};
use crate::table::Table;

/// One rule's score of one arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideRow {
    /// Whose rule: `all trials`, `source`, `Terminal-Bench leaderboard`, `strict` …
    pub rule: String,
    /// The score, as a share; absent where no trial counts.
    pub score: Option<f64>,
    /// Trials that count.
    pub trials: u64,
    /// Trials that the rule drops.
    pub dropped: u64,
}

/// One arm under every rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideBySide {
    /// The arm.
    pub arm: ArmId,
    /// The rules.
    pub rows: Vec<SideRow>,
    /// Why they differ, in one sentence.
    pub says: String,
}

/// Whether a rule of another harness counts a trial.
type Counts = fn(&TrialRecord) -> bool;

const RULES: [(&str, Counts); 3] = [
    ("all trials, errors as 0 (Harbor up to 0.25)", |_| true),
    ("rewards that the source holds valid (Harbor since 0.26)", valid),
    ("without exception or timed out (Terminal-Bench leaderboard)", leaderboard),
];

fn valid(record: &TrialRecord) -> bool {
    match record.facts.source.as_ref().and_then(|source| source.counted) {
        Some(counted) => counted,
        None => record.facts.outcome.reward.main().is_some(),
    }
}

fn leaderboard(record: &TrialRecord) -> bool {
    match record.facts.source.as_ref().and_then(|source| source.failure.as_ref()) {
        Some(failure) => failure.class.to_lowercase().contains("timeout"),
        None => record.facts.outcome.phases.iter().all(|phase| {
            !matches!(phase.stop, Stop::Failed { .. } | Stop::SandboxEnded { .. } | Stop::Interrupted)
        }),
    }
}

/// Every arm under every rule; `analysis` holds our own scores.
#[must_use]
pub fn side_by_side(
    plan: &infranoise_core::Plan,
    records: &[TrialRecord],
    analysis: &Analysis,
) -> Vec<SideBySide> {
    let table = Table::new(plan, records);
    analysis.arms.iter().map(|arm| of_arm(&table, arm)).collect()
}

fn of_arm(table: &Table<'_>, arm: &ArmSummary) -> SideBySide {
    let records: Vec<&TrialRecord> = table.of_arm(&arm.name).map(|chosen| chosen.record).collect();
    let mut rows: Vec<SideRow> = RULES.iter().map(|(rule, counts)| theirs(rule, &records, *counts)).collect();
    rows.extend(ScoringRule::ALL.iter().filter_map(|rule| {
        let row = arm.score(*rule)?;
        Some(SideRow { rule: rule.to_string(), score: row.value, trials: row.trials, dropped: row.dropped })
    }));
    SideBySide { arm: arm.name.clone(), says: says(&rows, arm), rows }
}

fn theirs(rule: &str, records: &[&TrialRecord], counts: Counts) -> SideRow {
    let counting: Vec<f64> = records
        .iter()
        .filter(|record| counts(record))
        .map(|record| record.facts.outcome.reward.main().unwrap_or(0.0))
        .collect();
    let trials = counting.len() as u64;
    SideRow {
        rule: rule.to_owned(),
        score: (trials > 0).then(|| counting.iter().sum::<f64>() / trials as f64),
        trials,
        dropped: records.len() as u64 - trials,
    }
}

fn says(rows: &[SideRow], arm: &ArmSummary) -> String {
    let bounds = [ScoringRule::LowerBound.to_string(), ScoringRule::UpperBound.to_string()];
    let scores: Vec<f64> =
        rows.iter().filter(|row| !bounds.contains(&row.rule)).filter_map(|row| row.score).collect();
    let (low, high) =
        scores.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(*s), high.max(*s)));
    if scores.is_empty() || high - low <= 0.0005 {
        return format!("{}: every rule gives the same score", arm.name);
    }
    let dropped = rows.iter().map(|row| row.dropped).max().unwrap_or(0);
    let open = arm.count(infranoise_core::Shown::Undetermined)
        + arm.count(infranoise_core::Shown::Fault)
        + arm.count(infranoise_core::Shown::NotStarted);
    format!(
        "{}: the rules differ by {:.1} points, since they drop up to {dropped} trials that others count as failures, and some are means over \
         trials, others over tasks; of {} trials {open} have no verdict on the agent",
        arm.name,
        (high - low) * 100.0,
        arm.planned
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, analyse};
    use infranoise_core::testing::{Ending, plan, record};

    #[test]
    fn rules_drop_what_they_say() {
        let plan = plan(2, 1, 2);
        let endings = [Ending::Pass, Ending::Fail, Ending::Fault, Ending::NotStarted];
        let records: Vec<TrialRecord> =
            plan.keys().zip(endings).map(|(key, ending)| record(&plan, key, ending)).collect();
        let analysis = analyse(&plan, &records, "test", Effort { draws: 1 });
        let sides = side_by_side(&plan, &records, &analysis);
        let rows: Vec<(Option<f64>, u64)> = sides[0].rows.iter().map(|row| (row.score, row.trials)).collect();
        assert_eq!(rows[0], (Some(0.25), 4), "all trials");
        assert_eq!(rows[1], (Some(0.5), 2), "valid rewards");
        assert_eq!(rows[2], (Some(0.5), 2), "without exception");
        assert_eq!(rows[3].0, Some(0.25), "strict");
        assert!(sides[0].says.contains("the rules differ by"), "{}", sides[0].says);
    }
}
