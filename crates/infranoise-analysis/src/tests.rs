//! Analyses of small sweeps whose answer can be counted by hand.

use infranoise_core::testing::{Ending, plan, record};
use infranoise_core::{Attempt, Observed, Plan, ScoringRule, Shown, TrialRecord};

use super::*;
use crate::doc::VerdictWord;

const FAST: Effort = Effort { draws: 200 };

/// Records for every planned trial, by a rule from task, arm and repeat numbers.
fn records(plan: &Plan, ending: impl Fn(usize, usize, u32) -> Option<Ending>) -> Vec<TrialRecord> {
    plan.keys()
        .filter_map(|key| {
            let task = plan.tasks.iter().position(|task| task.id == key.task).expect("a task");
            let arm = plan.arms.iter().position(|arm| arm.arm.name == key.arm).expect("an arm");
            ending(task, arm, key.repeat).map(|ending| record(plan, key, ending))
        })
        .collect()
}

fn analysed(plan: &Plan, records: &[TrialRecord]) -> Analysis {
    let analysis = analyse(plan, records, "test", FAST);
    for arm in &analysis.arms {
        assert_eq!(arm.counts.values().sum::<u64>(), arm.planned, "planned is the sum of the six outcomes");
    }
    let text = serde_json::to_string(&analysis).expect("writes");
    let back: Analysis = serde_json::from_str(&text).expect("reads");
    assert!(back == analysis, "what is written is read");
    assert!(!text.contains("null,null"), "no silent NaN");
    analysis
}

/// Ten tasks, three arms, four repeats: kills fall from 5 of 10 tasks over 2 to 0; what was killed fails anyway, but two tasks.
fn falling() -> (Plan, Vec<TrialRecord>) {
    let plan = plan(10, 3, 4);
    let records = records(&plan, |task, arm, repeat| {
        let killed = match arm {
            0 => task < 5,
            1 => task < 2,
            _ => false,
        };
        Some(match (killed, task) {
            (true, _) => Ending::CeilingKill,
            (false, 0 | 1) => Ending::Pass,
            (false, 2..5) => Ending::Fail,
            (false, 5) if repeat % 2 == 0 => Ending::Fail,
            (false, _) => Ending::Pass,
        })
    });
    (plan, records)
}

#[test]
fn rates_and_scores_are_counted_over_what_they_say() {
    let (plan, records) = falling();
    let analysis = analysed(&plan, &records);
    let kills: Vec<(u64, u64)> =
        analysis.arms.iter().map(|arm| (arm.ceiling_kills.count, arm.ceiling_kills.of)).collect();
    assert_eq!(kills, vec![(20, 40), (8, 40), (0, 40)]);
    let strict: Vec<f64> = analysis
        .arms
        .iter()
        .map(|arm| arm.score(ScoringRule::Strict).and_then(|row| row.estimate).expect("a score").value)
        .collect();
    assert_eq!(strict, vec![0.45, 0.45, 0.65]);
    let dropped = analysis.arms[0].score(ScoringRule::ValidOnlyDropCeiling).expect("a row");
    assert_eq!((dropped.tasks, dropped.trials, dropped.dropped), (5, 20, 20));
    assert_eq!(dropped.tasks_without_valid.len(), 5);
    assert_eq!(dropped.estimate.expect("an estimate").value, 0.9);
    assert_eq!(analysis.arms.iter().map(|arm| arm.coverage).collect::<Vec<_>>(), vec![1.0; 3]);
}

#[test]
fn comparisons_speak_of_these_tasks_and_of_others_apart() {
    let (plan, records) = falling();
    let analysis = analysed(&plan, &records);
    assert_eq!(analysis.comparisons.len(), 2);
    let widest = &analysis.comparisons[1];
    assert_eq!((widest.flips_up, widest.flips_down, widest.pairs), (8, 0, 40));
    let score = &widest.scores[0];
    assert_eq!(score.verdict.word, VerdictWord::Different, "{score:#?}");
    let test = score.these_tasks.test.as_ref().expect("a test");
    assert!((test.effect.value - 0.20).abs() < 1e-9, "{test:?}");
    assert!(score.new_tasks.test.as_ref().expect("a test").p > test.p, "new tasks are harder to speak of");
    let kills = &widest.kills[0];
    assert_eq!((kills.base, kills.arm), ((20, 40), (0, 40)));
    assert!(kills.p_exact.expect("a p") < 1e-6);
    assert!(kills.p_leave_one_out_max.expect("a p") < 1e-4, "no single task carries it");
    assert!(kills.p_holm >= kills.p_exact);
    let split = widest.decomposition.as_ref().expect("a decomposition");
    assert_eq!(split.doomed_pairs, (12, 20), "of 20 killed trials 12 fail in the loosest arm too");
    let sum = split.noise_removed.value + split.rest.value;
    assert!((sum - 0.20).abs() < 1e-9, "the parts are the whole");
}

