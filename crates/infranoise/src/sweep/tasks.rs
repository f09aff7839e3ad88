//! Tasks made ready before anything starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use infranoise_core::{Ceiling, Stated, TaskId};
use infranoise_formats::tasks::contract::DEFAULT_START_LIMIT_MS;
use infranoise_formats::tasks::{InstalledPackages, Root, Selection, Task, load};
use infranoise_runner::agents::Agent;
use infranoise_runner::prepare::Prepared;
use infranoise_sandbox::contract::{Recipe, RootSource};

use super::Engines;
use crate::console;
use crate::environment;
use crate::error::CommandError;
use crate::exit::Exit;

/// Where the roots of tasks come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Roots {
    /// One root stands in for every task's image.
    Given(RootSource),
    /// Each task has its own image: fetched by its name, or built of its `Dockerfile`.
    OfTasks,
}

impl Roots {
    /// The root of what brings none along.
    #[must_use]
    pub fn given(&self) -> RootSource {
        match self {
            Self::Given(root) => root.clone(),
            Self::OfTasks => RootSource::HostUserland,
        }
    }
}

/// Loads tasks, checks that the agent can work on them, and makes them ready for the root.
///
/// # Errors
/// If there are none, or one is refused: each refusal is said before anything starts.
pub fn ready(
    path: &Path,
    selection: &Selection,
    agent: &Agent,
    roots: &Roots,
) -> Result<BTreeMap<TaskId, Prepared>, CommandError> {
    let loaded = load(path, selection).map_err(CommandError::usage)?;
    let mut refused: Vec<String> = loaded.refused.iter().map(ToString::to_string).collect();
    let installed = installed(roots);
    let is_installed = |package: &str| installed.as_ref().is_some_and(|known| known.has(package));
    let mut prepared = BTreeMap::new();
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    for task in loaded.tasks {
        if let Err(error) = agent.check(&task) {
            refused.push(error.to_string());
            continue;
        }
        let own = match roots {
            Roots::Given(_) => None,
            Roots::OfTasks => match image(&task) {
                Some(own) => Some(own),
                None => {
                    refused.push(format!(
                        "task `{}` has neither an image nor a Dockerfile: give a root with --rootfs",
                        task.id
                    ));
                    continue;
                }
            },
        };
        let root = own.as_ref().map_or(Root::StandIn { is_installed: &is_installed }, |_| Root::Image);
        match Prepared::new(task, root, &environment::host) {
            Ok(mut ready) => {
                ready.root = own;
                warnings.extend(ready.environment.warnings.iter().map(ToString::to_string));
                prepared.insert(ready.task.id.clone(), ready);
            }
            Err(error) => refused.push(error.to_string()),
        }
    }
    console::warnings(warnings);
    if !refused.is_empty() {
        let count = refused.len();
        return Err(CommandError::usage(format!(
            "{count} task{} cannot be tried here:\n  {}",
            if count == 1 { "" } else { "s" },
            refused.join("\n  ")
        ))
        .hint("leave them out with --exclude to go on with the others"));
    }
    if prepared.is_empty() {
        let globs: Vec<&str> =
            selection.include.iter().chain(&selection.exclude).map(String::as_str).collect();
        let what = format!("no task in `{}` is left by {}", path.display(), globs.join(", "));
        return Err(CommandError::new(Exit::NothingMatched, what).hint("look at --include and --exclude"));
    }
    Ok(prepared)
}

/// The tasks of a folder with their own images.
///
/// # Errors
/// If a task is refused, or there are none.
pub fn own_images(path: &Path, selection: &Selection) -> Result<BTreeMap<TaskId, Prepared>, CommandError> {
    ready(path, selection, &Agent::Nop, &Roots::OfTasks)
}

/// A task's own image. A ready-made one wins over its `Dockerfile`, as in Harbor.
fn image(task: &Task) -> Option<RootSource> {
    if let Some(name) = &task.image.name {
        return Some(RootSource::Image(name.clone()));
    }
    let context = task.image.context.clone().filter(|_| task.image.dockerfile.is_some())?;
    let limit = match task.spec.start_limit_ms {
        Stated::Value(limit_ms) => Ceiling::At(Duration::from_millis(limit_ms)),
        _ => Ceiling::At(Duration::from_millis(DEFAULT_START_LIMIT_MS)),
    };
    Some(RootSource::Build(Recipe { context, limit }))
}

/// What packages a root has, where it says so as Debian does.
fn installed(roots: &Roots) -> Option<InstalledPackages> {
    let Roots::Given(root) = roots else { return None };
    match root {
        RootSource::HostUserland => InstalledPackages::of_root(Path::new("/")).ok(),
        RootSource::Folder(folder) => InstalledPackages::of_root(folder).ok(),
        RootSource::Tar(_) | RootSource::Image(_) | RootSource::Build(_) => None,
    }
}

/// A root as people write it.
pub fn roots(text: &str, engine: Engines) -> Result<Roots, CommandError> {
    let image = text.strip_prefix("image:");
    if (text == "task" || image.is_some()) && !engine.has_images() {
        let what = format!("the engine `{}` has no images yet", engine.name());
        return Err(CommandError::usage(what)
            .hint("use -e docker or -e podman, or give `host`, a folder or a tar file"));
    }
    if text == "task" {
        return Ok(Roots::OfTasks);
    }
    if let Some(name) = image {
        return Ok(Roots::Given(RootSource::Image(name.to_owned())));
    }
    if text == "host" {
        return Ok(Roots::Given(RootSource::HostUserland));
    }
    let path = PathBuf::from(text);
    let hint = "give `host`, `task`, `image:NAME`, a folder with a root file system or a tar file (not compressed) of one with --rootfs";
    let source = match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => RootSource::Folder(path),
        Ok(_) => RootSource::Tar(path),
        Err(error) => return Err(CommandError::usage(format!("the root `{text}`: {error}")).hint(hint)),
    };
    infranoise_sandbox::fit_root(&source).map_err(|error| CommandError::usage(error).hint(hint))?;
    Ok(Roots::Given(source))
}
