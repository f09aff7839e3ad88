//! Comparisons whose answer is known by construction.

use infranoise_core::testing::{Ending, plan, record};

use super::*;
use crate::Effort;

const FAST: Effort = Effort { draws: 100 };

fn result(seed: u64, ending: impl Fn(usize, u32) -> Ending) -> (Plan, Vec<TrialRecord>) {
    let mut plan = plan(30, 1, 6);
    plan.seed = seed;
    let records = plan
        .keys()
        .map(|key| {
            let task = plan.tasks.iter().position(|task| task.id == key.task).expect("a task");
            let ending = ending(task, key.repeat);
            let mut record = record(&plan, key, ending);
            record.facts.started_at_ms = 1_000_000 * u64::from(record.facts.key.repeat);
            record
        })
        .collect();
    (plan, records)
}

fn side<'s>(label: &str, result: &'s (Plan, Vec<TrialRecord>)) -> Side<'s> {
    Side {
        label: ArmId::try_new(label).expect("a name"),
        plan: &result.0,
        records: &result.1,
        arm: result.0.arms[0].arm.name.clone(),
    }
}

fn compared(base: &(Plan, Vec<TrialRecord>), other: &(Plan, Vec<TrialRecord>)) -> Comparing {
    compare(&side("base", base), &side("head", other), 3.0, None, "test", FAST).expect("compares")
}

/// Half of the repeats pass, in a pattern that differs by task.
fn half(task: usize, repeat: u32) -> Ending {
    if (task as u32 + repeat).is_multiple_of(2) { Ending::Pass } else { Ending::Fail }
}

#[test]
fn matched_circumstances_and_a_large_difference_are_real() {
    let base = result(1, half);
    let head = result(2, |task, repeat| if task < 12 { Ending::Pass } else { half(task, repeat) });
    let found = compared(&base, &head);
    assert_eq!(found.infra, InfraAssumption::Matched, "{:#?}", found.card);
    assert_eq!(found.judgement.word, Word::Real, "{}", found.judgement.says);
    assert!((found.judgement.difference.expect("a number") - 0.2).abs() < 1e-9);
    assert_eq!(found.flips.len(), 12);
    let back = compared(&head, &base);
    assert!((back.judgement.difference.expect("a number") + 0.2).abs() < 1e-9, "swapping flips the sign");
}

#[test]
fn a_total_flip_is_real_although_nothing_varies_within_a_task() {
    let base = result(1, |_, _| Ending::Fail);
    let head = result(2, |_, _| Ending::Pass);
    for (from, to, sign) in [(&base, &head, 1.0), (&head, &base, -1.0)] {
        let found = compared(from, to);
        assert_eq!(found.judgement.word, Word::Real, "{}", found.judgement.says);
        assert_eq!(found.judgement.difference, Some(sign));
        let test = found.analysis.comparisons[0].scores[0].these_tasks.test.as_ref().expect("a test");
        assert!(test.p < 1e-50 && test.effect.half_width() < 0.05, "{test:?}");
    }
}

#[test]
fn results_of_others_are_not_said_to_differ_by_resources() {
    let base = result(1, half);
    let head = result(2, |task, repeat| if task < 20 { Ending::Pass } else { half(task, repeat) });
    let headline = compared(&base, &head).analysis.answer.headline;
    assert!(headline.contains("from whatever lies between them"), "{headline}");
    assert!(!headline.to_lowercase().contains("resources"), "{headline}");
}

#[test]
fn a_difference_that_unmatched_machines_could_make_is_not_called_real() {
    let base = result(1, half);
    let mut head = result(2, |task, repeat| if task < 6 { Ending::Pass } else { half(task, repeat) });
    for record in &mut head.1 {
        record.facts.allocation = None;
    }
    let found = compared(&base, &head);
    assert_eq!(found.infra, InfraAssumption::Unknown);
    assert_eq!(found.judgement.word, Word::CannotTell, "{}", found.judgement.says);
    assert!(
        found.card.reservations.iter().any(|says| says.contains("memory")),
        "{:?}",
        found.card.reservations
    );
}

#[test]
fn one_incident_never_makes_a_difference_real() {
    let most = |task: usize, repeat: u32| {
        if (task as u32 + repeat).is_multiple_of(6) { Ending::Fail } else { Ending::Pass }
    };
    let base = result(1, most);
    let head =
        result(2, |task, repeat| if repeat == 2 && task < 28 { Ending::Fault } else { most(task, repeat) });
    let found = compared(&base, &head);
    assert_eq!(found.incidents[0].trials.len(), 28);
    let test = found.analysis.comparisons[0].scores[0].these_tasks.test.as_ref().expect("a test");
    assert!(test.effect.high < 0.0, "with the incident the difference looks real: {test:?}");
    assert_ne!(found.judgement.word, Word::Real, "{}", found.judgement.says);
    assert_eq!(found.judgement.without_largest_incident, Some(Word::CannotTell));
}

#[test]
fn results_without_a_common_task_are_not_comparable() {
    let base = result(1, half);
    let mut head = result(2, half);
    for (n, task) in head.0.tasks.iter_mut().enumerate() {
        task.id = infranoise_core::TaskId::try_new(format!("other-{n}")).expect("a name");
    }
    let records = std::mem::take(&mut head.1);
    head.1 = records
        .into_iter()
        .map(|mut record| {
            let name = record.facts.key.task.as_str().replace("task", "other");
            record.facts.key.task = infranoise_core::TaskId::try_new(name).expect("a name");
            record
        })
        .collect();
    let found = compared(&base, &head);
    assert!(!found.card.comparable);
    assert_eq!(found.judgement.word, Word::CannotTell);
}

#[test]
fn a_missing_arm_is_named_with_those_that_are_there() {
    let base = result(1, half);
    let mut wrong = side("base", &base);
    wrong.arm = ArmId::try_new("9x").expect("a name");
    let refused = compare(&wrong, &side("head", &base), 3.0, None, "test", FAST).expect_err("refused");
    assert_eq!(refused.to_string(), "`base` has no arm `9x`; it has 1x");
    let twice = compare(&side("a", &base), &side("a", &base), 3.0, None, "test", FAST).expect_err("refused");
    assert!(twice.to_string().contains("give each its own name"));
}
