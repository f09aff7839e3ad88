//! Tasks made ready before anything starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use infranoise_core::TaskId;
use infranoise_formats::tasks::{InstalledPackages, Root, Selection, load};
use infranoise_runner::agents::Agent;
use infranoise_runner::prepare::Prepared;
use infranoise_sandbox::contract::RootSource;

use crate::console;
use crate::environment;
use crate::error::CommandError;
use crate::exit::Exit;

/// Loads tasks, checks that the agent can work on them, and makes them ready for the root.
///
/// # Errors
/// If there are none, or one is refused: each refusal is said before anything starts.
pub fn ready(
    path: &Path,
    selection: &Selection,
    agent: &Agent,
    root: &RootSource,
) -> Result<BTreeMap<TaskId, Prepared>, CommandError> {
    let loaded = load(path, selection).map_err(CommandError::usage)?;
    let mut refused: Vec<String> = loaded.refused.iter().map(ToString::to_string).collect();
    let installed = installed(root);
    let is_installed = |package: &str| installed.as_ref().is_some_and(|known| known.has(package));
    let mut prepared = BTreeMap::new();
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    for task in loaded.tasks {
        if let Err(error) = agent.check(&task) {
            refused.push(error.to_string());
            continue;
        }
        match Prepared::new(task, Root::StandIn { is_installed: &is_installed }, &environment::host) {
            Ok(ready) => {
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

/// What packages a root has, where it says so as Debian does.
fn installed(root: &RootSource) -> Option<InstalledPackages> {
    match root {
        RootSource::HostUserland => InstalledPackages::of_root(Path::new("/")).ok(),
        RootSource::Folder(folder) => InstalledPackages::of_root(folder).ok(),
        RootSource::Tar(_) => None,
    }
}

/// A root as people write it.
pub fn root(text: &str) -> Result<RootSource, CommandError> {
    if text == "host" {
        return Ok(RootSource::HostUserland);
    }
    let path = PathBuf::from(text);
    let hint =
        "give `host`, a folder with a root file system or a tar file (not compressed) of one with --rootfs";
    let source = match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => RootSource::Folder(path),
        Ok(_) => RootSource::Tar(path),
        Err(error) => return Err(CommandError::usage(format!("the root `{text}`: {error}")).hint(hint)),
    };
    infranoise_sandbox::fit_root(&source).map_err(|error| CommandError::usage(error).hint(hint))?;
    Ok(source)
}
