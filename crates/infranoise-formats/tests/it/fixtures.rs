//! Our own small folders, one for each importer: what is read of them, trial by trial.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use infranoise_core::{Attempt, Bytes, Ceiling, Provenance};
use infranoise_formats::results::{IMPORTERS, ImportError, Imported, detect_any, import};

use crate::reference::{imported, words};

pub fn fixture(inner: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(inner)
}

/// `arm task#repeat blame/cause/rule`, one line for each trial.
fn lines(imported: &Imported) -> Vec<String> {
    let line = |record: &infranoise_core::TrialRecord| {
        let key = &record.facts.key;
        format!("{} {}#{} {}", key.arm, key.task, key.repeat, words(record))
    };
    imported.records.iter().map(line).collect()
}

#[track_caller]
fn check(inner: &str, losses: u64, expected: &[&str]) -> Imported {
    let imported = imported(&fixture(inner));
    assert_eq!(lines(&imported), expected, "{inner}");
    assert_eq!(imported.losses.total, losses, "{inner}: {:#?}", imported.losses.kept);
    imported
}

#[test]
fn harbor_jobs_of_today() {
    let imported = check(
        "harbor/jobs",
        1,
        &[
            "1x fixture/sum#0 undetermined/out of memory/foreign-killed",
            "1x fixture/sum#1 nobody/solved/passed",
            "1x fixture/sum#2 not started/image pull/not-started",
            "3x fixture/sum#0 agent/agent's own error/foreign-agent",
            "3x fixture/sum#1 agent/wrong answer/wrong-answer",
            "3x fixture/sum#2 nobody/solved/passed",
            "3x fixture/sum#3 fault/API rate limit/foreign-infra",
            "3x fixture/sum#4 nobody/solved/passed",
        ],
    );
    let ceilings: BTreeSet<String> = imported
        .records
        .iter()
        .map(|record| record.facts.allocation.expect("known").memory.ceiling().to_string())
        .collect();
    assert_eq!(ceilings.into_iter().collect::<Vec<_>>(), ["1.5 GiB", "512 MiB"]);
    assert_eq!(imported.plan.planned(), 10, "the lock planned five in each job, one of which cannot be read");
    assert!(imported.plan.warnings.iter().any(|says| says.contains("job 1x was interrupted")));
}

#[test]
fn harbor_jobs_of_the_first_versions() {
    let imported = check("harbor/old", 0, &["nightly ancient#0 agent/wrong answer/wrong-answer"]);
    let facts = &imported.records[0].facts;
    let memory = facts.allocation.expect("silence of the task file meant 2048 MB").memory;
    assert_eq!(memory.ceiling(), Ceiling::At(Bytes::gib(2)));
    assert_eq!(facts.provenance, Provenance::Inferred);
    assert!(facts.notes.iter().any(|note| note.contains("without an offset")), "{:?}", facts.notes);
    assert_eq!(facts.source.as_ref().and_then(|source| source.concurrency), Some(2));
}

/// Harbor keeps only the first of two exceptions; the second leaves a line in the trial's log.
#[test]
fn a_verifier_that_ran_out_of_time_after_the_agent_had_failed() {
    let (_folder, path) = crate::hostile::copy("harbor");
    let trial = path.join("jobs/3x/sum__conn104");
    let document = std::fs::read_to_string(trial.join("result.json")).expect("read");
    let mut document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    document["verifier_result"] = serde_json::Value::Null;
    document["exception_info"]["exception_type"] = "NonZeroAgentExitCodeError".into();
    std::fs::write(trial.join("result.json"), document.to_string()).expect("written");
    let log = "Skipping exception record for VerifierTimeoutError: one is there\n";
    std::fs::write(trial.join("trial.log"), log).expect("written");
    let read = imported(&trial);
    assert_eq!(words(&read.records[0]), "undetermined/verifier time-out/no-verdict");
    assert!(read.records[0].facts.notes.iter().any(|note| note.contains("only the first exception")));
}

