//! A trial's space on disk: its own file system where it has a ceiling, a folder of the host's where it has none.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use infranoise_core::{Ceiling, Held};

use crate::cgroup::{TrialGroup, disk_under};
use crate::contract::{RootSource, SandboxSpec};
use crate::storage::{Seen, SpaceWatch, Volume, VolumeError, Watched, Watching};

/// What holds a storage ceiling.
const KNOB: &str = "size of an ext4 loop image";

/// Where a sandbox's layers lie, and how far the ceiling on them is held.
#[derive(Debug)]
pub(super) struct Space {
    pub(super) volume: Option<Volume>,
    pub(super) held: Held,
    /// Whether it is on disks that we know.
    ours: bool,
}

impl Space {
    /// Makes what the allocation asks for. Where a host cannot hold a ceiling, that is recorded and the trial goes on without; a host whose
    /// disk is full cannot start it.
    pub(super) fn make(spec: &SandboxSpec) -> Result<Self, VolumeError> {
        let Ceiling::At(bytes) = spec.allocation.storage else {
            return Ok(Self { volume: None, held: Held::NotAsked, ours: true });
        };
        match Volume::make(&spec.scratch, bytes.0, &format!("infranoise:{}/{}", spec.sweep, spec.id)) {
            Ok(volume) => {
                let value = format!(
                    "{} bytes and {} inodes free",
                    volume.free_bytes(),
                    volume.at_first().free_inodes
                );
                let held = Held::ByKernel { knob: KNOB.to_owned(), value };
                Ok(Self { volume: Some(volume), held, ours: true })
            }
            Err(error) if error.source.kind() == io::ErrorKind::StorageFull => Err(error),
            Err(error) => {
                Ok(Self { volume: None, held: Held::NotAtAll { why: error.to_string() }, ours: true })
            }
        }
    }

    /// Space that somebody else makes and limits.
    #[cfg(feature = "docker")]
    pub(super) fn elsewhere(held: Held) -> Self {
        Self { volume: None, held, ours: false }
    }

    /// Where the layers are made, and where the sandbox finds them.
    pub(super) fn places(&self, spec: &SandboxSpec) -> (PathBuf, PathBuf) {
        match &self.volume {
            Some(volume) => (volume.path(), place(&spec.scratch)),
            None => (spec.scratch.clone(), spec.scratch.clone()),
        }
    }

    /// Holds the rate that was asked for, on the trial's own device and on the disks beneath.
    pub(super) fn hold_rate(&self, spec: &SandboxSpec, group: &TrialGroup) -> Held {
        if spec.allocation.disk_rate.is_uncapped() {
            return Held::NotAsked;
        }
        if !self.ours {
            return Held::NotAtAll { why: "disk rates are not asked of container engines yet".to_owned() };
        }
        let root = match &spec.root {
            RootSource::HostUserland => Path::new("/usr"),
            RootSource::Folder(path) | RootSource::Tar(path) => path,
            // Where a daemon keeps its images is its own affair.
            RootSource::Image(_) | RootSource::Build(_) => spec.scratch.as_path(),
        };
        let mut disks: Vec<(u32, u32)> =
            [spec.scratch.as_path(), root].into_iter().filter_map(disk_under).collect();
        disks.extend(self.volume.as_ref().map(Volume::device));
        disks.sort_unstable();
        disks.dedup();
        group.hold_disk_rate(spec.allocation.disk_rate, &disks)
    }

    /// The gap that is to be told, if the ceiling is not held.
    pub(super) fn gap(&self) -> Option<String> {
        match &self.held {
            Held::NotAtAll { why } => Some(format!("storage ceiling: {why}")),
            _ => None,
        }
    }

    /// Puts the space under watch.
    pub(super) fn watch(&self, watch: &SpaceWatch, scratch: &Path) -> (Watching, Arc<Seen>) {
        let seen = Arc::new(Seen::default());
        let own = self.volume.as_ref().and_then(|volume| volume.gauge().ok());
        let watching = watch.watch(Watched { own, host: scratch.to_owned(), seen: Arc::clone(&seen) });
        (watching, seen)
    }
}

/// The empty folder over which a sandbox mounts its volume, where only it sees it.
pub(super) fn place(scratch: &Path) -> PathBuf {
    scratch.join("volume")
}

/// What a ceiling would be held by here.
pub(super) fn would_be_held() -> Held {
    let control = Path::new("/dev/loop-control");
    match std::fs::File::options().read(true).write(true).open(control) {
        Ok(_) => Held::ByKernel { knob: KNOB.to_owned(), value: "as asked".to_owned() },
        Err(error) => Held::NotAtAll { why: format!("no loop device: {}: {error}", control.display()) },
    }
}
