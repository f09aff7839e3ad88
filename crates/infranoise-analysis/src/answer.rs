//! The answer in words: a headline and what supports and limits it.

use infranoise_core::{ArmId, Ceiling, EvidenceState, Plan, ScoringRule};

use crate::doc::{Analysis, Answer, ArmSummary, Comparison, VerdictWord};

/// Puts the finished document into words.
pub(crate) fn answer(analysis: &Analysis, plan: &Plan) -> Answer {
    let mut sentences = Vec::new();
    sentences.extend(infra(analysis));
    sentences.extend(decisive(analysis).map(|comparison| difference(comparison, analysis)));
    sentences.extend(turning(analysis));
    sentences.extend(floor(analysis));
    Answer { headline: headline(analysis, plan), sentences }
}

/// The comparisons that decide: the loosest arm and the reference against the first, and the loosest against the reference. The others
/// stand in the table.
fn decisive(analysis: &Analysis) -> impl Iterator<Item = &Comparison> {
    let last = analysis.arms.last().map(|arm| &arm.name);
    let first = analysis.arms.first().map(|arm| &arm.name);
    let reference =
        analysis.comparisons.iter().map(|comparison| &comparison.base).find(|base| Some(*base) != first);
    analysis.comparisons.iter().filter(move |comparison| {
        Some(&comparison.arm) == last
            || (Some(&comparison.base) == first && Some(&comparison.arm) == reference)
    })
}

fn points(share: f64) -> String {
    format!("{:+.1} points", share * 100.0)
}

/// The comparison of the loosest arm with the first: what the published experiment led with.
fn widest(analysis: &Analysis) -> Option<&Comparison> {
    let (first, last) = (analysis.arms.first()?, analysis.arms.last()?);
    analysis.comparisons.iter().find(|c| c.base == first.name && c.arm == last.name)
}

fn headline(analysis: &Analysis, plan: &Plan) -> String {
    if analysis.about.recorded == 0 {
        return "No trial is recorded yet".to_owned();
    }
    let Some(comparison) = widest(analysis) else {
        return one_arm(analysis);
    };
    let Some(score) = comparison.scores.first() else { return one_arm(analysis) };
    let change = score.these_tasks.test.as_ref().map(|test| {
        format!(
            "{} [{:+.1}, {:+.1}]",
            points(test.effect.value),
            test.effect.low * 100.0,
            test.effect.high * 100.0
        )
    });
    let Some(change) = change else {
        return format!("{} and {}: {}", comparison.base, comparison.arm, score.verdict.says);
    };
    if plan.imported.is_some() {
        return of_results(plan, comparison, score.verdict.word, &change);
    }
    let between = format!("{change} from {} to {} on these tasks", comparison.base, comparison.arm);
    match score.verdict.word {
        VerdictWord::Different => format!("Resources alone moved the score: {between}"),
        VerdictWord::Equivalent | VerdictWord::DifferentButNegligible => {
            format!("Resources moved the score by less than the margin: {between}")
        }
        VerdictWord::CannotTell => format!("Can't tell whether resources moved the score: {between}"),
    }
}

/// Results of others were not shuffled against each other, and may differ in anything: the headline names who worked, and blames nothing.
fn of_results(plan: &Plan, comparison: &Comparison, word: VerdictWord, change: &str) -> String {
    let who = |arm: &ArmId| {
        let subject = plan.subject_of(arm);
        match &subject.model {
            Some(model) => format!("{} with {model}", subject.agent),
            None => subject.agent.clone(),
        }
    };
    let (base, arm) = (&comparison.base, &comparison.arm);
    let said = match word {
        VerdictWord::Different => "differ",
        VerdictWord::Equivalent | VerdictWord::DifferentButNegligible => "differ by less than the margin",
        VerdictWord::CannotTell => "can't be told apart",
    };
    let same = plan.subject_of(base) == plan.subject_of(arm);
    let names = if same || (who(base) == base.as_str() && who(arm) == arm.as_str()) {
        format!("{base} and {arm}")
    } else {
        format!("{base} ({}) and {arm} ({})", who(base), who(arm))
    };
    format!("{names} {said}: {change} on these tasks, from whatever lies between them")
}

