//! The same words in every rendering: outcomes with their letter and sign, arms, rates, rules.

use infranoise_analysis::doc::{ArmSummary, Rate, ScoreRow};
use infranoise_core::{EvidenceState, Shown, classify};

use super::number;

/// How an outcome is told apart without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// A letter, for tables.
    pub letter: char,
    /// A sign, for bars and lists.
    pub sign: char,
    /// The class in HTML and SVG.
    pub class: &'static str,
    /// The heading of its column where there is little room.
    pub head: &'static str,
}

/// How an outcome looks.
#[must_use]
pub fn look(shown: Shown) -> Look {
    let (letter, sign, class, head) = match shown {
        Shown::Pass => ('P', '●', "pass", "pass"),
        Shown::Fail => ('F', '○', "fail", "fail"),
        Shown::Ceiling => ('C', '▲', "ceiling", "ceiling"),
        Shown::Fault => ('X', '✕', "fault", "fault"),
        Shown::Undetermined => ('U', '?', "undetermined", "undet."),
        Shown::NotStarted => ('N', '·', "notstarted", "n.start"),
    };
    Look { letter, sign, class, head }
}

/// How many planned trials of an arm ended so; those that are not recorded yet are pending, not "not started".
#[must_use]
pub fn ended(arm: &ArmSummary, shown: Shown) -> u64 {
    let pending = if shown == Shown::NotStarted { arm.not_recorded } else { 0 };
    arm.count(shown).saturating_sub(pending)
}

/// Whether trials of any arm are still to come, so that tables want a column for them.
#[must_use]
pub fn is_pending(arms: &[ArmSummary]) -> bool {
    arms.iter().any(|arm| arm.not_recorded > 0)
}

/// What stands beneath an arm's name: the real multiple of an uncapped one.
#[must_use]
pub fn real_multiple(arm: &ArmSummary) -> Option<String> {
    arm.real_multiple.map(|multiple| format!("really {}", number::multiple(multiple)))
}

/// An arm in running text: `3x`, or `uncapped (really 14.2x)`.
#[must_use]
pub fn arm(arm: &ArmSummary) -> String {
    match real_multiple(arm) {
        Some(real) => format!("{} ({real})", arm.name),
        None => arm.name.to_string(),
    }
}

/// Whether a rate may be drawn at all.
#[must_use]
pub fn observable(rate: &Rate) -> bool {
    match rate.observable {
        EvidenceState::Observed | EvidenceState::Partial => true,
        EvidenceState::Unavailable | EvidenceState::Unsupported => false,
    }
}

/// A rate with its interval in per cent; what cannot be observed is said to be so, and never becomes 0 %.
#[must_use]
pub fn rate(rate: &Rate) -> String {
    if !observable(rate) {
        return "not observable".to_owned();
    }
    let at_least = if rate.observable == EvidenceState::Partial { "≥ " } else { "" };
    match &rate.estimate {
        Some(estimate) => format!("{at_least}{}", number::percent_cell(estimate)),
        None => "no trial".to_owned(),
    }
}

/// A score with its interval in per cent; a single task has a score and no interval.
#[must_use]
pub fn score(row: Option<&ScoreRow>) -> String {
    match row.map(|row| (row.estimate, row.value)) {
        Some((Some(estimate), _)) => number::percent_cell(&estimate),
        Some((None, Some(value))) => format!("{} (no interval)", number::percent(value)),
        Some((None, None)) | None => "no trial".to_owned(),
    }
}

/// The sentence of a classification rule, by its name.
#[must_use]
pub fn rule_sentence(id: &str) -> Option<&'static str> {
    classify::RULES.iter().find(|rule| rule.id == id).map(|rule| rule.sentence)
}

/// A sentence with a capital letter in front.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
