//! What fuzzing has found, replayed: every input of `fuzz/corpus` and `fuzz/regressions` through its target, as on every change.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../../../fuzz/src/lib.rs"]
mod targets;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The inputs of a target in one of the two folders.
fn inputs(kind: &str, target: &str) -> Vec<PathBuf> {
    let Ok(listed) = fs::read_dir(fuzz().join(kind).join(target)) else { return Vec::new() };
    let mut found: Vec<PathBuf> = listed.map(|entry| entry.expect("listed").path()).collect();
    found.sort();
    found
}

#[test]
fn corpus_and_regressions_keep_every_promise() {
    for target in targets::TARGETS {
        let corpus = inputs("corpus", target.name);
        assert!(!corpus.is_empty(), "no corpus for {}", target.name);
        for path in corpus.iter().chain(&inputs("regressions", target.name)) {
            let data = fs::read(path).expect("read");
            let kept = std::panic::catch_unwind(|| targets::run(target.name, &data));
            assert!(
                kept.is_ok(),
                "{} breaks a promise; cargo fuzz run {} shows it alone",
                path.display(),
                target.name
            );
        }
    }
}

#[test]
fn every_target_is_a_program_and_has_folders() {
    let names: BTreeSet<String> = targets::TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let listed = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(fuzz().join(folder)).into_iter().flatten();
        let name =
            |entry: fs::DirEntry| entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned();
        entries.filter_map(Result::ok).map(name).collect()
    };
    assert_eq!(listed("fuzz_targets"), names);
    assert_eq!(listed("corpus"), names);
    assert!(listed("regressions").is_subset(&names), "regressions of no target");
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("read");
    for name in names {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in fuzz/Cargo.toml");
    }
}
