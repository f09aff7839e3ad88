//! Making a trial's groups and setting its bands, and reading back what came of it.
//!
//! ```text
//! infranoise/<sweep>/<sandbox>        weight
//!                       ├── sup       the supervisor: outside the ceilings, so that no trial can starve it (version 1: it sits above)
//!                       └── work      the ceilings and the memory floor
//!                            ├── e0   one group for each command: its peak, its CPU time, its kills
//!                            └── e1
//! ```

use std::fs;
use std::io;

use infranoise_core::{Allocation, Bytes, Ceiling, Enforcement, Held, KillScope, SandboxId, SweepId};

use super::error::CgroupError;
use super::group::{self, Group, Part};
use super::hierarchy::{Controller, Depth, Version};
use super::knob::no_controller;
use super::leaf::Leaf;
use super::place::{Cgroups, OURS};
use super::trial::TrialGroup;
use super::{core_v2, cpu_v1, cpu_v2, memory_v1, memory_v2, pids};

/// The supervisor's group.
pub(crate) const SUPERVISOR: &str = "sup";
/// The group of everything else.
pub(crate) const WORK: &str = "work";

impl Cgroups {
    /// Makes the groups of one trial, sets its bands and reads back what the kernel made of them. If a group cannot be made, what was
    /// made before is removed; a knob that cannot be set is recorded in the trial's `Enforcement`.
    ///
    /// # Errors
    /// If a group cannot be made, or one of that name is still in use.
    pub fn create_trial(
        &self,
        sweep: &SweepId,
        sandbox: &SandboxId,
        allocation: &Allocation,
        scope: KillScope,
    ) -> Result<TrialGroup, CgroupError> {
        let depths: Vec<Depth> = self.trees.iter().map(|tree| tree.depth).collect();
        let trial = self.trial_group(sweep.as_str(), sandbox.as_str());
        let sup = supervisor(&trial, &depths);
        let work = trial.child(WORK, Depth::Work, &depths);
        let floor = allocation.memory.floor() > Bytes(0);
        self.make_trial(&trial, floor)
            .and_then(|()| self.make_below(&sup))
            .and_then(|()| self.make_below(&work))
            .and_then(|()| self.hand_down(&work, floor))
            .inspect_err(|_| remove_quietly(&trial))?;
        let enforcement = self.enforce(&trial, &work, allocation, scope);
        let path = format!("/{OURS}/{sweep}/{sandbox}/");
        Ok(TrialGroup {
            sandbox: sandbox.clone(),
            sup: Leaf::new(SUPERVISOR, format!("{path}{SUPERVISOR}/"), sup, None),
            path,
            scope: enforcement.kill_scope,
            pass_floor: floor,
            ceiling: allocation.memory.ceiling(),
            enforcement,
            made: trial.own_dirs().map(std::path::Path::to_owned).collect(),
            trial,
            bounds: work.clone(),
            work,
            depths,
            make: self.make,
        })
    }

    /// A trial's group by its names, made or not.
    pub(crate) fn trial_group(&self, sweep: &str, sandbox: &str) -> Group {
        let part = |tree: &super::place::Tree| Part {
            version: tree.version,
            dir: tree.ours.join(sweep).join(sandbox),
            own: true,
        };
        Group { parts: self.trees.iter().map(part).collect(), at: self.at }
    }

    /// Makes the trial's own group in each tree, and the sweep's above it if this is the first trial.
    fn make_trial(&self, trial: &Group, floor: bool) -> Result<(), CgroupError> {
        for dir in trial.own_dirs() {
            let mut made = (self.make)(dir);
            // Another trial that ends may take the sweep's group away between two steps: a few attempts are enough.
            for _ in 0..3 {
                match made.as_ref().map_err(io::Error::kind) {
                    Err(io::ErrorKind::NotFound) => self.make_sweep(dir)?,
                    // Left over from an attempt that was killed: it is removed if nothing lives in it.
                    Err(io::ErrorKind::AlreadyExists) => remove_empty(dir).map_err(CgroupError::make(dir))?,
                    Ok(()) | Err(_) => break,
                }
                made = (self.make)(dir);
            }
            made.map_err(CgroupError::make(dir))?;
        }
        self.hand_down(trial, floor).or_else(|_| {
            // Another trial has made the sweep's group a moment ago, and not handed the controllers down yet.
            trial.own_dirs().try_for_each(|dir| self.make_sweep(dir))?;
            self.hand_down(trial, floor)
        })
    }

