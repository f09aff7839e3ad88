//! The task file that a trial names: looked for beside the results, never outside of the folders above them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use infranoise_core::TaskSpec;

use crate::results::read::{Unread, read_all};
use crate::tasks;

/// A task file is no larger.
const LARGEST: u64 = 1 << 20;
/// So many folders above a job are tried as the folder that the path is relative to.
const ABOVE: usize = 4;

/// What a task file says.
#[derive(Clone, Debug)]
pub(super) struct TaskFile {
    pub(super) spec: TaskSpec,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) digest: Option<String>,
}

/// Finds task files and remembers them.
#[derive(Default)]
pub(super) struct TaskFiles {
    known: HashMap<PathBuf, Result<TaskFile, String>>,
    missed: HashSet<(PathBuf, Option<String>)>,
}

impl TaskFiles {
    /// Whether this is the first time that this task file of a job is missed: what a thousand trials lack is said once.
    pub(super) fn first_miss(&mut self, job: &Path, named: Option<&str>) -> bool {
        self.missed.insert((job.to_owned(), named.map(str::to_owned)))
    }

    /// The task file at a path that Harbor resolved from its working directory.
    pub(super) fn find(&mut self, job: &Path, named: Option<&str>) -> Result<TaskFile, String> {
        let Some(named) = named else {
            return Err("the results name no task folder (a registry or a repository)".to_owned());
        };
        let relative = Path::new(named);
        if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(format!("`{named}` leads out of the folder and is not followed"));
        }
        let folders = job.ancestors().skip(1).take(ABOVE).map(|above| above.join(relative));
        for folder in folders {
            let read = self.known.entry(folder.clone()).or_insert_with(|| read(&folder));
            if let Ok(file) = read {
                return Ok(file.clone());
            }
        }
        Err(format!("no `{named}/task.toml` beside the results"))
    }
}

fn read(folder: &Path) -> Result<TaskFile, String> {
    read_all(&folder.join("task.toml"), LARGEST).map_err(|error: Unread| error.to_string())?;
    let (spec, labels) = tasks::read_spec(folder).ok_or("cannot be read")?;
    Ok(TaskFile { spec, labels, digest: tasks::task_digest(folder).ok() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::{Bytes, Stated};

    #[test]
    fn a_task_beside_the_results_is_found_and_one_outside_is_not() {
        let root = tempfile::tempdir().expect("a folder");
        let job = root.path().join("evals/jobs/one");
        let task = root.path().join("evals/tasks/hello");
        std::fs::create_dir_all(&job).expect("made");
        std::fs::create_dir_all(&task).expect("made");
        std::fs::write(task.join("task.toml"), "[environment]\nmemory_mb = 64\n").expect("written");
        let mut files = TaskFiles::default();
        let found = files.find(&job, Some("tasks/hello")).expect("found");
        assert_eq!(found.spec.memory, Stated::Value(Bytes::mib(64)));
        for outside in ["../tasks/hello", "/etc", "tasks/../../x", "tasks/none"] {
            assert!(files.find(&job, Some(outside)).is_err(), "{outside}");
        }
        assert!(files.find(&job, None).is_err());
    }
}
