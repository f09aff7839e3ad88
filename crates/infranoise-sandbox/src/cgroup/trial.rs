//! The groups of one trial.

use std::io;
use std::path::{Path, PathBuf};

use infranoise_core::{Bytes, Ceiling, Enforcement, KillScope, Observed, SandboxId};

use super::counters::{self, TrialCounters};
use super::create::{SUPERVISOR, WORK, remove_empty};
use super::error::CgroupError;
use super::group::Group;
use super::hierarchy::{Controller, Depth, Version};
use super::leaf::Leaf;
use super::oom::OomReading;
use super::oom_watch::OomWatch;
use super::patience::{Patience, retry};
use super::waiting::{self, WaitingTask};
use super::{kill, memory_v2, pids};

/// The groups of one trial, with its bands set. They outlive this value: [`TrialGroup::destroy`] removes them.
#[derive(Debug)]
pub struct TrialGroup {
    pub(crate) sandbox: SandboxId,
    pub(crate) path: String,
    pub(crate) trial: Group,
    pub(crate) sup: Leaf,
    pub(crate) work: Group,
    /// Where the ceilings and their counters are: the work's own group, or the container's above it.
    pub(crate) bounds: Group,
    /// The groups to remove at the end: the trial's own, or what was made below a container's.
    pub(crate) made: Vec<PathBuf>,
    pub(crate) depths: Vec<Depth>,
    pub(crate) scope: KillScope,
    pub(crate) pass_floor: bool,
    pub(crate) ceiling: Ceiling<Bytes>,
    pub(crate) enforcement: Enforcement,
    pub(crate) make: fn(&Path) -> io::Result<()>,
}

impl TrialGroup {
    /// What is really held, as read back from the kernel. Storage is not a matter of control groups.
    #[must_use]
    pub fn enforcement(&self) -> &Enforcement {
        &self.enforcement
    }

    /// The sandbox that these are the groups of.
    #[must_use]
    pub fn sandbox(&self) -> &SandboxId {
        &self.sandbox
    }

    /// Its path from our group on, with slashes at both ends: what the kernel log calls it, as in `/infranoise/<sweep>/<sandbox>/`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The memory ceiling that was asked for.
    #[must_use]
    pub fn memory_ceiling(&self) -> Ceiling<Bytes> {
        self.ceiling
    }

    /// The supervisor's group: outside the ceilings.
    #[must_use]
    pub fn supervisor(&self) -> &Leaf {
        &self.sup
    }

