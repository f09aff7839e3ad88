//! A folder of tasks, or one task.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use infranoise_core::TaskId;

use super::folder::{folder_name, read_task};
use super::report::{Place, TaskError, TaskWarning};
use super::task::Task;

/// Which tasks of a folder are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Patterns of which one must match; empty means all. They match the task's name, its last part or its folder's name.
    pub include: Vec<String>,
    /// Patterns of which none may match.
    pub exclude: Vec<String>,
    /// At most so many, in the order of their folders' names.
    pub first: Option<usize>,
}

/// The tasks that were found.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Tasks that can be used, in the order of their folders' names.
    pub tasks: Vec<Task>,
    /// What a person should know, over all tasks.
    pub warnings: Vec<TaskWarning>,
    /// Tasks that were wanted and cannot be used, with every reason.
    pub refused: Vec<TaskError>,
}

/// Why nothing could be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such folder.
    #[error("`{path}` cannot be read: {source}; give the folder of a task, or a folder of tasks")]
    Unreadable {
        /// What was given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder without any task.
    #[error(
        "`{path}` holds no task: no folder in it has a task.toml; give the folder of a task, or a folder of tasks"
    )]
    NoTasks {
        /// What was given.
        path: PathBuf,
    },
    /// A pattern that is none.
    #[error("`{pattern}` is not a pattern: {why}; write for example `hello-*`")]
    Pattern {
        /// What was given.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Reads one task, or every wanted task of a folder. A bad task is listed, not fatal.
///
/// # Errors
/// If the path cannot be read or holds no task at all, or if a pattern is none.
pub fn load(path: &Path, selection: &Selection) -> Result<Loaded, LoadError> {
    let include = patterns(&selection.include)?;
    let exclude = patterns(&selection.exclude)?;
    let mut loaded = Loaded::default();
    let mut wanted = 0;
    for folder in task_folders(path, &mut loaded)? {
        let read = read_task(&folder);
        let names = names(&folder, read.as_ref().ok().map(|task| &task.id));
        let matches = |set: &GlobSet| names.iter().any(|name| set.is_match(name));
        if !(include.is_empty() || matches(&include)) || matches(&exclude) {
            continue;
        }
        wanted += 1;
        if selection.first.is_some_and(|first| wanted > first) {
            break;
        }
        match read {
            Ok(task) => loaded.tasks.push(task),
            Err(errors) => loaded.refused.extend(errors),
        }
    }
    refuse_twins(&mut loaded);
    loaded.warnings.extend(loaded.tasks.iter().flat_map(|task| task.warnings.clone()));
    Ok(loaded)
}

fn patterns(texts: &[String]) -> Result<GlobSet, LoadError> {
    let failed = |pattern: &str, error: globset::Error| LoadError::Pattern {
        pattern: pattern.to_owned(),
        why: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for text in texts {
        set.add(Glob::new(text).map_err(|error| failed(text, error))?);
    }
    set.build().map_err(|error| failed(&texts.join(" "), error))
}

/// The names that patterns are matched with.
fn names(folder: &Path, id: Option<&TaskId>) -> Vec<String> {
    let mut names = vec![folder_name(folder)];
    if let Some(id) = id {
        names.push(id.to_string());
        names.extend(id.as_str().rsplit_once('/').map(|(_, last)| last.to_owned()));
    }
    names
}

/// The folders of tasks at a path: itself, or those in it.
fn task_folders(path: &Path, loaded: &mut Loaded) -> Result<Vec<PathBuf>, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let inside = fs::read_dir(path).map_err(unreadable)?;
    if looks_like_a_task(path) {
        return Ok(vec![path.to_owned()]);
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in inside {
        let folder = entry.map_err(unreadable)?.path();
        let hidden = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !folder.is_dir() || hidden {
            continue;
        }
        if looks_like_a_task(&folder) {
            folders.push(folder);
        } else {
            let says = "skipped: it has no task.toml".to_owned();
            loaded.warnings.push(TaskWarning { place: Place::file(folder), says });
        }
    }
    folders.sort_unstable();
    if folders.is_empty() {
        return Err(LoadError::NoTasks { path: path.to_owned() });
    }
    Ok(folders)
}

/// A folder with a task.toml, or with enough else that a missing one is a mistake and not another kind of folder.
fn looks_like_a_task(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_file();
    has("task.toml") || has("instruction.md") || has("tests/test.sh")
}

/// Two tasks of one name would be one in every table.
fn refuse_twins(loaded: &mut Loaded) {
    let mut first: BTreeMap<TaskId, PathBuf> = BTreeMap::new();
    let mut twins: Vec<TaskError> = Vec::new();
    loaded.tasks.retain(|task| match first.get(&task.id) {
        None => {
            first.insert(task.id.clone(), task.root.clone());
            true
        }
        Some(other) => {
            twins.push(TaskError {
                place: Place::file(task.root.join("task.toml")),
                what: format!("the name `{}` is already that of `{}`", task.id, other.display()),
                way_out: "give it a name of its own in `[task]`".to_owned(),
            });
            false
        }
    });
    loaded.refused.extend(twins);
}
