//! Reclaiming what engines that are gone left behind.

use std::fs;
use std::path::Path;

use infranoise_core::SweepId;

use super::home::{Entry, engines, note_gone, standing, take_over};
use super::{host, undertaker};
use crate::cgroup::{Cgroups, Hierarchy};
use crate::contract::EngineError;
use crate::storage::detach_all;

/// What was reclaimed, and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Sandboxes whose processes, groups and folders are gone now.
    pub sandboxes: Vec<String>,
    /// Engines that are gone.
    pub engines: u32,
    /// Engines that live, whose things were left alone.
    pub living: u32,
    /// What could not be removed, in sentences.
    pub left: Vec<String>,
}

pub(super) fn reap(
    state_dir: &Path,
    cgroup_root: &Path,
    sweep: Option<&SweepId>,
) -> Result<Reclaimed, EngineError> {
    let mut done = Reclaimed::default();
    let all = engines(state_dir);
    let folders = match fs::read_dir(&all) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(done),
        found => found.map_err(host("read the engines' folder", &all))?,
    };
    let cgroups = Hierarchy::detect(cgroup_root).and_then(|hierarchy| Cgroups::open(&hierarchy));
    for folder in folders.flatten().map(|entry| entry.path()) {
        match take_over(&folder) {
            Ok(Some(_lock)) => {
                reclaim(&folder, cgroups.as_ref().ok(), sweep, &mut done);
            }
            Ok(None) => done.living += 1,
            Err(error) => done.left.push(format!("{}: {error}", folder.display())),
        }
    }
    Ok(done)
}

/// Removes what no engine of this state folder knows and no process is in; sweep and sandbox of each, as `sweep/sandbox`.
pub(super) fn strays(state_dir: &Path, cgroup_root: &Path) -> Vec<String> {
    let Ok(cgroups) = Hierarchy::detect(cgroup_root).and_then(|hierarchy| Cgroups::open(&hierarchy)) else {
        return Vec::new();
    };
    let folders = fs::read_dir(engines(state_dir)).into_iter().flatten().flatten();
    let known: Vec<Entry> = folders.filter_map(|entry| standing(&entry.path()).ok()).flatten().collect();
    let is_known = |sweep: &str, sandbox: &str| {
        known.iter().any(|entry| entry.sweep.as_str() == sweep && entry.sandbox.as_str() == sandbox)
    };
    cgroups.remove_strays(is_known).into_iter().map(|(sweep, sandbox)| format!("{sweep}/{sandbox}")).collect()
}

/// Clears up after one engine; its folder goes when nothing of it is left.
fn reclaim(folder: &Path, cgroups: Option<&Cgroups>, sweep: Option<&SweepId>, done: &mut Reclaimed) {
    let standing = match standing(folder) {
        Ok(standing) => standing,
        Err(error) => return done.left.push(format!("{}: {error}", folder.display())),
    };
    let mut kept = false;
    for entry in standing {
        let wanted = sweep.is_none_or(|sweep| *sweep == entry.sweep);
        kept |= !(wanted && bury(folder, &entry, cgroups, done));
    }
    if !kept {
        match undertaker::remove(folder) {
            Ok(()) => done.engines += 1,
            Err(error) => done.left.push(format!("{}: {error}", folder.display())),
        }
    }
}

/// Ends and removes one sandbox; says whether nothing is left.
fn bury(folder: &Path, entry: &Entry, cgroups: Option<&Cgroups>, done: &mut Reclaimed) -> bool {
    let name = entry.sandbox.as_str();
    let groups =
        cgroups.map(|all| all.reap(|sweep, sandbox| sweep == entry.sweep.as_str() && sandbox == name));
    let stuck = groups.into_iter().flat_map(|reaped| reaped.left);
    let mut left: Vec<String> = stuck.map(|(_, _, error)| format!("{name}: {error}")).collect();
    if left.is_empty() {
        // The kernel has done that already, unless something else holds the volume.
        left.extend(detach_all(&entry.scratch).into_iter().map(|what| format!("{name}: {what}")));
    }
    if left.is_empty()
        && let Err(error) = undertaker::disconnect(entry)
    {
        left.push(format!("{name}: {error}"));
    }
    if left.is_empty()
        && let Err(error) = undertaker::remove(&entry.scratch)
    {
        left.push(format!("{name}: {}: {error}", entry.scratch.display()));
    }
    let gone = left.is_empty();
    if gone {
        done.sandboxes.push(name.to_owned());
        // Without the line the next clear-up finds nothing of it: no harm.
        let _ = note_gone(folder, &entry.sandbox);
    }
    done.left.extend(left);
    gone
}