    /// Makes a group for one command, as in `e0`; `sup` is the supervisor's, which is there already.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn leaf(&self, name: &str) -> Result<Leaf, CgroupError> {
        if name == SUPERVISOR {
            return Ok(self.sup.clone());
        }
        let group = self.work.child(name, Depth::Leaf, &self.depths);
        for dir in group.own_dirs() {
            (self.make)(dir).map_err(CgroupError::make(dir))?;
        }
        if let Some(part) = group.part(Controller::Memory).filter(|part| part.version == Version::V2) {
            if self.scope == KillScope::Exec {
                let knob = "memory.oom.group";
                memory_v2::kill_together(&part.dir).map_err(CgroupError::write(&part.dir, knob, "1"))?;
            }
            if self.pass_floor {
                // Where this is refused, the floor itself is, and that is recorded.
                let _ = memory_v2::pass_floor(&part.dir);
            }
        }
        let at_limit = self.bounds.part(Controller::Pids).filter(|part| pids::counts_at_the_limit(&part.dir));
        let path = format!("{}{WORK}/{name}/", self.path);
        Ok(Leaf::new(name, path, group, at_limit.map(|part| part.dir.clone())))
    }

    /// The counters of everything but the supervisor: what the ceilings are about.
    #[must_use]
    pub fn counters(&self) -> TrialCounters {
        counters::trial(&self.bounds)
    }

    /// Time during which the CPU ceiling held the trial back, in microseconds: one of the counters, for those who ask often.
    #[must_use]
    pub fn throttled_us(&self) -> Observed<u64> {
        counters::throttled_us(&self.bounds)
    }

    /// How often memory below the floor was taken away (version 2): likewise.
    #[must_use]
    pub fn floor_breaches(&self) -> Observed<u64> {
        counters::floor_breaches(&self.bounds)
    }

    /// Stops everything but the supervisor.
    ///
    /// # Errors
    /// If the kernel refuses, or there is nothing to freeze with.
    pub fn freeze(&self) -> io::Result<()> {
        kill::freeze(&self.work, true)
    }

    /// Lets everything go on.
    ///
    /// # Errors
    /// If the kernel refuses, or there is nothing to freeze with.
    pub fn thaw(&self) -> io::Result<()> {
        kill::freeze(&self.work, false)
    }

    /// Whether everything but the supervisor has stopped.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn frozen(&self) -> io::Result<bool> {
        kill::frozen(&self.work)
    }

    /// Kills everything but the supervisor, and returns when it is gone.
    ///
    /// # Errors
    /// If something does not die.
    pub fn kill_work(&self) -> Result<(), CgroupError> {
        kill::kill(&self.work)
    }

    /// Kills everything, the supervisor too, and returns when it is gone.
    ///
    /// # Errors
    /// If something does not die.
    pub fn kill_all(&self) -> Result<(), CgroupError> {
        kill::kill(&self.trial)
    }

    /// Kills one command's group, and returns when it is empty.
    ///
    /// # Errors
    /// If something does not die.
    pub fn kill_leaf(&self, leaf: &Leaf) -> Result<(), CgroupError> {
        kill::kill(&leaf.group)
    }

    /// Every process of the trial, the supervisor included.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn pids(&self) -> io::Result<Vec<i32>> {
        kill::pids(&self.trial)
    }

    /// What the counters say of out-of-memory kills in one command, or in the whole trial: the input of [`oom::judge`].
    ///
    /// [`oom::judge`]: super::oom::judge
    #[must_use]
    pub fn oom_reading(&self, leaf: Option<&Leaf>) -> OomReading {
        counters::oom(&self.bounds, leaf.map_or(&self.bounds, |leaf| &leaf.group))
    }

    /// The tasks that wait for memory, with the command that each belongs to: version 1 with the killer off.
    ///
    /// # Errors
    /// If the groups cannot be read.
    pub fn waiting(&self) -> io::Result<Vec<WaitingTask>> {
        match self.work.part(Controller::Memory) {
            Some(part) => waiting::tasks(&part.dir),
            None => Ok(Vec::new()),
        }
    }

    /// Something to poll that speaks when memory runs over.
    ///
    /// # Errors
    /// If the kernel does not let itself be asked.
    pub fn oom_watch(&self) -> io::Result<OomWatch> {
        let part = self.bounds.part(Controller::Memory);
        OomWatch::new(part.ok_or_else(|| io::Error::other("this host has no usable `memory` controller"))?)
    }

    /// The folder of the trial's work in a controller's tree.
    pub(crate) fn work_dir(&self, controller: Controller) -> Option<(Version, &Path)> {
        self.bounds.part(controller).map(|part| (part.version, part.dir.as_path()))
    }

    /// The folder of the trial's work in the version 2 tree, if there is one.
    pub(crate) fn work_v2_dir(&self) -> Option<&Path> {
        let part = self.bounds.parts.iter().find(|part| part.version == Version::V2);
        part.map(|part| part.dir.as_path())
    }

    /// The folder whose disk counters are the trial's: on version 1 that of the whole trial.
    pub(crate) fn disk_dir(&self) -> Option<(Version, &Path)> {
        let part = &self.bounds.parts[self.bounds.at.get(Controller::Io)?];
        Some((part.version, &part.dir))
    }

    /// Kills what is left and removes the groups.
    ///
    /// # Errors
    /// If something does not die, or a group stays busy.
    pub fn destroy(&self) -> Result<(), CgroupError> {
        remove(&self.trial, &self.made)
    }
}

/// Kills what is left in a trial's groups and removes them; what is gone already is no error. A process that was on its way in when
/// the others died is killed at the next attempt.
pub(crate) fn destroy(trial: &Group) -> Result<(), CgroupError> {
    let made: Vec<PathBuf> = trial.own_dirs().map(Path::to_owned).collect();
    remove(trial, &made)
}

/// Kills what is left in a trial's groups, and removes those that were made for it.
fn remove(trial: &Group, made: &[PathBuf]) -> Result<(), CgroupError> {
    kill::kill(trial)?;
    for dir in made {
        let remove = || match remove_empty(dir) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(busy) => {
                kill::kill(trial).map_err(CgroupError::into_io)?;
                Err(busy)
            }
        };
        retry(Patience::default(), remove).map_err(|(source, tries)| CgroupError::Remove {
            path: dir.to_owned(),
            tries,
            source,
        })?;
    }
    Ok(())
}
