//! Which control groups this host has, and in which tree each controller is.
//!
//! Version 1, version 2 and every mixture are one case here: each controller has a tree, or none. Nothing is written.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::CgroupMode;

use super::error::CgroupError;
use super::mounts::{self, Mount, OwnGroup};

/// What a tree can do for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Controller {
    /// Memory ceilings, floors and out-of-memory counters.
    Memory,
    /// CPU ceilings and weights.
    Cpu,
    /// Limits on processes and threads.
    Pids,
    /// Bytes read from and written to disks.
    Io,
    /// Freezing (on version 2 every tree can).
    Freezer,
    /// CPU time used (on version 2 every tree knows).
    CpuTime,
}

impl Controller {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Memory, Self::Cpu, Self::Pids, Self::Io, Self::Freezer, Self::CpuTime];

    /// Its name in a version 1 mount.
    #[must_use]
    pub const fn v1_name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Cpu => "cpu",
            Self::Pids => "pids",
            Self::Io => "blkio",
            Self::Freezer => "freezer",
            Self::CpuTime => "cpuacct",
        }
    }

    /// Its name in `cgroup.controllers`; `None` for what version 2 has without a controller.
    #[must_use]
    pub const fn v2_name(self) -> Option<&'static str> {
        match self {
            Self::Memory => Some("memory"),
            Self::Cpu => Some("cpu"),
            Self::Pids => Some("pids"),
            Self::Io => Some("io"),
            Self::Freezer | Self::CpuTime => None,
        }
    }

    /// How deep groups are needed on version 1, where each controller may have its own shape.
    const fn v1_depth(self) -> Depth {
        match self {
            Self::Io => Depth::Trial,
            Self::Cpu => Depth::Work,
            Self::Memory | Self::Pids | Self::Freezer | Self::CpuTime => Depth::Leaf,
        }
    }
}

/// Version 1 or 2 of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One tree for each controller.
    V1,
    /// One tree for all.
    V2,
}

/// How deep a tree's groups go below a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// One group for the whole trial.
    Trial,
    /// One more for all that is not the supervisor: it holds the ceilings.
    Work,
    /// One more for each command.
    Leaf,
}

/// One tree that we use.
#[derive(Clone, Debug)]
pub(crate) struct Mounted {
    pub version: Version,
    /// The mount point.
    pub point: PathBuf,
    /// Where this process itself sits.
    pub own: PathBuf,
    pub depth: Depth,
}

/// Which tree (by its place in the list) each controller is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Located([Option<usize>; Controller::ALL.len()]);

impl Located {
    /// The tree of a controller.
    pub fn get(&self, controller: Controller) -> Option<usize> {
        self.0[controller as usize]
    }

    /// Moves a controller to a tree, or to none.
    pub fn put(&mut self, controller: Controller, tree: Option<usize>) {
        self.0[controller as usize] = tree;
    }
}

/// The control groups of a host.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    pub(crate) trees: Vec<Mounted>,
    pub(crate) at: Located,
    pub(crate) unified: Option<usize>,
    /// Whether the host has swap at all.
    pub(crate) swap: bool,
}

impl Hierarchy {
    /// Looks at `proc` and the mounted trees below `root`: `/`, or a folder with captured files.
    ///
    /// # Errors
    /// If `/proc/self` cannot be read, or no control groups are mounted.
    pub fn detect(root: &Path) -> Result<Self, CgroupError> {
        let file = |name: &str| {
            let path = root.join(name);
            fs::read_to_string(&path).map_err(CgroupError::read(&path))
        };
        let mountinfo = file("proc/self/mountinfo")?;
        let own = mounts::own_groups(&file("proc/self/cgroup")?);
        let mut found = mounts::mounts(&mountinfo);
        for mount in &mut found {
            mount.point = below(root, &mount.point);
        }
        let mut hierarchy = Self::from_mounts(&found, &own);
        if hierarchy.trees.is_empty() {
            return Err(CgroupError::Missing {
                path: root.join("proc/self/mountinfo"),
                way_out: "mount them (`mount -t cgroup2 none /sys/fs/cgroup`) or use a host that has them",
            });
        }
        hierarchy.swap =
            file("proc/meminfo").is_ok_and(|text| super::knob::kilobytes(&text, "SwapTotal:") != Some(0));
        Ok(hierarchy)
    }

    fn from_mounts(found: &[Mount], own: &[OwnGroup]) -> Self {
        let mut this = Self { trees: Vec::new(), at: Located::default(), unified: None, swap: false };
        let v2 = found.iter().find(|mount| mount.v1.is_none());
        let offered = v2.and_then(|mount| fs::read_to_string(mount.point.join("cgroup.controllers")).ok());
        let offered = offered.unwrap_or_default();
        this.unified = v2.map(|mount| this.tree(mount, own, Version::V2, Depth::Leaf));
        for controller in Controller::ALL {
            let in_v2 = match controller.v2_name() {
                Some(name) => offered.split_whitespace().any(|offer| offer == name),
                None => this.unified.is_some(),
            };
            let v1 = found.iter().find(|mount| mount.has(controller.v1_name()));
            let tree = match v1 {
                _ if in_v2 => this.unified,
                Some(mount) => Some(this.tree(mount, own, Version::V1, controller.v1_depth())),
                None => None,
            };
            this.at.put(controller, tree);
        }
        this
    }

    /// The place of a mount in the list, added if it is new, deepened if need be.
    fn tree(&mut self, mount: &Mount, own: &[OwnGroup], version: Version, depth: Depth) -> usize {
        if let Some(index) = self.trees.iter().position(|tree| tree.point == mount.point) {
            let tree = &mut self.trees[index];
            tree.depth = tree.depth.max(depth);
            return index;
        }
        let (point, own) = (mount.point.clone(), mount.own_place(own));
        self.trees.push(Mounted { version, point, own, depth });
        self.trees.len() - 1
    }

    /// Version 1, 2 or both.
    #[must_use]
    pub fn mode(&self) -> CgroupMode {
        let v1 = self.trees.iter().any(|tree| tree.version == Version::V1);
        match (v1, self.unified.is_some()) {
            (true, true) => CgroupMode::Hybrid,
            (true, false) => CgroupMode::V1,
            (false, true) => CgroupMode::V2,
            (false, false) => CgroupMode::Absent,
        }
    }

    /// The version 2 group that this process sits in, or the one above if that is where an engine of ours has moved it.
    #[must_use]
    pub fn own_unified(&self) -> Option<&Path> {
        let tree = &self.trees[self.unified?];
        match tree.own.parent() {
            Some(parent) if tree.own.ends_with(super::core_v2::HOST) => Some(parent),
            _ => Some(&tree.own),
        }
    }

    /// The version and the mount point of a controller's tree, if it has one.
    #[must_use]
    pub fn located(&self, controller: Controller) -> Option<(Version, &Path)> {
        let tree = &self.trees[self.at.get(controller)?];
        Some((tree.version, &tree.point))
    }

    /// Whether the host has swap.
    #[must_use]
    pub fn has_swap(&self) -> bool {
        self.swap
    }
}

/// An absolute path as it is below another root.
fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}