#[test]
fn terminal_bench_runs_with_a_copy_inside() {
    let imported = check(
        "tb1/team",
        2,
        &[
            "team count#0 nobody/solved/passed",
            "team weave#0 not started/network/not-started",
            "team knit#0 fault/verifier broken/foreign-verdict-lost",
            "team spin#0 not started/start failed/not-started",
            "team dye#0 agent/time-out/time-out",
            "team count#1 nobody/solved/passed",
            "team weave#1 nobody/solved/passed",
        ],
    );
    let knit = imported.records[2].facts.source.as_ref().expect("a source");
    assert_eq!(knit.would_have_passed, Some(true));
    assert_eq!(imported.plan.subject.agent, "walker");
    assert_eq!(imported.records[0].facts.usage.tokens_in.value(), None, "0 tokens means that nobody counted");
}

#[test]
fn terminal_bench_without_times_and_without_folders() {
    let flat = check(
        "tb1/flat",
        0,
        &["flat count#0 nobody/solved/passed", "flat count#1 agent/wrong answer/wrong-answer"],
    );
    let agent = &flat.records[0].facts.outcome.phases[1];
    assert_eq!(agent.ended_ms - agent.started_ms, 100_000, "from one recording's header to the next");
    assert_eq!(flat.records[0].facts.started_at_ms, 1_770_000_000_000);
    check("tb1/lone", 0, &["2026-03-03_results.json count#0 agent/wrong answer/wrong-answer"]);
}

#[test]
fn an_error_that_everybody_gets_is_the_tasks() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |submission: &str, error: &str| {
        let trial = |n: u32| {
            format!(
                r#"{{"id": "{submission}-{n}", "trial_name": "dye.{n}-of-2.x", "task_id": "dye", "is_resolved": false,
                    "failure_mode": "unset", "parser_results": {{"../tests/test_dye.py - {error}": "failed"}}}}"#
            )
        };
        let text =
            format!(r#"{{"results": [{}, {}], "n_resolved": 0, "n_unresolved": 2}}"#, trial(1), trial(2));
        let path = folder.path().join(submission);
        std::fs::create_dir_all(&path).expect("made");
        std::fs::write(path.join("results.json"), text).expect("written");
    };
    let missing = "ModuleNotFoundError: No module named 'ink'";
    let blames = || -> BTreeSet<String> { imported(folder.path()).records.iter().map(words).collect() };
    // Two submissions may share a mistake.
    write("a/one", missing);
    write("b/one", missing);
    assert_eq!(blames().into_iter().collect::<Vec<_>>(), ["agent/wrong answer/wrong-answer"]);
    write("c/one", missing);
    assert_eq!(blames().into_iter().collect::<Vec<_>>(), ["task/verifier broken/foreign-task-defect"]);
    write("c/one", "ModuleNotFoundError: No module named 'wool'");
    assert_eq!(blames().into_iter().collect::<Vec<_>>(), ["agent/wrong answer/wrong-answer"]);
}

#[test]
fn inspect_logs_finished_crashed_and_as_a_document() {
    let finished = check(
        "inspect/finished.eval",
        0,
        &[
            "example.model-1 fixture/1#0 nobody/solved/passed",
            "example.model-1 fixture/1#1 agent/wrong answer/wrong-answer",
            "example.model-1 fixture/two#0 fault/API rate limit/fault",
        ],
    );
    let facts = &finished.records[0].facts;
    assert_eq!(facts.allocation.expect("declared").memory.ceiling(), Ceiling::At(Bytes::gib(1)));
    assert_eq!((facts.provenance, facts.usage.tokens_in.value()), (Provenance::Declared, Some(&7)));
    let crashed = check("inspect/crashed.eval", 0, &["example.model-1 fixture/1#0 nobody/solved/passed"]);
    assert_eq!(crashed.plan.planned(), 4);
    check(
        "inspect/document.json",
        0,
        &[
            "example.model-1 fixture/1#0 nobody/solved/passed",
            "example.model-1 fixture/two#0 agent/time-out/time-out",
        ],
    );
}

