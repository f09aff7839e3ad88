//! What the rows say.

use infranoise_core::testing::{Ending, plan, record};
use infranoise_core::{ArmId, Attempt, TrialRecord};
use serde_json::{Value, json};

use super::sample::{mixed, sweep};
use super::text;
use crate::exports::Sweep;

fn rows(plan: &infranoise_core::Plan, records: &[TrialRecord]) -> Vec<Value> {
    text("jsonl", plan, records).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[track_caller]
fn check(row: &Value, expected: &[(&str, Value)]) {
    for (column, value) in expected {
        assert_eq!(&row[column], value, "{column}");
    }
}

#[test]
fn rows_say_what_the_records_say() {
    let (plan, records) = sweep();
    let rows = rows(&plan, &records);
    check(
        &rows[1],
        &[
            ("shown", json!("ceiling")),
            ("resource", json!("memory")),
            ("cause", json!("oom")),
            ("rule", json!("ceiling-kill")),
            ("pass", Value::Null),
            ("infra", json!(true)),
            ("reward_state", json!("not_graded")),
            ("agent_stop", json!("sandbox_ended")),
            ("verify_ms", Value::Null),
            ("memory_peak_censored", json!(true)),
            ("memory_ceiling_bytes", Value::Null),
            ("memory_capped", json!(false)),
            ("memory_headroom", Value::Null),
            ("pids_ceiling", json!(100)),
        ],
    );
    check(
        &rows[2],
        &[
            ("pass", json!(false)),
            ("infra", json!(false)),
            ("memory_spec_bytes", json!(64 << 20)),
            ("memory_ceiling_bytes", json!(64 << 20)),
            ("memory_headroom", json!(1.0)),
            ("cpu_ceiling_millicpu", json!(500)),
            ("pids_ceiling", Value::Null),
            ("pids_capped", json!(false)),
            ("agent_ms", json!(1_000)),
            ("oom_kills", json!(0)),
            ("cpu_us", json!(123_456)),
            ("throttled_us", Value::Null),
            ("partial", json!("cpu_us")),
            ("cost_usd", json!(0.1 + 0.2)),
            ("seed", json!((u64::MAX - 3).to_string())),
        ],
    );
    check(&rows[3], &[("shown", json!("undetermined")), ("infra", json!(false)), ("pass", json!(false))]);
}

#[test]
fn the_first_attempt_that_started_counts() {
    let (plan, records) = sweep();
    let rows = rows(&plan, &records);
    let attempts: Vec<_> = rows.iter().filter(|row| row["position"] == 4).collect();
    check(attempts[0], &[("attempt", json!(0)), ("counts", json!(false)), ("infra", Value::Null)]);
    check(attempts[1], &[("attempt", json!(1)), ("counts", json!(true)), ("pass", json!(true))]);
    assert_eq!(attempts[1]["trial"], "task-1__1x__0.attempt-1");
    assert_eq!(rows.iter().filter(|row| row["counts"] == true).count(), 7);
}

#[test]
fn a_started_attempt_counts_before_the_ones_after_it_and_strangers_never() {
    let plan = plan(1, 1, 1);
    let key = plan.keys().next().expect("a trial");
    let attempt = |n, ending| {
        let mut record = record(&plan, key.clone(), ending);
        record.facts.attempt = Attempt(n);
        record
    };
    let cases: [(&[(u32, Ending)], u32); 4] = [
        (&[(0, Ending::Fault), (1, Ending::Pass)], 0),
        (&[(2, Ending::Pass), (1, Ending::Fail), (0, Ending::NotStarted)], 1),
        (&[(0, Ending::NotStarted), (1, Ending::NotStarted)], 1),
        (&[(0, Ending::Pass)], 0),
    ];
    for (attempts, counts) in cases {
        let mut records: Vec<_> = attempts.iter().map(|(n, ending)| attempt(*n, *ending)).collect();
        let mut stranger = attempt(0, Ending::Pass);
        stranger.facts.key.arm = ArmId::try_new("elsewhere").expect("a name");
        records.push(stranger);
        let sweep = Sweep::new(&plan, &records);
        let counting: Vec<_> =
            sweep.rows().iter().filter(|row| row.counts).map(|row| row.record.facts.attempt.0).collect();
        assert_eq!(counting, [counts], "{attempts:?}");
    }
}

#[test]
fn what_another_harness_does_not_say_is_null_and_never_zero() {
    let (plan, records) = mixed();
    let rows = rows(&plan, &records);
    let foreign = rows.last().expect("a row");
    for column in [
        "started_at",
        "started_at_ms",
        "agent_ms",
        "verify_ms",
        "seed",
        "reward",
        "memory_spec_bytes",
        "memory_ceiling_bytes",
        "memory_capped",
        "agent_limit_ms",
        "memory_peak_bytes",
        "cpu_us",
        "tokens_in",
        "cost_usd",
        "concurrent_trials",
        "oom_kills",
        "partial",
        "memory_peak_censored",
        "kill_scope",
    ] {
        assert_eq!(foreign[column], Value::Null, "{column}");
    }
    check(
        foreign,
        &[
            ("provenance", json!("unknown")),
            ("source_failure", json!("RewardFileNotFoundError")),
            ("source_counted", json!(false)),
            ("would_have_passed", Value::Null),
            ("start_ms", json!(10)),
            ("agent_stop", json!("exited")),
            ("last_phase", json!("verify")),
        ],
    );
}