#[test]
fn arms_that_are_alike_are_not_called_equal_without_an_interval() {
    let plan = plan(10, 2, 2);
    let same = records(&plan, |task, _, repeat| {
        Some(if (task as u32 + repeat).is_multiple_of(2) { Ending::Pass } else { Ending::Fail })
    });
    let analysis = analysed(&plan, &same);
    let verdict = &analysis.comparisons[0].scores[0].verdict;
    assert_eq!(verdict.word, VerdictWord::CannotTell);
    assert!(verdict.says.contains("needs k ="), "{}", verdict.says);
    assert!(analysis.answer.headline.starts_with("Can't tell"), "{}", analysis.answer.headline);
}

#[test]
fn what_is_not_recorded_or_not_started_is_neither_lost_nor_an_error() {
    let plan = plan(3, 2, 2);
    let some = records(&plan, |task, arm, _| match (task, arm) {
        (0, _) => Some(Ending::Pass),
        (1, 0) => Some(Ending::NotStarted),
        (1, _) => Some(Ending::Fault),
        _ => None,
    });
    let analysis = analysed(&plan, &some);
    let first = &analysis.arms[0];
    assert_eq!((first.count(Shown::NotStarted), first.not_recorded), (4, 2));
    assert_eq!((first.infra_errors.count, first.infra_errors.of), (0, 2), "not started is in no error rate");
    let second = &analysis.arms[1];
    assert_eq!((second.faults.count, second.faults.of), (2, 4));
    let bound = |rule| second.score(rule).and_then(|row| row.estimate).expect("a score").value;
    assert!((bound(ScoringRule::LowerBound) - 1.0 / 3.0).abs() < 1e-12);
    assert!((bound(ScoringRule::UpperBound) - 1.0).abs() < 1e-12);
    assert!(analysis.warnings.iter().any(|w| w.contains("have no record yet")), "{:?}", analysis.warnings);
}

#[test]
fn the_first_attempt_that_started_counts_and_every_attempt_is_known() {
    let plan = plan(1, 1, 1);
    let key = plan.keys().next().expect("a trial");
    let attempt = |n, ending| {
        let mut record = record(&plan, key.clone(), ending);
        record.facts.attempt = Attempt(n);
        record
    };
    let attempts = [attempt(2, Ending::Pass), attempt(0, Ending::NotStarted), attempt(1, Ending::Fail)];
    let analysis = analysed(&plan, &attempts);
    assert_eq!(analysis.trials[0].shown, Shown::Fail);
    assert_eq!((analysis.trials[0].attempt, analysis.trials[0].attempts), (1, 3));
}

#[test]
fn kills_that_cannot_be_seen_are_never_zero_percent() {
    let plan = plan(4, 1, 2);
    let mut blind = records(&plan, |_, _, _| Some(Ending::Fail));
    for record in &mut blind {
        for exec in &mut record.facts.outcome.execs {
            exec.oom_kills = Observed::Unsupported("no counters in this source".into());
        }
    }
    let analysis = analysed(&plan, &blind);
    assert_eq!(analysis.arms[0].ceiling_kills.estimate, None);
    assert!(
        analysis.answer.sentences.iter().any(|says| says.contains("not observable")),
        "{:?}",
        analysis.answer.sentences
    );
}

#[test]
fn degenerate_sweeps_are_answered_in_words() {
    for (tasks, arms, repeats) in [(1, 1, 1), (1, 6, 1), (2, 2, 1), (3, 3, 1)] {
        let plan = plan(tasks, arms, repeats);
        for ending in [None, Some(Ending::Pass), Some(Ending::Fail), Some(Ending::NotStarted)] {
            let analysis = analysed(&plan, &records(&plan, |_, _, _| ending));
            assert!(!analysis.answer.headline.is_empty());
            for comparison in &analysis.comparisons {
                let score = &comparison.scores[0];
                let silent = score.these_tasks.test.is_none() && score.these_tasks.why_not.is_none();
                assert!(!silent, "a missing test says why");
            }
        }
    }
}

#[test]
fn the_order_of_records_does_not_matter() {
    let (plan, mut records) = falling();
    let forward = analyse(&plan, &records, "test", FAST);
    records.reverse();
    assert!(analyse(&plan, &records, "test", FAST) == forward);
}
