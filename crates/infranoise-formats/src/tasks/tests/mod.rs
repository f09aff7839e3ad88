//! Tests of the task reader: own fixtures, the reference data where it is at hand, and garbage.

mod folders;
mod garbage;
mod manifests;
mod reference;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Task, TaskError, read_task};

/// A task.toml that is right.
pub(super) const PLAIN: &str = "schema_version = \"1.4\"\n[environment]\nmemory_mb = 64\n";

/// Writes files into a folder.
pub(super) fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
}

/// A folder with the least that a task needs, and more.
pub(super) fn task_folder(toml: &str, more: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::with_prefix("task-").expect("a folder");
    let least = [
        ("task.toml", toml),
        ("instruction.md", "Do it.\n"),
        ("environment/Dockerfile", "FROM scratch\n"),
        ("tests/test.sh", "echo 1 > /logs/verifier/reward.txt\n"),
    ];
    write(folder.path(), &least);
    write(folder.path(), more);
    folder
}

/// Reads a task made of this task.toml and the least else.
pub(super) fn read(toml: &str, more: &[(&str, &str)]) -> Result<Task, Vec<TaskError>> {
    let folder = task_folder(toml, more);
    read_task(folder.path())
}

/// Checks that a task is refused with errors that hold these parts, in order.
pub(super) fn refused(toml: &str, more: &[(&str, &str)], parts: &[&str]) {
    let errors = read(toml, more).expect_err(toml);
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), parts.len(), "{toml}: {texts:#?}");
    for (text, part) in texts.iter().zip(parts) {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
}
