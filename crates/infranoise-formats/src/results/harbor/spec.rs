//! The task file that a trial names: looked for beside the results, never outside of the folders above them.

use std::collections::{BTreeMap, HashMap};
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
    /// Folders of tasks that a person named.
    named: Vec<PathBuf>,
}

impl TaskFiles {
    /// Looks beside the results, and in these folders first.
    pub(super) fn beside(named: Vec<PathBuf>) -> Self {
        Self { named, ..Self::default() }
    }

    /// The task file of a trial: at the path that Harbor resolved from its working directory, or in a named folder by that path or by the
    /// task's name.
    pub(super) fn find(&mut self, job: &Path, path: Option<&str>, task: &str) -> Result<TaskFile, String> {
        let relative = path.map(Path::new).filter(|path| path.components().all(plain));
        let last = |name: &str| name.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        let by_name = [task.to_owned(), last(task), path.map(last).unwrap_or_default()];
        let by_name = by_name.iter().map(Path::new);
        let inner = by_name.filter(|name| !name.as_os_str().is_empty() && name.components().all(plain));
        let inner: Vec<&Path> = relative.into_iter().chain(inner).collect();
        let in_named = self.named.iter().flat_map(|folder| inner.iter().map(|inner| folder.join(inner)));
        let beside = job.ancestors().skip(1).take(ABOVE).filter_map(|above| Some(above.join(relative?)));
        let folders: Vec<PathBuf> = in_named.chain(beside).collect();
        for folder in folders {
            let read = self.known.entry(folder).or_insert_with_key(|folder| read(folder));
            if let Ok(file) = read {
                return Ok(file.clone());
            }
        }
        let besides = if self.named.is_empty() { "" } else { ", nor in the folder that was named" };
        Err(match path {
            None => format!("the results name no task folder (a registry or a repository){besides}"),
            Some(path) if relative.is_none() => {
                format!("`{path}` leads out of the folder and is not followed{besides}")
            }
            Some(path) => format!("no `{path}/task.toml` beside the results{besides}"),
        })
    }
}

/// Whether a part of a path stays where it is put.
fn plain(part: Component<'_>) -> bool {
    matches!(part, Component::Normal(_) | Component::CurDir)
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
        let memory = |found: Result<TaskFile, String>| found.map(|found| found.spec.memory);
        assert_eq!(memory(files.find(&job, Some("tasks/hello"), "x")), Ok(Stated::Value(Bytes::mib(64))));
        for outside in ["../tasks/hello", "/etc", "tasks/../../x", "tasks/none"] {
            assert!(files.find(&job, Some(outside), "none").is_err(), "{outside}");
        }
        assert!(files.find(&job, None, "hello").is_err());
        let mut named = TaskFiles::beside(vec![root.path().join("evals/tasks")]);
        for (path, task) in [(None, "org/hello"), (Some("/elsewhere/hello"), "other"), (Some("hello"), "x")] {
            assert_eq!(
                memory(named.find(&job, path, task)),
                Ok(Stated::Value(Bytes::mib(64))),
                "{path:?} {task}"
            );
        }
        for (path, task) in [(None, "../tasks/hello"), (None, ".."), (None, "none"), (Some("/etc"), "")] {
            let why = memory(named.find(&job, path, task)).err();
            if task != "../tasks/hello" {
                assert!(why.is_some_and(|why| why.contains("nor in the folder")), "{path:?} {task}");
            }
        }
    }
}
