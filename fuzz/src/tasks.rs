//! Task files.

use infranoise_formats::tasks::{Root, plan_environment, read_task, task_digest};

use super::layout::{folder, lay_out, put};

/// Files of a task.
pub const TASK: &[&str] = &["task.toml", "policy.toml", "policy.json"];
/// Files of an environment.
pub const ENVIRONMENT: &[&str] = &["environment/Dockerfile", "environment/.dockerignore"];

const PLAIN: &[u8] = b"schema_version = \"1.4\"\n";

fn check(names: &[&str], data: &[u8]) {
    let root = folder();
    put(root.path(), "task.toml", PLAIN);
    for name in [
        "instruction.md",
        "tests/test.sh",
        "solution/solve.sh",
        "environment/Dockerfile",
        "environment/a/b.txt",
    ] {
        put(root.path(), name, b"FROM x\n");
    }
    lay_out(root.path(), names, data);
    assert!(task_digest(root.path()).is_ok(), "plain files have a digest");
    match read_task(root.path()) {
        Ok(task) => {
            let stand_in = Root::StandIn { is_installed: &|_| true };
            if let Err(errors) = plan_environment(&task, stand_in) {
                assert!(!errors.is_empty(), "a refusal without a reason");
            }
        }
        Err(errors) => {
            let said = |error: &infranoise_formats::tasks::TaskError| {
                !error.what.is_empty() && !error.way_out.is_empty()
            };
            assert!(!errors.is_empty() && errors.iter().all(said), "a refusal without a reason or a way out");
        }
    }
}

/// A manifest and the policies beside it.
pub fn manifest(data: &[u8]) {
    check(TASK, data);
}

/// A Dockerfile and what it ignores.
pub fn dockerfile(data: &[u8]) {
    check(ENVIRONMENT, data);
}
