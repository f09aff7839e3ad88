//! Rollouts with a known truth, and lines that are none.

use std::io::Cursor;

use infranoise_core::testing::{Ending, plan, record};
use serde_json::{Value, json};

use super::class::CLASSES;
use super::{classify_line, classify_stream};
use crate::exports::ExportOptions;

fn judged(rollout: &Value) -> Value {
    serde_json::from_str(&classify_line(&rollout.to_string(), ExportOptions::default())).expect("JSON")
}

#[track_caller]
fn check(rollout: Value, mask: &str, shown: &str, cause: &str, rule: &str) {
    let said = judged(&rollout);
    let found =
        ["mask", "shown", "cause", "rule"].map(|field| said[field].as_str().unwrap_or("-").to_owned());
    assert_eq!(found, [mask, shown, cause, rule], "{rollout}\n{said:#}");
    let evidence = said["evidence"].as_array().expect("a list");
    assert!(!evidence.is_empty(), "no verdict without evidence: {rollout}");
}

#[test]
fn passes_and_failures_of_the_policy() {
    check(json!({"reward": 1}), "keep", "pass", "solved", "passed");
    check(
        json!({"reward": 1.0, "exception": {"class": "AgentTimeoutError"}}),
        "keep",
        "pass",
        "solved",
        "passed",
    );
    check(json!({"reward": 0, "exit_code": 0}), "keep", "fail", "wrong_answer", "wrong-answer");
    check(json!({"reward": 0.5}), "keep", "fail", "wrong_answer", "wrong-answer");
    check(json!({"reward": 0, "exit_code": 2}), "keep", "fail", "agent_error", "agent-error");
    check(
        json!({"reward": 0, "exit_code": 137, "oom_kills": 0}),
        "keep",
        "fail",
        "agent_killed_itself",
        "agent-killed",
    );
    for class in ["ContextWindowExceededError", "litellm.exceptions.ContextWindowExceededError"] {
        check(
            json!({"reward": 0, "exception": {"class": class}}),
            "keep",
            "fail",
            "agent_error",
            "foreign-agent",
        );
    }
}

#[test]
fn kills_by_their_counters_and_never_by_137_alone() {
    check(json!({"reward": 0, "exit_code": 137}), "uncertain", "undetermined", "unknown", "unexplained-kill");
    check(json!({"reward": 0, "signal": 9}), "uncertain", "undetermined", "unknown", "unexplained-kill");
    for killed in [
        json!({"exit_code": 137}),
        json!({"signal": 9}),
        json!({"exit_code": -9}),
        json!({"oom_ended": true}),
    ] {
        let mut rollout = json!({"reward": 0, "oom_kills": 1, "oom_events": 1});
        rollout.as_object_mut().expect("an object").extend(killed.as_object().cloned().expect("an object"));
        check(rollout, "keep", "ceiling", "oom", "ceiling-kill");
    }
    check(
        json!({"reward": 0, "exit_code": 1, "oom_kills": 1}),
        "uncertain",
        "undetermined",
        "oom",
        "survived-event",
    );
    check(json!({"reward": 1, "exit_code": 0, "oom_kills": 3}), "keep", "pass", "solved", "passed");
    check(
        json!({"exit_code": 0, "oom_kills": 1, "oom_phase": "verify", "phases": {"agent_ms": 5, "verify_ms": 5}}),
        "keep",
        "ceiling",
        "oom",
        "ceiling-kill-verifier",
    );
    check(
        json!({"reward": 0, "exit_code": 1, "pids_refused": 4}),
        "keep",
        "ceiling",
        "pids",
        "ceiling-refusal",
    );
    let guess = json!({"reward": 0, "exception": {"class": "SandboxLikelyOutOfMemoryError"}});
    check(guess, "uncertain", "undetermined", "oom", "foreign-killed");
    let watchdog = json!({"exception": {"class": "MemoryLimitExceededError"}});
    check(watchdog, "keep", "ceiling", "oom", "ceiling-kill");
}

#[test]
fn a_host_that_ran_out_is_the_rollouts_only_above_its_floor() {
    let host = |usage: u64, largest: bool| {
        json!({"exit_code": -9, "host_oom_kills": 1,
               "host_at_kill": {"own_usage_bytes": usage, "own_floor_bytes": 100, "largest_user": largest}})
    };
    check(host(100, true), "drop", "fault", "host_oom", "host-oom");
    check(host(101, true), "keep", "ceiling", "host_oom", "host-oom");
    check(host(101, false), "uncertain", "undetermined", "host_oom", "host-oom");
    let counters = json!({"exit_code": -9, "oom_kills": 1, "oom_events": 0});
    check(counters, "uncertain", "undetermined", "host_oom", "host-oom");
    let ray = json!({"reward": 0, "exception": {"class": "ray.exceptions.OutOfMemoryError"}});
    check(ray, "uncertain", "undetermined", "host_oom", "foreign-infra");
}

