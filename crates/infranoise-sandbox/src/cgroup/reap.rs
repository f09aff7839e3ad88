//! Removing what a killed sweep left: its processes and its groups.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::{SandboxId, SweepId};

use super::error::CgroupError;
use super::group::children;
use super::place::Cgroups;
use super::trial;

/// What a clean-up did.
#[derive(Debug, Default)]
pub struct Reaped {
    /// The trials whose groups are gone now: sweep and sandbox.
    pub removed: Vec<(String, String)>,
    /// Those that would not go.
    pub left: Vec<(String, String, CgroupError)>,
}

impl Cgroups {
    /// The trials of which there are groups, living or left over: sweep and sandbox.
    #[must_use]
    pub fn trials(&self) -> Vec<(String, String)> {
        let names = |dir: &Path| -> Vec<(String, PathBuf)> {
            let found = children(dir).unwrap_or_default().into_iter();
            found.filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), path))).collect()
        };
        let mut all = BTreeSet::new();
        for tree in &self.trees {
            for (sweep, dir) in names(&tree.ours) {
                all.extend(names(&dir).into_iter().map(|(sandbox, _)| (sweep.clone(), sandbox)));
            }
        }
        all.into_iter().collect()
    }

    /// Kills and removes every trial of which `unwanted(sweep, sandbox)` says so, and every sweep that is empty then.
    pub fn reap(&self, mut unwanted: impl FnMut(&str, &str) -> bool) -> Reaped {
        let mut done = Reaped::default();
        for (sweep, sandbox) in self.trials() {
            if !unwanted(&sweep, &sandbox) {
                continue;
            }
            match trial::destroy(&self.trial_group(&sweep, &sandbox)) {
                Ok(()) => done.removed.push((sweep, sandbox)),
                Err(error) => done.left.push((sweep, sandbox, error)),
            }
        }
        self.remove_empty_sweeps();
        done
    }

    /// Kills and removes what there is of one trial.
    ///
    /// # Errors
    /// If something does not die, or a group stays busy.
    pub fn destroy_trial(&self, sweep: &SweepId, sandbox: &SandboxId) -> Result<(), CgroupError> {
        trial::destroy(&self.trial_group(sweep.as_str(), sandbox.as_str()))
    }

    /// Removes the groups of a sweep that has no trials left; those of one that has are left alone.
    pub fn remove_sweep(&self, sweep: &SweepId) {
        for tree in &self.trees {
            // Busy means that another trial of the sweep lives; missing means that this is done already.
            let _ = fs::remove_dir(tree.ours.join(sweep.as_str()));
        }
    }

    /// Removes the groups of every sweep that has no trials left. A sweep that is about to get one makes its group anew.
    pub fn remove_empty_sweeps(&self) {
        for sweep in self.trees.iter().flat_map(|tree| children(&tree.ours).unwrap_or_default()) {
            // Busy means that a trial of the sweep lives.
            let _ = fs::remove_dir(sweep);
        }
    }
}
