//! Importers, fed through the front door: files in a folder.

use std::path::Path;

use infranoise_core::TrialRecord;
use infranoise_formats::results::import;

use super::layout::{folder, lay_out, put};

/// Files of a Harbor job.
pub const HARBOR: &[&str] = &[
    "jobs/one/sum__aaaaaaa/result.json",
    "jobs/one/sum__bbbbbbb/result.json",
    "jobs/one/result.json",
    "jobs/one/config.json",
    "jobs/one/lock.json",
    "jobs/one/job.log",
    "jobs/one/sum__aaaaaaa/lock.json",
    "jobs/one/sum__aaaaaaa/trial.log",
    "jobs/one/sum__aaaaaaa/agent/walker.txt",
    "jobs/one/sum__aaaaaaa/agent/exit-code.txt",
    "jobs/one/sum__aaaaaaa/agent/trajectory.json",
    "jobs/one/sum__aaaaaaa/verifier/test-stdout.txt",
    "tasks/sum/task.toml",
];

/// Files of a Terminal-Bench 1 run.
pub const TB1: &[&str] = &[
    "run/results.json",
    "run/weave/weave.1-of-1.run/results.json",
    "run/run_metadata.json",
    "run/tb.lock",
    "run/run.log",
    "run/weave/weave.1-of-1.run/panes/post-agent.txt",
    "run/weave/weave.1-of-1.run/panes/post-test.txt",
    "run/weave/weave.1-of-1.run/sessions/tests.log",
    "run/weave/weave.1-of-1.run/sessions/agent.cast",
    "run/weave/weave.1-of-1.run/sessions/tests.cast",
    "run/copy/results.json",
];

/// Files of a SWE-bench evaluation.
pub const SWEBENCH: &[&str] = &[
    "walker__model-1.night.json",
    "preds.jsonl",
    "logs/run_evaluation/night/walker__model-1/lib__a-1/report.json",
    "logs/run_evaluation/night/walker__model-1/lib__a-1/run_instance.log",
    "logs/run_evaluation/night/walker__model-1/lib__a-1/test_output.txt",
    "lib__a-1/lib__a-1.traj.json",
];

/// Tables, by ending.
pub const TABLES: &[&str] = &["trials.csv", "trials.tsv", "trials.jsonl", "trials.ndjson"];
/// Logs of Inspect, by ending.
pub const INSPECT: &[&str] = &["log.eval", "log.json"];
/// Archives, by ending.
pub const ARCHIVES: &[&str] = &["run.zip", "run.tar", "run.tar.gz", "run.tar.zst"];

/// A trial of Terminal-Bench 0.2.7, which has its times from recordings alone.
const UNTIMED: &[u8] =
    br#"{"trial_name":"weave.1-of-1.run","task_id":"weave","is_resolved":false,"failure_mode":"agent_timeout","uuid":"u"}"#;
/// A failed trial of Harbor.
const FAILED: &[u8] =
    br#"{"id":"i","trial_name":"sum__aaaaaaa","task_name":"sum","verifier_result":{"rewards":{"reward":0}}}"#;

/// Imports what is in a folder and checks what every import promises.
fn check(root: &Path) {
    let Ok(imported) = import(&[root], None, 0) else { return };
    assert!(
        (1..1_000_000).contains(&imported.plan.planned()),
        "{} trials are planned",
        imported.plan.planned()
    );
    for record in &imported.records {
        let facts = &record.facts;
        assert!(!record.classification.evidence.is_empty(), "no verdict without evidence");
        assert!(imported.plan.task(&facts.key.task).is_some(), "a trial of no task");
        assert!(
            imported.plan.repeats_of(&facts.key.arm, &facts.key.task) > facts.key.repeat,
            "a repeat too many"
        );
        let text = serde_json::to_string(record).expect("a record can be written");
        let again: TrialRecord = serde_json::from_str(&text).expect("a record can be read again");
        assert_eq!(&again, record, "what is read is what was written");
    }
}

fn files(names: &[&str], data: &[u8]) {
    let root = folder();
    lay_out(root.path(), names, data);
    check(root.path());
}

/// One binary file; the first byte says of which name.
fn one_of(names: &[&str], data: &[u8]) {
    let [which, content @ ..] = data else { return };
    let root = folder();
    put(root.path(), names[usize::from(*which) % names.len()], content);
    check(root.path());
}

/// A Harbor job.
pub fn harbor(data: &[u8]) {
    files(HARBOR, data);
}

/// A Terminal-Bench 1 run.
pub fn tb1(data: &[u8]) {
    files(TB1, data);
}

/// An Inspect log.
pub fn inspect(data: &[u8]) {
    one_of(INSPECT, data);
}

/// A trajectory of mini-swe-agent, alone.
pub fn mini_swe_agent(data: &[u8]) {
    files(&["lib__a-8/lib__a-8.traj.json"], data);
}

/// A SWE-bench evaluation.
pub fn swebench(data: &[u8]) {
    files(SWEBENCH, data);
}

/// An output of OpenHands.
pub fn openhands(data: &[u8]) {
    files(&["output.jsonl"], data);
}

/// A table.
pub fn table(data: &[u8]) {
    one_of(TABLES, data);
}

/// An archive, imported as what it is.
pub fn archive(data: &[u8]) {
    let [which, content @ ..] = data else { return };
    let root = folder();
    let name = ARCHIVES[usize::from(*which) % ARCHIVES.len()];
    put(root.path(), name, content);
    check(&root.path().join(name));
}

/// The recordings of a trial that has no other times.
pub fn cast(data: &[u8]) {
    let root = folder();
    put(root.path(), TB1[1], UNTIMED);
    lay_out(root.path(), &TB1[8..10], data);
    check(root.path());
}

/// The trajectory beside a trial.
pub fn atif(data: &[u8]) {
    let root = folder();
    put(root.path(), HARBOR[0], FAILED);
    put(root.path(), HARBOR[10], data);
    check(root.path());
}
