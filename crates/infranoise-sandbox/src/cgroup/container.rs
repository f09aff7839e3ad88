//! The groups of a trial whose container engine made the outermost one: its ceilings are there, and what is below is ours.
//!
//! ```text
//! <the container's group>   the ceilings, the floors, the weight: set by the container engine, read back here
//! ├── sup                   the supervisor, which the engine started as pid 1
//! └── work
//!      ├── e0               one group for each command
//!      └── e1
//! ```
//! In a tree in which the engine made no group, one of ours takes its place.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::{Allocation, Bytes, KillScope, SandboxId, SweepId};

use super::create::{SUPERVISOR, WORK};
use super::error::CgroupError;
use super::group::{Group, Part};
use super::hierarchy::{Controller, Depth};
use super::knob;
use super::leaf::Leaf;
use super::mounts;
use super::place::{Cgroups, OURS};
use super::trial::TrialGroup;

/// A container that runs: whose it is and what was asked for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container<'c> {
    /// The container's id, which is part of its group's name.
    pub id: &'c str,
    /// Its pid 1, on the host.
    pub pid: i32,
    pub sweep: &'c SweepId,
    pub sandbox: &'c SandboxId,
    pub allocation: &'c Allocation,
    pub scope: KillScope,
    /// How many processes the ceiling holds besides the trial's.
    pub extra_pids: u32,
}

impl Cgroups {
    /// The group below which a container engine should make its own for the containers of a sweep, so that all trials are weighed
    /// against each other. `None` where our group is not at the top of every tree.
    pub(crate) fn parent_of(&self, sweep: &SweepId) -> Option<String> {
        let top = |ours: &Path| ours.parent().is_some_and(|parent| !parent.join("cgroup.type").exists());
        let v2_top = self.unified.is_none_or(|index| top(&self.trees[index].ours));
        v2_top.then(|| format!("/{OURS}/{sweep}"))
    }

    /// Removes the group above a sweep's containers in every tree of the host, also in those that we do not use: container engines make it
    /// in all. One that holds something is left.
    pub(crate) fn remove_parent(&self, sweep: &SweepId) {
        let text = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        for mount in mounts::mounts(&text) {
            let ours = mount.point.join(OURS);
            let parent = ours.join(sweep.as_str());
            // Podman's watchers of containers sit beside those.
            let _ = fs::remove_dir(parent.join("conmon"));
            let _ = fs::remove_dir(&parent);
            if self.trees.iter().all(|tree| tree.ours != ours) {
                let _ = fs::remove_dir(&ours);
            }
        }
    }

    /// Finds a container's groups, moves its pid 1 out of the way of its commands, and reads back what is held.
    pub(crate) fn adopt(&self, container: &Container<'_>) -> Result<TrialGroup, CgroupError> {
        let bounds = self.bounds(container)?;
        let depths: Vec<Depth> = self.trees.iter().map(|tree| tree.depth).collect();
        let sup = bounds.child(SUPERVISOR, Depth::Leaf, &depths);
        let work = bounds.child(WORK, Depth::Work, &depths);
        let floor = container.allocation.memory.floor() > Bytes(0);
        self.make_below(&sup)?;
        self.make_below(&work)?;
        for join in sup.join_files() {
            let (dir, file) = (join.parent().unwrap_or(&join), join.file_name().unwrap_or_default());
            let (file, pid) = (file.to_string_lossy(), container.pid.to_string());
            knob::write(dir, &file, &pid).map_err(CgroupError::write(dir, &file, &pid))?;
        }
        self.hand_down(&bounds, floor)?;
        self.hand_down(&work, floor)?;
        let enforcement = self.read_back(&bounds, &work, container);
        let path = kernels_name(&bounds);
        let made = [sup.own_dirs(), work.own_dirs()];
        let mut made: Vec<PathBuf> = made.into_iter().flatten().map(Path::to_owned).collect();
        made.sort();
        made.dedup();
        // In a tree as deep as a trial the group below is the container's own, which is not ours to remove.
        made.retain(|dir| !bounds.own_dirs().any(|own| own == dir));
        made.extend(
            bounds.own_dirs().filter(|dir| !dir.to_string_lossy().contains(container.id)).map(Path::to_owned),
        );
        Ok(TrialGroup {
            sandbox: container.sandbox.clone(),
            sup: Leaf::new(SUPERVISOR, format!("{path}{SUPERVISOR}/"), sup, None),
            path,
            scope: enforcement.kill_scope,
            pass_floor: floor,
            ceiling: container.allocation.memory.ceiling(),
            enforcement,
            trial: bounds.clone(),
            bounds,
            work,
            made,
            depths,
            make: self.make,
        })
    }

    /// The container's own group in each tree, or one of ours.
    fn bounds(&self, container: &Container<'_>) -> Result<Group, CgroupError> {
        let read = |path: PathBuf| fs::read_to_string(&path).map_err(CgroupError::read(&path));
        let mounted = mounts::mounts(&read(PathBuf::from("/proc/self/mountinfo"))?);
        let its = mounts::own_groups(&read(PathBuf::from(format!("/proc/{}/cgroup", container.pid)))?);
        let ours = self.trial_group(container.sweep.as_str(), container.sandbox.as_str());
        let mut parts = Vec::new();
        for (tree, ours) in self.trees.iter().zip(ours.parts) {
            let mount = mounted.iter().find(|mount| tree.ours.starts_with(&mount.point));
            let dir = mount.map(|mount| mount.own_place(&its)).filter(|dir| named_after(dir, container.id));
            let dir = match dir {
                Some(dir) => topmost(&dir, container.id),
                None => {
                    fs::create_dir_all(&ours.dir).map_err(CgroupError::make(&ours.dir))?;
                    ours.dir
                }
            };
            parts.push(Part { version: tree.version, dir, own: true });
        }
        let group = Group { parts, at: self.at };
        let limited = [Controller::Memory, Controller::Cpu, Controller::Pids];
        let foreign = limited
            .into_iter()
            .filter_map(|controller| group.part(controller))
            .find(|part| !named_after(&part.dir, container.id));
        match foreign {
            None => Ok(group),
            Some(part) => Err(CgroupError::Missing {
                path: part.dir.clone(),
                way_out: "the container engine must run on this host, with its containers in this host's control groups",
            }),
        }
    }
}

fn named_after(dir: &Path, id: &str) -> bool {
    dir.to_string_lossy().contains(id)
}

/// The outermost group with the container's name: some runtimes put the processes into one below it.
fn topmost(dir: &Path, id: &str) -> PathBuf {
    let named = dir.ancestors().take_while(|dir| named_after(dir, id));
    named.last().unwrap_or(dir).to_owned()
}

/// What the kernel log calls the container's group, as far as it tells it from others.
fn kernels_name(bounds: &Group) -> String {
    let part = bounds.part(Controller::Memory).or_else(|| bounds.parts.first());
    let name = part.and_then(|part| part.dir.file_name()).unwrap_or_default();
    format!("/{}/", name.to_string_lossy())
}
