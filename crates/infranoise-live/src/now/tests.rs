//! Whole lives of sweeps as journals tell them.

use infranoise_core::testing::{Ending, host, plan, record};
use infranoise_core::{SandboxId, Shown};

use super::*;

fn started(at_ms: u64, concurrency: u32) -> Event {
    Event::SweepStarted { at_ms, plan_sha256: String::new(), host: Box::new(host()), concurrency, resumed: 0 }
}

fn trial(at_ms: u64, key: &TrialKey, attempt: u32) -> Event {
    let sandbox = SandboxId::try_new("s").expect("a name");
    Event::TrialStarted { at_ms, key: key.clone(), attempt: Attempt(attempt), sandbox, waited_ms: 0 }
}

fn ended(plan: &Plan, at_ms: u64, key: &TrialKey, ending: Ending, attempt: u32) -> Event {
    let mut record = record(plan, key.clone(), ending);
    record.facts.attempt = Attempt(attempt);
    Event::TrialEnded { at_ms, record: Box::new(record) }
}

#[test]
fn running_done_and_pending_always_make_up_the_plan() {
    let plan = Arc::new(plan(2, 2, 1));
    let keys: Vec<TrialKey> = plan.keys().collect();
    let mut now = Now::new(Arc::clone(&plan));
    // After each event: done, running, time left at 1000.
    let life = [
        (started(0, 4), (0, 0, None)),
        (trial(10, &keys[0], 0), (0, 1, None)),
        (Event::PhaseStarted { at_ms: 11, key: keys[0].clone(), phase: Phase::Agent }, (0, 1, None)),
        (ended(&plan, 500, &keys[0], Ending::CeilingKill, 0), (1, 0, Some(3_000))),
        (trial(600, &keys[1], 0), (1, 1, Some(3_000))),
        (ended(&plan, 700, &keys[1], Ending::NotStarted, 0), (2, 0, Some(1_000))),
        (trial(800, &keys[1], 1), (1, 1, Some(1_500))),
        (ended(&plan, 900, &keys[1], Ending::Pass, 1), (2, 0, Some(666))),
        (trial(910, &keys[2], 0), (2, 1, Some(666))),
        // The process dies; the next one says so.
        (started(950, 4), (2, 0, None)),
        (Event::TrialLost { at_ms: 950, key: keys[2].clone(), attempt: Attempt(0) }, (2, 0, None)),
        (Event::SweepStopped { at_ms: 960, reason: StopReason::Interrupted }, (2, 0, None)),
    ];
    for (step, (event, expected)) in life.into_iter().enumerate() {
        now.hear(event);
        assert_eq!((now.done(), now.running.len(), now.left_ms(1_000)), expected, "step {step}");
        let shown: u64 = Shown::ALL.into_iter().map(|shown| now.tally.total(shown)).sum();
        assert_eq!(shown, now.tally.recorded(), "step {step}");
    }
    assert_eq!(now.tally.total(Shown::NotStarted), 0, "the attempt that started counts instead");
    assert_eq!(now.record(&keys[1]).map(|record| record.facts.attempt), Some(Attempt(1)));
    assert_eq!((now.lost, now.stopped.clone()), (1, Some(StopReason::Interrupted)));
    let causes = now.tally.infra_causes();
    assert_eq!(causes.len(), 1, "{causes:?}");
    assert_eq!(causes[0].1, vec![1, 0]);
}

#[test]
fn what_the_plan_does_not_hold_is_counted_and_changes_nothing() {
    let small = Arc::new(plan(1, 1, 1));
    let large = plan(3, 2, 2);
    let mut now = Now::new(Arc::clone(&small));
    for key in large.keys().filter(|key| key.repeat == 1) {
        now.hear(trial(1, &key, 0));
        now.hear(ended(&large, 2, &key, Ending::Fault, 0));
    }
    assert_eq!((now.done(), now.running.len(), now.unplanned), (0, 0, 6));
}
