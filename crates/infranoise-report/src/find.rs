//! Small look-ups in the Analysis document that several renderings share.

use std::collections::BTreeMap;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, Comparison, Difference};
use infranoise_core::{ArmId, ScoringRule};

use crate::text::number;

/// The arm that the others are compared with.
#[must_use]
pub fn first_arm(analysis: &Analysis) -> Option<&ArmSummary> {
    analysis.arms.first()
}

/// The comparison of an arm with the first one.
#[must_use]
pub fn against_first<'a>(analysis: &'a Analysis, arm: &ArmId) -> Option<&'a Comparison> {
    let base = &first_arm(analysis)?.name;
    analysis.comparisons.iter().find(|comparison| &comparison.base == base && &comparison.arm == arm)
}

/// The difference in the strict score.
#[must_use]
pub fn strict(comparison: &Comparison) -> Option<&Difference> {
    comparison.scores.iter().find(|difference| difference.rule == ScoringRule::Strict)
}

/// The denominators that rates of the arms are out of, each in one sentence with what it is for.
#[must_use]
pub fn denominators(analysis: &Analysis) -> Vec<String> {
    let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for arm in &analysis.arms {
        for (what, rate) in [("ceiling kills", &arm.ceiling_kills), ("faults", &arm.faults)] {
            let whats = of.entry(&rate.denominator).or_default();
            if !whats.contains(&what) {
                whats.push(what);
            }
        }
    }
    let sentence = |(denominator, whats): (&str, Vec<&str>)| {
        format!("Rates of {} are out of {denominator}.", whats.join(" and of "))
    };
    of.into_iter().map(sentence).collect()
}

/// The level of the intervals in the table of arms, in per cent.
#[must_use]
pub fn level(analysis: &Analysis) -> String {
    let rates = analysis.arms.iter().flat_map(|arm| [&arm.ceiling_kills, &arm.faults]);
    let level = rates.filter_map(|rate| rate.estimate).map(|estimate| estimate.level).next();
    number::fixed(level.unwrap_or(0.95) * 100.0, 0)
}