fn one_arm(analysis: &Analysis) -> String {
    let Some(arm) = analysis.arms.first() else { return "No arm is planned".to_owned() };
    let score = arm.score(ScoringRule::Strict).and_then(|row| row.estimate);
    match score {
        Some(score) => format!(
            "Strict score of {}: {:.1} % [{:.1}, {:.1}]",
            arm.name,
            score.value * 100.0,
            score.low * 100.0,
            score.high * 100.0
        ),
        None => match arm.score(ScoringRule::Strict).and_then(|row| row.value) {
            Some(value) => {
                format!("Strict score of {}: {:.1} %, one task, no interval", arm.name, value * 100.0)
            }
            None => format!("No trial of {} counts", arm.name),
        },
    }
}

fn infra(analysis: &Analysis) -> Option<String> {
    let hidden: Vec<&str> = analysis
        .arms
        .iter()
        .filter(|arm| {
            matches!(arm.ceiling_kills.observable, EvidenceState::Unsupported | EvidenceState::Unavailable)
        })
        .map(|arm| arm.name.as_str())
        .collect();
    if !hidden.is_empty() {
        return Some(format!("Ceiling kills: not observable in {}.", hidden.join(", ")));
    }
    let rate = |arm: &ArmSummary| {
        let part = &arm.infra_errors;
        (part.of > 0).then(|| format!("{:.1} % at {}", part.count as f64 / part.of as f64 * 100.0, arm.name))
    };
    let rates: Vec<String> = analysis.arms.iter().filter_map(rate).collect();
    (!rates.is_empty()).then(|| {
        format!(
            "Infra errors (ceiling kills and faults, over trials whose agent started): {}.",
            rates.join(", ")
        )
    })
}

fn difference(comparison: &Comparison, analysis: &Analysis) -> String {
    let Some(score) = comparison.scores.first() else {
        return format!("{} against {}: no score.", comparison.arm, comparison.base);
    };
    let effect = score.these_tasks.test.as_ref().map_or_else(String::new, |test| {
        format!(
            " ({} [{:+.1}, {:+.1}], p {})",
            points(test.effect.value),
            test.effect.low * 100.0,
            test.effect.high * 100.0,
            p_words(test.p)
        )
    });
    let scope = if analysis.about.tasks == 1 { "this task" } else { "these tasks" };
    format!("{} against {} on {scope}: {}{effect}.", comparison.arm, comparison.base, score.verdict.says)
}

/// A p-value as people write it.
fn p_words(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

fn turning(analysis: &Analysis) -> Option<String> {
    let turning =
        analysis.turning_point.as_ref().filter(|_| analysis.about.recorded == analysis.about.planned)?;
    let rate = |arm: &infranoise_core::ArmId| {
        turning.agent_failure_rates.iter().find(|(name, _)| name == arm).map(|(_, rate)| *rate)
    };
    // Only a fall of the agent-failure rate after its highest point says that success rises faster than infra errors fall.
    let falls = rate(&turning.at)? > turning.agent_failure_rates.last()?.1 + 1e-9;
    if !falls {
        return None;
    }
    let share = turning.shares.iter().find(|(arm, _)| arm == &turning.at).map_or(0.0, |(_, share)| *share);
    let set: Vec<&str> = turning.set_90.iter().map(|arm| arm.as_str()).collect();
    Some(format!(
        "Success rises faster than infra errors fall above {} (in {:.0} % of task resamples; 90 % set: {}).",
        turning.at,
        share * 100.0,
        set.join(", ")
    ))
}

fn floor(analysis: &Analysis) -> Option<String> {
    let floor = analysis.noise_floor.as_ref()?;
    if floor.detectable >= 1.0 {
        return Some(format!(
            "{} tasks and k = {} are too few to detect any difference with 80 % power.",
            analysis.about.tasks, analysis.about.repeats
        ));
    }
    let needs = floor.repeats_for_margin.map_or_else(String::new, |k| {
        format!("; showing equivalence within {:.1} points would take k = {k}", analysis.about.margin * 100.0)
    });
    Some(format!(
        "With {} tasks and k = {} this design detects {:.1} points (80 % power){needs}.",
        analysis.about.tasks,
        analysis.about.repeats,
        floor.detectable * 100.0
    ))
}

/// Whether an arm has no ceiling on memory.
pub(crate) fn is_uncapped(arm: &ArmSummary) -> bool {
    arm.headroom == Some(Ceiling::Uncapped)
}
