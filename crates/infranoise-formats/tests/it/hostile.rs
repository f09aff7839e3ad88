//! Files as attackers would make them. One bad file never fails the import, and nothing outside of what was given is read.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use infranoise_formats::results::{ImportError, Imported, import};
use tempfile::TempDir;

use crate::fixtures::fixture;

/// A copy of a fixture that a test may spoil.
pub fn copy(inner: &str) -> (TempDir, PathBuf) {
    fn into(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("made");
        for entry in fs::read_dir(from).expect("listed").flatten() {
            let target = to.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => into(&entry.path(), &target),
                _ => fs::write(&target, fs::read(entry.path()).expect("read")).expect("written"),
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("copy");
    into(&fixture(inner), &path);
    (folder, path)
}

fn read(path: &Path) -> Imported {
    import(&[path], None, 0).unwrap_or_else(|error| panic!("{error}"))
}

/// Spoils one trial of a Harbor job and counts the trials that are left.
#[track_caller]
fn spoil(document: &[u8]) -> Imported {
    let (_folder, path) = copy("harbor");
    let jobs = path.join("jobs");
    fs::write(jobs.join("3x/sum__pass101/result.json"), document).expect("written");
    read(&jobs)
}

#[test]
fn documents_that_are_none_cost_one_trial_each() {
    let deep =
        [b"{\"trial_name\":".to_vec(), b"[".repeat(200_000), b"]".repeat(200_000), b"}".to_vec()].concat();
    let long = format!("{{\"trial_name\": \"{}\"", "x".repeat(10 << 20));
    let cases: [&[u8]; 6] = [b"", b"null", b"[]", &deep, long.as_bytes(), b"\xff\xfe\x00"];
    for document in cases {
        let imported = spoil(document);
        assert_eq!(
            (imported.records.len(), imported.losses.total),
            (7, 2),
            "{:?}",
            &document[..document.len().min(20)]
        );
    }
}

#[test]
fn fields_of_the_wrong_type_cost_themselves() {
    let imported = spoil(
        br#"{"trial_name": "odd__1234567", "task_name": 7, "started_at": {"a": 1}, "agent_result": {"n_input_tokens": "many"},
            "verifier_result": {"rewards": {"reward": 1.0, "style": "good"}}, "config": 3, "step_results": {"a": []},
            "agent_execution": {"started_at": 5}, "exception_info": "none"}"#,
    );
    assert_eq!(imported.records.len(), 8);
    assert!(imported.losses.total >= 4, "{:#?}", imported.losses.kept);
    assert!(imported.losses.kept.iter().all(|loss| !loss.reason.is_empty() && !loss.file.is_empty()));
}

#[test]
fn other_encodings_are_read() {
    let original = fs::read_to_string(fixture("harbor/jobs/3x/sum__pass101/result.json")).expect("read");
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(original.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let latin = original.replace("walker", "w\u{1}lker").into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|byte| if byte == 1 { 0xe4 } else { byte }).collect();
    for document in [utf16, [b"\xef\xbb\xbf", original.as_bytes()].concat(), latin] {
        assert_eq!(spoil(&document).records.len(), 8);
    }
}

#[test]
fn links_are_not_followed() {
    let secret = tempfile::tempdir().expect("a folder");
    let inner = secret.path().join("sum__secret9");
    fs::create_dir_all(&inner).expect("made");
    fs::copy(fixture("harbor/jobs/3x/sum__pass101/result.json"), inner.join("result.json")).expect("copied");
    let (_folder, path) = copy("harbor/jobs");
    symlink(&inner, path.join("3x/sum__linked")).expect("linked");
    symlink(secret.path(), path.join("elsewhere")).expect("linked");
    symlink("..", path.join("loop")).expect("linked");
    fs::remove_file(path.join("3x/sum__fail102/result.json")).expect("removed");
    symlink(inner.join("result.json"), path.join("3x/sum__fail102/result.json")).expect("linked");
    let imported = read(&path);
    assert_eq!(imported.records.len(), 7, "the trial behind a link is not read");
}

#[test]
fn names_lead_nowhere() {
    let (_folder, path) = copy("tb1/team");
    let document = path.join("run-b/results.json");
    let text = fs::read_to_string(&document).expect("read");
    let text = text.replace("\"count\"", "\"../../../../etc\"").replace("\"weave\"", "\"a/../../b\\u0000c\"");
    fs::write(&document, text.replace("count.1-of-1.run-b", "..")).expect("written");
    let imported = read(&path);
    assert_eq!(imported.records.len(), 7);
    for record in &imported.records {
        let folder = record.facts.key.folder();
        assert!(!folder.contains('/') && !folder.contains(".."), "{folder}");
    }
    let (_folder, path) = copy("harbor");
    let document = path.join("jobs/3x/sum__pass101/result.json");
    let text = fs::read_to_string(&document).expect("read");
    fs::write(&document, text.replace("\"tasks/sum\"", "\"../../../../../../etc\"")).expect("written");
    let imported = read(&path.join("jobs"));
    assert!(
        imported.losses.kept.iter().any(|loss| loss.reason.contains("leads out")),
        "{:#?}",
        imported.losses.kept
    );
}

#[test]
fn lines_of_ten_megabytes_are_read_and_torn_ones_are_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trials.jsonl");
    let long = format!("{{\"task\": \"b\", \"pass\": false, \"note\": \"{}\"}}", "y".repeat(10 << 20));
    fs::write(&path, format!("{{\"task\": \"a\", \"pass\": true}}\n{long}\n{{\"task\": \"c\", "))
        .expect("written");
    let imported = read(&path);
    assert_eq!(imported.records.len(), 2);
}

#[test]
fn archives_that_mean_harm() {
    let whole = fs::read(fixture("inspect/finished.eval")).expect("read");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.eval");
    for cut in (0..whole.len()).step_by(7) {
        fs::write(&path, &whole[..cut]).expect("written");
        let _ = import(&[&path], None, 0);
    }
    for place in (0..whole.len()).step_by(5) {
        let mut changed = whole.clone();
        changed[place] ^= 0x55;
        fs::write(&path, &changed).expect("written");
        let _ = import(&[&path], None, 0);
    }
    fs::write(&path, b"PK\x03\x04 and nothing else").expect("written");
    assert!(matches!(import(&[&path], None, 0), Err(ImportError::NothingRecognised { .. })));
}

#[test]
fn a_pipe_does_not_hold_the_import_up() {
    let (_folder, path) = copy("harbor/jobs");
    let pipe = path.join("3x/sum__fail102/trial.log");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    assert_eq!(read(&path).records.len(), 8);
}

#[test]
fn deep_trees_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut deep = folder.path().to_owned();
    for _ in 0..100 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).expect("made");
    assert!(matches!(import(&[folder.path()], None, 0), Err(ImportError::NothingRecognised { .. })));
}
