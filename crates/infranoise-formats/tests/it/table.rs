//! Tables that people make: what the documented columns mean, and whole records back and forth.

use std::path::PathBuf;

use infranoise_core::testing::{self, Ending};
use infranoise_core::{Attempt, Bytes, Ceiling, Provenance, Reward};
use infranoise_formats::results::{ImportError, Imported, import};
use tempfile::TempDir;

use crate::reference::words;

fn file(name: &str, content: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    (folder, path)
}

fn read(name: &str, content: &str) -> Result<Imported, ImportError> {
    let (_folder, path) = file(name, content);
    import(&[&path], None, 0)
}

#[track_caller]
fn check(name: &str, content: &str, expected: &[&str]) {
    let imported = read(name, content).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(imported.records.iter().map(words).collect::<Vec<_>>(), expected, "{content}");
}

#[test]
fn two_columns_are_enough() {
    let expected = ["nobody/solved/passed", "agent/wrong answer/wrong-answer"];
    check("t.csv", "task,pass\na,true\nb,0\n", &expected);
    check("t.tsv", "\u{feff}Task\tPASS\na\tyes\nb\tno\n", &expected);
    check(
        "t.jsonl",
        "{\"task\":\"a\",\"pass\":true}\n\n{\"task\":\"b\",\"reward\":0.5,\"pass\":null}\n",
        &expected,
    );
}

#[test]
fn what_the_table_says_of_blame_is_its_makers_word() {
    let table = "task,pass,infra,blame,cause,phase\n\
        a,,true,,network,agent\n\
        a,false,,ceiling,oom,agent\n\
        a,,,not_started,image_pull,pull\n\
        a,false,,agent,time_out,agent\n\
        a,,,undetermined,oom,agent\n\
        a,false,,task,verifier_broken,verify\n\
        a,true,true,,network,agent\n";
    check(
        "t.csv",
        table,
        &[
            "fault/network/foreign-infra",
            "ceiling (memory)/out of memory/ceiling-kill",
            "not started/image pull/not-started",
            "agent/time-out/time-out",
            "undetermined/out of memory/foreign-infra",
            "task/verifier broken/foreign-task-defect",
            "nobody/solved/passed",
        ],
    );
}

#[test]
fn arms_repeats_attempts_and_resources_are_kept() {
    let table = "task,arm,repeat,attempt,pass,memory_floor_bytes,memory_ceiling_bytes,cpu_ceiling_millicpu\n\
        a,1x,0,0,,67108864,67108864,500\n\
        a,1x,0,1,1,67108864,67108864,500\n\
        a,free,0,0,1,0,none,none\n";
    let imported = read("t.csv", table).expect("read");
    assert_eq!(
        (imported.plan.arms.len(), imported.plan.planned()),
        (2, 2),
        "an attempt is no trial of its own"
    );
    assert_eq!(imported.records[1].facts.attempt, Attempt(1));
    let memory = |place: usize| imported.records[place].facts.allocation.expect("known").memory;
    assert_eq!(memory(0).ceiling(), Ceiling::At(Bytes::mib(64)));
    assert_eq!(memory(2).ceiling(), Ceiling::Uncapped);
    assert_eq!(imported.records[0].facts.provenance, Provenance::Declared);
    assert_eq!(imported.records[0].facts.outcome.reward, Reward::NotGraded);
}

#[test]
fn bad_rows_and_unknown_columns_are_losses() {
    let table = "task,pass,colour\na,true,red\n,true,\nb,perhaps,\nc,true,x,too,many\n";
    let imported = read("t.csv", table).expect("read");
    assert_eq!(imported.records.len(), 2);
    assert_eq!(imported.losses.total, 4, "{:?}", imported.losses.kept);
    let lines = "{\"task\":\"a\",\"pass\":true}\nnot json\n[1]\n{\"pass\":true}\n";
    let imported = read("t.jsonl", lines).expect("read");
    assert_eq!((imported.records.len(), imported.losses.total), (1, 3), "{:?}", imported.losses.kept);
}

#[test]
fn whole_records_come_back_as_they_were() {
    let plan = testing::plan(2, 2, 2);
    let endings = [
        Ending::Pass,
        Ending::Fail,
        Ending::CeilingKill,
        Ending::SurvivedKill,
        Ending::Fault,
        Ending::NotStarted,
    ];
    let records: Vec<_> = plan
        .keys()
        .zip(endings.iter().cycle())
        .map(|(key, ending)| testing::record(&plan, key, *ending))
        .collect();
    let lines: Vec<String> =
        records.iter().map(|record| serde_json::to_string(record).expect("written")).collect();
    let imported = read("sweep.records.jsonl", &lines.join("\n")).expect("read");
    assert_eq!(imported.records, records);
    assert_eq!((imported.plan.planned(), imported.losses.total), (plan.planned(), 0));
    assert_eq!(imported.plan.keys().collect::<Vec<_>>().len(), records.len());
}

#[test]
fn documents_of_our_own_trials_hold_the_whole_record() {
    let plan = testing::plan(1, 2, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let records: Vec<_> = plan.keys().map(|key| testing::record(&plan, key, Ending::CeilingKill)).collect();
    for record in &records {
        let trial = folder.path().join("trials").join(record.facts.key.folder());
        std::fs::create_dir_all(&trial).expect("made");
        let document = infranoise_formats::results::harbor_result(&plan, record);
        std::fs::write(trial.join("result.json"), document.to_string()).expect("written");
    }
    let mut imported = import(&[folder.path()], None, 0).expect("read").records;
    imported.sort_by_key(|record| record.facts.key.clone());
    let mut expected = records;
    expected.sort_by_key(|record| record.facts.key.clone());
    assert_eq!(imported, expected);
}

#[test]
fn the_documentation_names_every_column() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/import-schema.md"));
    let docs = docs.expect("the documentation");
    for column in infranoise_formats::results::TABLE_COLUMNS {
        let phase = column.ends_with("_ms")
            && ["build", "start", "setup", "agent", "verify"].iter().any(|p| *column == format!("{p}_ms"));
        assert!(phase || docs.contains(&format!("`{column}`")), "{column}");
    }
}
