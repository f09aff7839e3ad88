//! What no one would write: each parser is fed with spoiled fixtures and must come back with an answer, whatever it is.
//!
//! Seeds are fixed, so that a failure can be had again; a longer search takes `PROPTEST_CASES`.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_formats::results::import;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::fixtures::fixture;

/// Everything below a folder, with paths relative to it.
pub fn files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    fn walk(root: &Path, at: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
        for entry in fs::read_dir(at).expect("listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                found.push((
                    path.strip_prefix(root).expect("inside").to_owned(),
                    fs::read(&path).expect("read"),
                ));
            }
        }
    }
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found.sort();
    found
}

/// One way to spoil bytes.
#[derive(Clone, Debug)]
enum Spoil {
    Cut(usize),
    Change(usize, u8),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
    Drop(usize, usize),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    let place = any::<usize>();
    let words = prop::sample::select(vec![
        "null",
        "NaN",
        "-1",
        "1e999",
        "\"\"",
        "[]",
        "{}",
        "\"\\u0000\"",
        "true",
        "99999999999999999999",
        "\u{1b}[",
        "../",
        ",",
        "\n",
        "\"",
    ]);
    prop_oneof![
        place.prop_map(Spoil::Cut),
        (place, any::<u8>()).prop_map(|(place, byte)| Spoil::Change(place, byte)),
        (place, words).prop_map(|(place, word)| Spoil::Insert(place, word.as_bytes().to_vec())),
        (place, place, 1usize..200).prop_map(|(start, _, length)| Spoil::Repeat(start, length)),
        (place, 1usize..200).prop_map(|(start, length)| Spoil::Drop(start, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, spoil: &Spoil) {
    let length = bytes.len().max(1);
    match spoil {
        Spoil::Cut(place) => bytes.truncate(place % length),
        Spoil::Change(place, byte) => {
            if let Some(old) = bytes.get_mut(place % length) {
                *old = *byte;
            }
        }
        Spoil::Insert(place, word) => {
            let at = place % length;
            bytes.splice(at.min(bytes.len())..at.min(bytes.len()), word.iter().copied());
        }
        Spoil::Repeat(start, span) => {
            let start = (start % length).min(bytes.len());
            let part = bytes[start..(start + span).min(bytes.len())].to_vec();
            bytes.splice(start..start, part);
        }
        Spoil::Drop(start, span) => {
            let start = (start % length).min(bytes.len());
            bytes.drain(start..(start + span).min(bytes.len()));
        }
    }
}

/// Spoils one file of a fixture in up to four ways and imports what is left.
fn search(inner: &str) {
    let originals = files(&fixture(inner));
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (any::<prop::sample::Index>(), prop::collection::vec(spoil(), 1..5));
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in &originals {
        fs::create_dir_all(folder.path().join(path).parent().expect("a parent")).expect("made");
        fs::write(folder.path().join(path), bytes).expect("written");
    }
    let outcome = runner.run(&strategy, |(which, spoils)| {
        let (path, bytes) = which.get(&originals);
        let mut spoiled = bytes.clone();
        for spoil in &spoils {
            apply(&mut spoiled, spoil);
        }
        fs::write(folder.path().join(path), spoiled).expect("written");
        let read = import(&[folder.path()], None, 0);
        fs::write(folder.path().join(path), bytes).expect("written");
        if let Ok(imported) = read {
            let planned = imported.plan.planned();
            prop_assert!((1..1_000_000).contains(&planned));
            for record in &imported.records {
                prop_assert!(!record.classification.evidence.is_empty(), "no verdict without evidence");
                prop_assert!(imported.plan.task(&record.facts.key.task).is_some());
                prop_assert!(
                    imported.plan.repeats_of(&record.facts.key.arm, &record.facts.key.task)
                        > record.facts.key.repeat
                );
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{inner}: {error}"));
}

fn cases() -> u32 {
    Config::default().cases.min(if std::env::var_os("PROPTEST_CASES").is_some() { u32::MAX } else { 60 })
}

#[test]
fn spoiled_harbor_jobs() {
    search("harbor");
}

#[test]
fn spoiled_terminal_bench_runs() {
    search("tb1");
}

#[test]
fn spoiled_inspect_logs() {
    search("inspect");
}

#[test]
fn spoiled_swebench_evaluations() {
    search("swebench");
}

#[test]
fn spoiled_trajectories() {
    search("mini-swe-agent");
}

#[test]
fn spoiled_openhands_outputs() {
    search("openhands");
}

#[test]
fn spoiled_tables() {
    search("table");
}
