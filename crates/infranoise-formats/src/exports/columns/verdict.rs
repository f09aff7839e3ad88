//! What became of a trial, as facts, as blame and as what it counts as.

use infranoise_core::{Blame, Facts, Reward, Shown};

use super::Column;
use crate::exports::cell::Cell;
use crate::exports::column::Kind::{Bool, Number, Text, Whole};
use crate::exports::word::word;

pub(super) const COLUMNS: &[Column] = &[
    Column::new(
        "pass",
        Bool,
        "Whether the verifier found the task solved (reward at least 1). Null where there is no verdict.",
        |row| row.facts().outcome.reward.main().map(|_| row.facts().outcome.reward.passed()).into(),
    ),
    Column::new(
        "infra",
        Bool,
        "Whether it is an infrastructure error: a fault, or a ceiling kill that ended the trial. Null for trials whose agent phase never \
         started, since they are in no error rate; so its mean is the rate.",
        |row| infra(Shown::of(row.record)).into(),
    ),
    Column::new(
        "shown",
        Text,
        "What it counts as: `pass`, `fail`, `ceiling`, `fault`, `undetermined` or `not_started`.",
        |row| word(&Shown::of(row.record)).into(),
    ),
    Column::new(
        "blame",
        Text,
        "Whom its end is put down to: `nobody`, `agent`, `ceiling`, `fault`, `task`, `undetermined` or `not_started`.",
        |row| word(&row.record.classification.blame).into(),
    ),
    Column::new("resource", Text, "The resource whose ceiling ended it, where one did.", |row| {
        match row.record.classification.blame {
            Blame::Ceiling { resource } => word(&resource).into(),
            Blame::Nobody
            | Blame::Agent
            | Blame::Fault
            | Blame::Task
            | Blame::Undetermined
            | Blame::NotStarted => Cell::Null,
        }
    }),
    Column::new("cause", Text, "The proximate cause of its end, as in `oom` or `time_out`.", |row| {
        word(&row.record.classification.cause).into()
    }),
    Column::new("phase", Text, "The phase in which that happened.", |row| {
        row.record.classification.phase.map(|phase| word(&phase)).into()
    }),
    Column::new("rule", Text, "The rule of classification that decided.", |row| {
        row.record.classification.rule.0.as_str().into()
    }),
    Column::new(
        "evidence_state",
        Text,
        "The weakest evidence behind the verdict: `observed`, `partial`, `unavailable` or `unsupported`.",
        |row| word(&row.record.classification.weakest_evidence()).into(),
    ),
    Column::new("evidence", Text, "What shows it: source, reading and meaning, one line each.", |row| {
        let pieces = row.record.classification.evidence.iter();
        lines(pieces.map(|piece| format!("{}: {} ({})", piece.source, piece.reading, piece.says)))
    }),
    Column::new("survived", Text, "Resource events that it lived through, one line each.", |row| {
        lines(row.record.classification.survived.iter().cloned())
    }),
    Column::new("reward", Number, "The verifier's main value.", |row| {
        row.facts().outcome.reward.main().into()
    }),
    Column::new("rewards", Text, "All of the verifier's values by name, as JSON.", |row| {
        match &row.facts().outcome.reward {
            Reward::Given { values, .. } => serde_json::to_string(values).ok().into(),
            Reward::Missing | Reward::Garbled { .. } | Reward::NotGraded => Cell::Null,
        }
    }),
    Column::new(
        "reward_state",
        Text,
        "What the verifier left: `given`, `missing`, `garbled` or `not_graded`.",
        |row| word(&row.facts().outcome.reward).into(),
    ),
    Column::new(
        "oom_kills",
        Whole,
        "Processes that the out-of-memory killer ended, by the kernel's counters. Null where nobody counted.",
        |row| oom_kills(row.facts()).into(),
    ),
];

/// Whether it counts as an infrastructure error; not started is in no rate.
pub(crate) fn infra(shown: Shown) -> Option<bool> {
    match shown {
        Shown::Ceiling | Shown::Fault => Some(true),
        Shown::Pass | Shown::Fail | Shown::Undetermined => Some(false),
        Shown::NotStarted => None,
    }
}

/// The sum of the commands' counters, if anybody counted.
fn oom_kills(facts: &Facts) -> Option<u64> {
    let counters = facts.outcome.execs.iter().filter_map(|exec| exec.oom_kills.value().copied());
    counters.reduce(u64::saturating_add)
}

/// Several sentences as one text; null if there is none.
pub(super) fn lines<'r>(sentences: impl Iterator<Item = String>) -> Cell<'r> {
    let all: Vec<String> = sentences.collect();
    (!all.is_empty()).then(|| all.join("\n")).into()
}
