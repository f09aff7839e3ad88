use std::collections::BTreeSet;
use std::path::Path;

use super::*;

#[test]
fn the_list_is_sound() {
    let ids: BTreeSet<&str> = CHECKS.iter().map(|check| check.id).collect();
    assert_eq!(ids.len(), CHECKS.len(), "each name once");
    for check in CHECKS {
        assert!(
            check.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{}",
            check.id
        );
        assert!(!check.what.is_empty());
    }
}

/// Whatever is wrong, a person is told what to do about it; and nothing here panics on a host that has nothing.
#[test]
fn a_host_that_has_nothing_is_told_what_to_do() {
    let nothing = tempfile::tempdir().expect("a folder");
    let missing = nothing.path().join("missing");
    let found = examine(&Probe::new(nothing.path(), &missing));
    for diagnosis in &found {
        let (status, way_out) = (diagnosis.result.status, &diagnosis.result.way_out);
        assert_eq!(way_out.is_none(), status == Status::Ok, "{diagnosis:?}");
    }
    let status =
        |id: &str| found.iter().find(|diagnosis| diagnosis.id == id).map(|found| found.result.status);
    for id in ["privileges", "cgroups", "memory-ceiling", "pids", "namespaces", "seccomp", "disk"] {
        assert_eq!(status(id), Some(Status::Fail), "{id}");
    }
}

#[test]
fn a_living_host_is_examined() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = examine(&Probe::new(Path::new("/"), folder.path()));
    assert_eq!(found.len(), CHECKS.len());
    let json = serde_json::to_value(&found).expect("as JSON");
    assert!(json[0]["result"]["status"].is_string(), "{json}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder").collect();
    assert!(left.is_empty(), "what was tried is gone: {left:?}");
}
