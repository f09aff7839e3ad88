//! The group of one command, or of the supervisor.

use std::io;
use std::path::{Path, PathBuf};

use infranoise_core::Observed;

use super::counters::{self, LeafCounters};
use super::group::Group;
use super::hierarchy::{Controller, Version};
use super::{kill, pids};

/// The group of one command. It stays until the trial's groups are destroyed, so that its counters can be read at any time.
#[derive(Clone, Debug)]
pub struct Leaf {
    name: String,
    path: String,
    pub(crate) group: Group,
    /// Where refused forks are counted, if not here; and how many there had been before this command.
    refused_above: Option<(PathBuf, u64)>,
}

impl Leaf {
    pub(crate) fn new(name: &str, path: String, group: Group, refused_above: Option<PathBuf>) -> Self {
        let with_count = |dir: PathBuf| {
            let before = pids::refused(&dir).value().copied().unwrap_or(0);
            (dir, before)
        };
        Self { name: name.to_owned(), path, group, refused_above: refused_above.map(with_count) }
    }

    /// Its name, as in `e0`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its path from our group on, with slashes at both ends: what the kernel log calls it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The files, one in each tree, into which a process writes its number (or `0` for itself) to join.
    #[must_use]
    pub fn join_files(&self) -> Vec<PathBuf> {
        self.group.join_files()
    }

    /// Its folder in the version 2 tree, for `CLONE_INTO_CGROUP`.
    #[must_use]
    pub fn v2_dir(&self) -> Option<&Path> {
        let part = self.group.parts.iter().find(|part| part.version == Version::V2 && part.own);
        part.map(|part| part.dir.as_path())
    }

    /// Its folder in the tree of the memory controller.
    #[must_use]
    pub fn memory_dir(&self) -> Option<&Path> {
        self.group.part(Controller::Memory).map(|part| part.dir.as_path())
    }

    /// What the kernel counted for this command.
    #[must_use]
    pub fn counters(&self) -> LeafCounters {
        let mut read = counters::leaf(&self.group);
        if let Some((dir, before)) = &self.refused_above {
            read.pids_refused = counters::refused_meanwhile(dir, *before);
        }
        read
    }

    /// Processes of this command that the out-of-memory killer ended: one of the counters, for those who ask often.
    #[must_use]
    pub fn oom_kills(&self) -> Observed<u64> {
        counters::oom_kills(&self.group)
    }

    /// The processes of this command that live.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn pids(&self) -> io::Result<Vec<i32>> {
        kill::pids(&self.group)
    }

    /// Stops every process of this command.
    ///
    /// # Errors
    /// If the kernel refuses, or there is nothing to freeze with.
    pub fn freeze(&self) -> io::Result<()> {
        kill::freeze(&self.group, true)
    }

    /// Lets every process of this command go on.
    ///
    /// # Errors
    /// If the kernel refuses, or there is nothing to freeze with.
    pub fn thaw(&self) -> io::Result<()> {
        kill::freeze(&self.group, false)
    }

    /// Whether every process of this command has stopped.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn frozen(&self) -> io::Result<bool> {
        kill::frozen(&self.group)
    }
}