#[test]
fn swebench_reports_logs_and_predictions() {
    let imported = check(
        "swebench",
        0,
        &[
            "walker__model-1 lib__a-1#0 nobody/solved/passed",
            "walker__model-1 lib__a-2#0 undetermined/out of memory/foreign-killed",
            "walker__model-1 lib__a-3#0 agent/wrong answer/foreign-agent",
            "walker__model-1 lib__a-4#0 agent/wrong answer/wrong-answer",
        ],
    );
    assert_eq!(imported.plan.planned(), 5);
    let verify = &imported.records[0].facts.outcome.phases[2];
    assert_eq!(verify.ended_ms - verify.started_ms, 12_500);
}

#[test]
fn trajectories_alone_and_beside_an_evaluation() {
    let alone = check(
        "mini-swe-agent",
        0,
        &[
            "example.model-1 lib__a-8#0 undetermined/unknown/no-rule",
            "example.model-1 lib__a-9#0 fault/API rate limit/fault",
        ],
    );
    let limits = alone.records[1].facts.allocation.expect("declared");
    assert_eq!(limits.memory.ceiling(), Ceiling::At(Bytes::gib(2)));
    let both = import(&[&fixture("mini-swe-agent"), &fixture("swebench")], None, 0).expect("read");
    assert_eq!(both.records.len(), 4, "a trajectory beside an evaluation is no trial of its own");
}

#[test]
fn openhands_outputs_say_that_resources_followed_failures() {
    let imported = check(
        "openhands",
        1,
        &[
            "example.model-1 lib__a-1#0 nobody/solved/passed",
            "example.model-1 lib__a-2#0 agent/wrong answer/wrong-answer",
            "example.model-1 lib__a-3#0 fault/sandbox gone/fault",
        ],
    );
    assert_eq!(imported.records[1].facts.attempt, Attempt(1));
    assert!(
        imported.plan.warnings.iter().any(|says| says.contains("1 of 3 trials")),
        "{:?}",
        imported.plan.warnings
    );
}

#[test]
fn tables_of_ones_own() {
    check(
        "table",
        0,
        &[
            "1x sum#0 nobody/solved/passed",
            "1x sum#1 agent/wrong answer/wrong-answer",
            "3x sum#0 fault/network/foreign-infra",
        ],
    );
}

#[test]
fn importers_have_names_of_their_own_and_a_fixture_each() {
    let ids: BTreeSet<&str> = IMPORTERS.iter().map(|importer| importer.id).collect();
    assert_eq!(ids.len(), IMPORTERS.len());
    for id in ids {
        let formats: BTreeSet<&str> = detect_any(&fixture(id))
            .unwrap_or_else(|error| panic!("{id}: {error}"))
            .iter()
            .map(|found| found.importer.id)
            .collect();
        assert_eq!(formats.into_iter().collect::<Vec<_>>(), [id], "the fixture of {id} is read by it alone");
    }
    let all = imported(&fixture(""));
    assert_eq!(all.plan.imported.expect("imported").formats.len(), IMPORTERS.len());
}

#[test]
fn no_two_importers_claim_the_same_path() {
    fn walk(path: &Path, seen: &mut usize) {
        match detect_any(path) {
            Err(ImportError::Ambiguous { path, first, second }) => {
                panic!("{}: {first}, {second}", path.display())
            }
            Ok(_) | Err(_) => *seen += 1,
        }
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            walk(&entry.path(), seen);
        }
    }
    let mut seen = 0;
    walk(&fixture(""), &mut seen);
    assert!(seen > 80, "{seen}");
}

#[test]
fn what_is_not_recognised_says_what_was_looked_for() {
    let empty = tempfile::tempdir().expect("a folder");
    std::fs::write(empty.path().join("notes.txt"), "nothing").expect("written");
    let error = import(&[empty.path()], None, 0).expect_err("nothing there").to_string();
    for importer in IMPORTERS {
        assert!(error.contains(importer.id) && error.contains(importer.looks_for), "{error}");
    }
    assert!(matches!(import(&[], None, 0), Err(ImportError::Nothing)));
    assert!(matches!(import(&[Path::new("/nowhere")], None, 0), Err(ImportError::Unreadable { .. })));
}
