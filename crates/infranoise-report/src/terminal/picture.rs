//! How the trials of each arm ended, as a bar of signs; and the two curves as one line each.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::ArmSummary;
use infranoise_core::{ScoringRule, Shown};

use super::paint::Paint;
use crate::text::{clean, words};

/// How many signs each outcome gets of `room`: in proportion, and at least one for whatever happened at all.
fn signs(arm: &ArmSummary, room: usize) -> [(Shown, usize); 6] {
    let total = arm.planned.max(1);
    let mut signs = Shown::ALL.map(|shown| {
        let exact = arm.count(shown) as f64 * room as f64 / total as f64;
        let n = if arm.count(shown) > 0 { (exact.round() as usize).max(1) } else { 0 };
        (shown, n)
    });
    // Rounding may give a sign too many or too few; the longest run can best afford it.
    let given: usize = signs.iter().map(|(_, n)| n).sum();
    if let Some(longest) = signs.iter_mut().max_by_key(|(_, n)| *n).filter(|_| given > 0) {
        longest.1 = (longest.1 + room).saturating_sub(given);
    }
    signs
}

/// One bar per arm, and a key of the signs that occur.
#[must_use]
pub fn bars(analysis: &Analysis, width: usize, paint: Paint) -> Vec<String> {
    let names: Vec<String> = analysis.arms.iter().map(|arm| clean::line(arm.name.as_str())).collect();
    let widest = names.iter().map(|name| clean::columns(name)).max().unwrap_or(0);
    let room = width.saturating_sub(widest + 4).clamp(10, 60);
    let mut lines = Vec::new();
    for (arm, name) in analysis.arms.iter().zip(&names) {
        let bar = signs(arm, room).map(|(shown, n)| {
            let sign = words::look(shown).sign.to_string();
            paint.outcome(shown, &sign.repeat(n))
        });
        let gap = " ".repeat(widest - clean::columns(name));
        lines.push(format!("  {name}{gap}  {}", bar.concat()));
    }
    let occurs = |shown: &Shown| analysis.arms.iter().any(|arm| arm.count(*shown) > 0);
    let key = Shown::ALL.into_iter().filter(occurs).map(|shown| {
        let sign = words::look(shown).sign.to_string();
        format!("{} {shown}", paint.outcome(shown, &sign))
    });
    lines.push(format!("  {}  {}", " ".repeat(widest), key.collect::<Vec<_>>().join("   ")));
    lines
}

/// Shares as a line of blocks between the smallest and the largest; a dot where nothing could be observed.
fn spark(shares: &[Option<f64>]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let seen = shares.iter().flatten();
    let (low, high) = seen.fold((f64::MAX, f64::MIN), |(low, high), s| (low.min(*s), high.max(*s)));
    let block = |share: f64| {
        let step = if high > low { (share - low) / (high - low) * 7.0 } else { 3.0 };
        BLOCKS.get(step.round() as usize).copied().unwrap_or('▁')
    };
    shares.iter().map(|share| share.map_or('·', block)).collect()
}

/// Strict score and infra errors over the arms, each from its lowest to its highest.
#[must_use]
pub fn sparks(analysis: &Analysis, paint: Paint) -> Option<String> {
    let arms = &analysis.arms;
    let (first, last) = (arms.first()?, arms.last().filter(|_| arms.len() > 1)?);
    let score = |arm: &ArmSummary| Some(arm.score(ScoringRule::Strict)?.estimate?.value);
    let infra = |arm: &ArmSummary| {
        Some(&arm.infra_errors)
            .filter(|rate| words::observable(rate))?
            .estimate
            .map(|estimate| estimate.value)
    };
    let score = spark(&arms.iter().map(score).collect::<Vec<_>>());
    let infra = spark(&arms.iter().map(infra).collect::<Vec<_>>());
    Some(format!(
        "  strict score {}   infra errors {}   {}",
        paint.outcome(Shown::Pass, &score),
        paint.outcome(Shown::Ceiling, &infra),
        paint.dim(&clean::line(&format!(
            "({} to {}, each from its lowest to its highest)",
            first.name, last.name
        )))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_seen_in_blocks() {
        assert_eq!(spark(&[Some(0.0), Some(0.5), Some(1.0)]), "▁▅█");
        assert_eq!(spark(&[Some(0.4), None, Some(0.4)]), "▄·▄");
        assert_eq!(spark(&[None]), "·");
    }
}