#[test]
fn fake_zeros_are_dropped() {
    let raised = |class: &str| json!({"reward": 0.0, "exception": {"class": class, "message": "no"}});
    check(raised("openai.RateLimitError"), "drop", "fault", "api_rate_limit", "foreign-infra");
    check(raised("litellm.exceptions.Timeout"), "drop", "fault", "api_stall", "foreign-infra");
    check(raised("anthropic.InternalServerError"), "drop", "fault", "api_error", "foreign-infra");
    check(raised("httpx.ConnectError"), "drop", "fault", "network", "foreign-infra");
    check(raised("socket.gaierror"), "drop", "fault", "dns", "foreign-infra");
    check(raised("ray.exceptions.NodeDiedError"), "drop", "fault", "node_lost", "fault");
    check(raised("DaytonaSandboxStopError"), "drop", "fault", "sandbox_gone", "fault");
    let before = json!({"reward": 0, "phases": {"start_ms": 900, "agent_ms": null}});
    check(before, "drop", "not_started", "unknown", "not-started");
    let setup = json!({"reward": 0, "exception": {"class": "AgentSetupTimeoutError"}});
    check(setup, "drop", "not_started", "setup_failed", "not-started");
    let pull = json!({"exception": {"class": "docker.errors.ImageNotFound"}});
    check(pull, "drop", "not_started", "image_pull", "not-started");
    let in_setup =
        json!({"phases": {"start_ms": 5, "setup_ms": 7}, "exception": {"class": "RateLimitError"}});
    check(in_setup, "drop", "not_started", "api_rate_limit", "not-started");
}

#[test]
fn words_alone_never_decide() {
    let said =
        |class: &str, message: &str| json!({"reward": 0, "exception": {"class": class, "message": message}});
    for message in
        ["rate limit", "No space left on device", "Connection refused", "Killed: out of memory", ""]
    {
        let verdict = judged(&said("RuntimeError", message));
        assert_eq!(verdict["mask"], "uncertain", "{message}: {verdict:#}");
    }
    let own = said("ConnectionRefusedError", "[Errno 111] connect to 127.0.0.1:8000");
    check(own, "uncertain", "undetermined", "network", "foreign-infra");
}

#[test]
fn limits_against_times() {
    let at = |agent_ms: u64| json!({"reward": 0, "exit_code": 137, "phases": {"agent_ms": agent_ms}, "limits": {"agent_ms": 600_000}});
    check(at(600_004), "keep", "fail", "time_out", "time-out");
    check(at(599_000), "uncertain", "undetermined", "unknown", "unexplained-kill");
    let mut stalled = at(600_004);
    stalled["api_open"] = json!("api_stall");
    check(stalled, "drop", "fault", "api_stall", "time-out-api");
    let mut starved = at(600_000);
    for (field, value) in
        [("cpu_floor_millicpu", 1_000), ("cpu_us", 90_000_000), ("agent_contention_us", 400_000_000)]
    {
        starved[field] = json!(value);
    }
    check(starved, "drop", "fault", "cpu_starved", "time-out-starved");
    let mut throttled = at(600_000);
    throttled["agent_throttled_us"] = json!(300_000_000);
    check(throttled, "keep", "fail", "throttled", "time-out-throttled");
    let verifier = json!({"exit_code": 0, "phases": {"agent_ms": 9, "verify_ms": 60_000}, "limits": {"verify_ms": 60_000}});
    check(verifier, "uncertain", "undetermined", "verifier_time_out", "no-verdict");
    let missing = json!({"exit_code": 0, "exception": {"class": "RewardFileNotFoundError"}});
    check(missing, "uncertain", "undetermined", "reward_missing", "no-verdict");
}

#[test]
fn an_empty_record_is_judged_and_nothing_is_claimed() {
    check(json!({}), "uncertain", "undetermined", "unknown", "fault");
    let interrupted = json!({"reward": 0, "exception": {"class": "asyncio.CancelledError"}});
    check(interrupted, "uncertain", "undetermined", "interrupted", "interrupted");
}

#[test]
fn whole_facts_and_whole_records_are_judged_too() {
    let plan = plan(1, 1, 1);
    let record = record(&plan, plan.keys().next().expect("a trial"), Ending::CeilingKill);
    let facts = serde_json::to_value(&record.facts).expect("JSON");
    check(facts.clone(), "keep", "ceiling", "oom", "ceiling-kill");
    assert_eq!(judged(&facts)["id"], "task-0__1x__0");
    check(serde_json::to_value(&record).expect("JSON"), "keep", "ceiling", "oom", "ceiling-kill");
    let mut verifier = facts;
    verifier["outcome"]["events"] = json!([]);
    verifier["outcome"]["phases"] = json!([{"phase": "agent", "started_ms": 0, "ended_ms": 5, "stop": {"exited": {"code": 0}}},
        {"phase": "verify", "started_ms": 5, "ended_ms": 9, "stop": {"exited": {"code": 1}}}]);
    let with = json!({"id": 7, "facts": verifier, "context": {"qualification": {"oracle_shows_it": true},
        "host_at_kill": null, "api": "not_watched", "verifier_clean": false}});
    check(with.clone(), "drop", "undetermined", "reward_missing", "no-verdict");
    assert_eq!(judged(&with)["id"], 7);
}

