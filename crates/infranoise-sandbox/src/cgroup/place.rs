//! The one group, `infranoise`, below which all of ours are: where it is made, and what it must hand down.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::core_v2;
use super::error::CgroupError;
use super::hierarchy::{Controller, Depth, Hierarchy, Located, Mounted, Version};
use super::{cpu_v1, cpu_v2, memory_v1, memory_v2};

/// The name of our group in each tree.
pub(crate) const OURS: &str = "infranoise";

/// One tree in which we have a group.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub version: Version,
    /// Our group.
    pub ours: PathBuf,
    pub depth: Depth,
}

/// The control groups of this host, with a group of ours in each tree. Cheap to share; holds nothing open.
#[derive(Clone, Debug)]
pub struct Cgroups {
    pub(crate) trees: Vec<Tree>,
    pub(crate) at: Located,
    /// The controllers to hand down in the version 2 tree.
    pub(crate) enable: Vec<&'static str>,
    pub(crate) unified: Option<usize>,
    pub(crate) swap: bool,
    pub(crate) notes: Vec<String>,
    /// Makes a group; tests with captured files put those into it.
    pub(crate) make: fn(&Path) -> io::Result<()>,
}

impl Cgroups {
    /// Makes our group in each tree of a host: at the top of the tree where that is permitted, else below the group that this process
    /// sits in.
    ///
    /// # Errors
    /// If no group can be made, with a way out.
    pub fn open(hierarchy: &Hierarchy) -> Result<Self, CgroupError> {
        Self::open_with(hierarchy, |path| fs::create_dir(path))
    }

    pub(crate) fn open_with(
        hierarchy: &Hierarchy,
        make: fn(&Path) -> io::Result<()>,
    ) -> Result<Self, CgroupError> {
        let mut this = Self {
            trees: Vec::new(),
            at: hierarchy.at,
            enable: Vec::new(),
            unified: hierarchy.unified,
            swap: hierarchy.swap,
            notes: Vec::new(),
            make,
        };
        for mounted in &hierarchy.trees {
            let ours = place(mounted, make)?;
            this.trees.push(Tree { version: mounted.version, ours, depth: mounted.depth });
        }
        this.hand_down_controllers()?;
        this.prepare();
        Ok(this)
    }

    /// Things that were done or could not be done, in sentences.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Switches the controllers on for our group's children; one that cannot be switched on is not there for us.
    fn hand_down_controllers(&mut self) -> Result<(), CgroupError> {
        let Some(index) = self.unified else { return Ok(()) };
        let ours = self.trees[index].ours.clone();
        let parent = ours.parent().unwrap_or(&ours).to_owned();
        for controller in Controller::ALL {
            let Some(name) = controller.v2_name().filter(|_| self.at.get(controller) == Some(index)) else {
                continue;
            };
            let mut enabled = core_v2::enable(&parent, name);
            if enabled.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy) {
                self.notes.push(core_v2::evacuate(&parent)?);
                enabled = core_v2::enable(&parent, name);
            }
            match enabled.and_then(|()| core_v2::enable(&ours, name)) {
                Ok(()) => self.enable.push(name),
                Err(error) => {
                    self.at.put(controller, None);
                    let dir = parent.display();
                    self.notes.push(format!("controller `{name}` cannot be had below `{dir}`: {error}"));
                }
            }
        }
        Ok(())
    }

    /// What our group needs so that its children's floors mean anything.
    fn prepare(&mut self) {
        let mut note = |what: &str, result: io::Result<()>| {
            if let Err(error) = result {
                self.notes.push(format!("{what}: {error}"));
            }
        };
        if let Some(index) = self.at.get(Controller::Memory) {
            let tree = &self.trees[index];
            match tree.version {
                Version::V1 => note("memory.use_hierarchy", memory_v1::nest(&tree.ours)),
                Version::V2 => note("memory.min of the parent group", memory_v2::pass_floor(&tree.ours)),
            }
        }
        if let Some(index) = self.at.get(Controller::Cpu) {
            let tree = &self.trees[index];
            match tree.version {
                Version::V1 => note("cpu.shares of the parent group", cpu_v1::weigh_parent(&tree.ours)),
                Version::V2 => note("cpu.weight of the parent group", cpu_v2::weigh_parent(&tree.ours)),
            }
        }
    }
}

/// Makes our group, or finds it.
fn place(mounted: &Mounted, make: fn(&Path) -> io::Result<()>) -> Result<PathBuf, CgroupError> {
    let attempt = |parent: &Path| -> io::Result<PathBuf> {
        let ours = parent.join(OURS);
        match make(&ours) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        access(&ours, Access::WRITE_OK)?;
        Ok(ours)
    };
    // Another engine of ours, or this one before, has moved this process aside: our group is beside it.
    let own = match mounted.own.parent() {
        Some(parent) if mounted.own.ends_with(core_v2::HOST) => parent,
        _ => &mounted.own,
    };
    attempt(&mounted.point).or_else(|_| attempt(own)).map_err(|source| CgroupError::NotWritable {
        way_out: way_out(&source),
        path: mounted.own.clone(),
        source,
    })
}

fn way_out(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem => {
            "the mount is read-only: in a container, start it with `--privileged` or with /sys/fs/cgroup writable"
        }
        io::ErrorKind::PermissionDenied => {
            "become root, or on a host with cgroup v2 and systemd: `systemd-run --user --scope -p Delegate=yes`"
        }
        _ => "look at /proc/mounts for what is mounted there",
    }
}