    fn make_sweep(&self, trial: &std::path::Path) -> Result<(), CgroupError> {
        let Some(sweep) = trial.parent() else { return Ok(()) };
        match (self.make)(sweep) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(CgroupError::make(sweep)(error));
            }
            Ok(()) | Err(_) => {}
        }
        let index = self.trees.iter().position(|tree| sweep.starts_with(&tree.ours));
        match index.map(|index| (&self.trees[index], index)) {
            Some((tree, index)) if tree.version == Version::V2 => self.open_up(sweep, index, true),
            _ => Ok(()),
        }
    }

    pub(crate) fn make_below(&self, group: &Group) -> Result<(), CgroupError> {
        for dir in group.own_dirs() {
            (self.make)(dir).map_err(CgroupError::make(dir))?;
        }
        Ok(())
    }

    /// Hands controllers, and if need be the floor, down to the groups below, where the tree asks for it.
    pub(crate) fn hand_down(&self, group: &Group, floor: bool) -> Result<(), CgroupError> {
        match self.unified {
            Some(index) => {
                self.open_up(&group.parts[index].dir, index, floor && !group.parts[index].dir.ends_with(WORK))
            }
            None => Ok(()),
        }
    }

    fn open_up(&self, dir: &std::path::Path, tree: usize, floor: bool) -> Result<(), CgroupError> {
        for name in &self.enable {
            core_v2::enable(dir, name).map_err(CgroupError::write(dir, "cgroup.subtree_control", name))?;
        }
        if floor && self.at.get(Controller::Memory) == Some(tree) {
            // Where this is refused, the floor itself is, and that is recorded.
            let _ = memory_v2::pass_floor(dir);
        }
        Ok(())
    }

    /// Sets every knob, and says how far each promise is kept.
    fn enforce(&self, trial: &Group, work: &Group, asked: &Allocation, scope: KillScope) -> Enforcement {
        let mut done = Enforcement::nothing("not set");
        let (memory, cpu) = (asked.memory, asked.cpu);
        match work.part(Controller::Memory) {
            Some(Part { version: Version::V1, dir, .. }) => {
                done.memory_ceiling = memory_v1::ceiling(dir, memory.ceiling());
                done.swap_closed = memory_v1::close_swap(dir, memory.ceiling(), self.swap);
                done.memory_floor = memory_v1::floor(memory.floor());
                (done.kill_scope, done.kill_scope_held) = memory_v1::kill_scope(dir, scope);
            }
            Some(Part { version: Version::V2, dir, .. }) => {
                done.memory_ceiling = memory_v2::ceiling(dir, memory.ceiling());
                done.swap_closed = memory_v2::close_swap(dir, self.swap);
                done.memory_floor = memory_v2::floor(dir, memory.floor());
                (done.kill_scope, done.kill_scope_held) = memory_v2::kill_scope(dir, scope);
            }
            None => {
                done.memory_ceiling = asked_of(memory.ceiling(), "memory");
                done.memory_floor = no_controller("memory");
                done.swap_closed = no_controller("memory");
                done.kill_scope_held = no_controller("memory");
            }
        }
        (done.cpu_ceiling, done.cpu_floor) = match (work.part(Controller::Cpu), trial.part(Controller::Cpu)) {
            (Some(work), Some(trial)) if work.version == Version::V1 => {
                (cpu_v1::ceiling(&work.dir, cpu.ceiling()), cpu_v1::floor(&trial.dir, cpu.floor()))
            }
            (Some(work), Some(trial)) => {
                (cpu_v2::ceiling(&work.dir, cpu.ceiling()), cpu_v2::floor(&trial.dir, cpu.floor()))
            }
            _ => (asked_of(cpu.ceiling(), "cpu"), no_controller("cpu")),
        };
        done.pids_ceiling = match work.part(Controller::Pids) {
            Some(part) => pids::ceiling(&part.dir, asked.pids),
            None => asked_of(asked.pids, "pids"),
        };
        // Disk space is not a matter of control groups: whoever makes it says how it is held.
        done.storage_ceiling = Held::NotAsked;
        done.disk_rate = Held::NotAsked;
        done.gaps = self.notes.clone();
        done.gaps.extend(gaps(&done, scope));
        done
    }
}

/// The supervisor's group. Version 1 lets it sit beside `work` in the trial's own group, which saves making one in each tree; version 2
/// has processes only where no groups are below.
fn supervisor(trial: &Group, depths: &[Depth]) -> Group {
    let mut group = trial.child(SUPERVISOR, Depth::Leaf, depths);
    for (part, above) in group.parts.iter_mut().zip(&trial.parts) {
        if part.version == Version::V1 {
            *part = Part { own: false, ..above.clone() };
        }
    }
    group
}

/// What a missing controller means for a ceiling.
fn asked_of<T>(ceiling: Ceiling<T>, controller: &str) -> Held {
    match ceiling {
        Ceiling::At(_) => no_controller(controller),
        Ceiling::Uncapped => Held::NotAsked,
    }
}

/// One sentence for each promise that is not kept.
pub(crate) fn gaps(done: &Enforcement, scope: KillScope) -> Vec<String> {
    let promises = [
        ("memory floor", &done.memory_floor),
        ("memory ceiling", &done.memory_ceiling),
        ("closed swap", &done.swap_closed),
        ("CPU floor", &done.cpu_floor),
        ("CPU ceiling", &done.cpu_ceiling),
        ("pids ceiling", &done.pids_ceiling),
        ("kill scope", &done.kill_scope_held),
    ];
    let mut said: Vec<String> = promises
        .iter()
        .filter_map(|(name, held)| match held {
            Held::NotAtAll { why } | Held::NotKnown { why } => Some(format!("{name}: {why}")),
            Held::ByKernel { .. } | Held::BestEffort { .. } | Held::Inferred { .. } | Held::NotAsked => None,
        })
        .collect();
    if done.kill_scope != scope {
        said.push(format!(
            "kill scope: `{scope}` was asked for, `{}` is what this host does",
            done.kill_scope
        ));
    }
    said
}

/// Removes a group that nothing lives in, with what is below it.
pub(crate) fn remove_empty(dir: &std::path::Path) -> io::Result<()> {
    for dir in group::subtree(dir)?.iter().rev() {
        match fs::remove_dir(dir) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Undoes a creation that failed; the failure itself is what is reported.
fn remove_quietly(trial: &Group) {
    for dir in trial.own_dirs() {
        let _ = remove_empty(dir);
    }
}