#[test]
fn options_and_ids_go_through() {
    let options = ExportOptions { drop_ceiling: true, ..ExportOptions::default() };
    let line =
        r#"{"id": {"group": 3, "sample": 1}, "meta": [1, {"x": null}], "exit_code": 137, "oom_kills": 1}"#;
    let said: Value = serde_json::from_str(&classify_line(line, options)).expect("JSON");
    assert_eq!((&said["mask"], &said["id"]), (&json!("drop"), &json!({"group": 3, "sample": 1})));
}

#[test]
fn a_bad_line_gives_an_error_and_the_stream_goes_on() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = format!("{{\"meta\": \"{}\"}}", "x".repeat(17 << 20));
    let lines: Vec<Vec<u8>> = vec![
        br#"{"id": 1, "reward": 1}"#.to_vec(),
        b"".to_vec(),
        b"no json".to_vec(),
        br#"{"reward": 0"#.to_vec(),
        br#"{"id": 5, "oom_kill": 1}"#.to_vec(),
        br#"{"id": 6, "reward": "1"}"#.to_vec(),
        br#"{"reward": NaN}"#.to_vec(),
        b"\xff\xfe{}".to_vec(),
        deep.into_bytes(),
        long.into_bytes(),
        br#"{"facts": {}}"#.to_vec(),
        br#"{"id": 12, "memory_floor_bytes": 5, "memory_ceiling_bytes": 4}"#.to_vec(),
        b"[1]\r".to_vec(),
        br#"{"id": 14, "reward": 0}"#.to_vec(),
    ];
    let mut out = Vec::new();
    let summary = classify_stream(Cursor::new(lines.join(&b'\n')), &mut out, ExportOptions::default())
        .expect("goes on");
    assert_eq!((summary.judged, summary.unread), (2, 12));
    let answers: Vec<Value> = String::from_utf8(out)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), lines.len(), "a line for a line");
    for (place, answer) in answers.iter().enumerate() {
        let fine = place == 0 || place == 13;
        assert_eq!(answer.get("error").is_none(), fine, "{answer}");
        assert!(fine || answer["line"] == place + 1, "{answer}");
    }
    assert_eq!((&answers[0]["mask"], &answers[13]["id"]), (&json!("keep"), &json!(14)));
    assert_eq!(answers[4]["id"], 5);
    assert!(answers[4]["error"].as_str().is_some_and(|says| says.contains("oom_kill")), "{}", answers[4]);
}

#[test]
fn classes_are_named_once() {
    let mut names: Vec<&str> = CLASSES.iter().map(|(name, ..)| *name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CLASSES.len());
}

#[test]
fn the_page_knows_every_field() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/classify-stream.md");
    let page = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("`{}` exists", page.display()));
    let listed = |line: &str| -> Vec<String> {
        let said: Value = serde_json::from_str(&classify_line(line, ExportOptions::default())).expect("JSON");
        let error = said["error"].as_str().expect("unknown fields are refused").to_owned();
        error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    };
    let (fields, times, raised) = (
        listed(r#"{"no such field": 1}"#),
        listed(r#"{"phases": {"no such field": 1}}"#),
        listed(r#"{"exception": {"no such field": 1}}"#),
    );
    assert_eq!((fields.len(), times.len(), raised.len()), (25, 6, 3), "{fields:?}");
    for field in fields.iter().chain(&times).chain(&raised) {
        assert!(page.contains(&format!("`{field}`")), "docs/classify-stream.md does not know `{field}`");
    }
    for line in page.lines().filter(|line| line.starts_with("{\"")) {
        let said: Value = serde_json::from_str(&classify_line(line, ExportOptions::default())).expect("JSON");
        let is_answer = line.contains("\"mask\":");
        assert!(is_answer || said.get("error").is_none(), "{line}: {said}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_gets_one_line_of_json(text in proptest::prelude::any::<String>(), place in 0_usize..200, with in 0_u8..128) {
        let mut record = json!({
            "id": text, "reward": 0, "exit_code": 137, "oom_kills": 2, "oom_phase": "verify",
            "exception": {"class": text, "message": text}, "phases": {"agent_ms": 7, "verify_ms": u64::MAX},
            "limits": {"agent_ms": u64::MAX}, "meta": {"deep": [text]},
        }).to_string();
        for line in [record.clone(), text] {
            let answer = classify_line(&line, ExportOptions::default());
            proptest::prop_assert!(!answer.contains('\n'));
            proptest::prop_assert!(serde_json::from_str::<Value>(&answer).is_ok());
        }
        if record.is_char_boundary(place) && record.is_char_boundary(place + 1) {
            record.replace_range(place..=place, &char::from(with).to_string());
            proptest::prop_assert!(serde_json::from_str::<Value>(&classify_line(&record, ExportOptions::default())).is_ok());
        }
    }
}
