//! Docker and Podman: a daemon makes the container, and everything inside is as on the local engine.
//!
//! ```text
//! engine process                     daemon                 container
//!   create ────────────ask──────────▶ image, namespaces, ─▶ pid 1: our supervisor
//!                                     limits                   │
//!   watcher ◀───────────────── calls at a socket ──────────────┘
//! ```
//! The daemon sets the limits; they are read back from the container's control groups, below which each command gets one of its own.
//! So telemetry, out-of-memory truth, kill scopes and exit statuses come from where they do on the local engine, and the daemon's own
//! flags are not believed. Therefore the daemon must run on this host.
//!
//! Deliberately absent: `docker exec`, `docker stop` and logs (the supervisor does what they do), and daemons on other machines.

mod body;
mod build;
mod create;
mod daemon;
mod door;
mod failure;
mod flavour;
mod image;
mod listing;
mod packing;
mod reap;
mod ulimits;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use infranoise_core::{Held, SweepId};

use crate::contract::{Capabilities, EngineError, ReadyRoot, RootSource, SandboxSpec};
use crate::local::{self, LocalConfig, LocalEngine, Reclaimed, write_supervisor};
use body::Ulimit;
use daemon::{Daemon, Shared};
use failure::incapable;
use image::Known;

pub use flavour::Flavour;

/// What a container engine is told at its start.
#[derive(Clone, Debug)]
pub struct DockerConfig {
    /// Docker or Podman.
    pub flavour: Flavour,
    /// Where its service listens, as in `unix:///var/run/docker.sock`; `None` for the usual place.
    pub address: Option<String>,
    /// What everything on this host's side is told.
    pub local: LocalConfig,
}

impl DockerConfig {
    fn address(&self) -> &str {
        self.address.as_deref().filter(|address| !address.is_empty()).unwrap_or(self.flavour.habits().socket)
    }
}

/// A connection to a container engine on this host. Cheap to clone.
#[derive(Clone, Debug)]
pub struct DockerEngine {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    local: LocalEngine,
    daemon: Shared,
    /// The supervisor's program as a file.
    supervisor: PathBuf,
    host_has_swap: bool,
    ulimits: Vec<Ulimit>,
    known: Mutex<Vec<(RootSource, Known)>>,
    sweeps: Mutex<BTreeSet<SweepId>>,
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.local.settle();
        let sweeps = self.sweeps.get_mut().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(sweeps).iter().for_each(|sweep| self.local.cgroups().remove_parent(sweep));
    }
}

impl DockerEngine {
    /// Connects to the daemon and makes this host's side ready.
    ///
    /// # Errors
    /// If no daemon answers, it cannot hold limits, or this host has no usable control groups.
    pub fn start(config: &DockerConfig) -> Result<Self, EngineError> {
        let daemon = Daemon::connect(config.flavour, config.address())?;
        refuse_rootless(&daemon, config.address())?;
        let local = LocalEngine::start(&config.local)?;
        let supervisor = local.home().join("supervisor");
        write_supervisor(&supervisor).map_err(|source| EngineError::Host {
            step: "write the supervisor".to_owned(),
            path: supervisor.clone(),
            source,
        })?;
        let raises = config.flavour.habits().raises_limits;
        let ulimits = if raises { ulimits::of_service(config.address()) } else { Vec::new() };
        let host_has_swap = local.has_swap();
        let (known, sweeps) = (Mutex::default(), Mutex::default());
        let daemon = Arc::new(daemon);
        let parts = Parts { local, daemon, supervisor, host_has_swap, ulimits, known, sweeps };
        Ok(Self { parts: Arc::new(parts) })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.parts.daemon.flavour.name()
    }

    /// What this engine can do here.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        let mut said = self.parts.local.capabilities();
        said.engine = self.parts.daemon.flavour.name();
        said.enforcement.memory_floor =
            Held::BestEffort { knob: "memory reservation".to_owned(), value: "as asked".to_owned() };
        said.enforcement.storage_ceiling = match self.storage_quota() {
            true => Held::BestEffort { knob: "storage-opt size".to_owned(), value: "as asked".to_owned() },
            false => Held::NotAtAll { why: self.no_quota() },
        };
        said
    }

    /// Makes a sandbox and starts its supervisor.
    ///
    /// # Errors
    /// Names the step that failed; what was already made has been undone.
    pub fn create(&self, spec: &SandboxSpec) -> Result<local::Sandbox, EngineError> {
        let mut sweeps = self.parts.sweeps.lock().unwrap_or_else(PoisonError::into_inner);
        sweeps.insert(spec.sweep.clone());
        drop(sweeps);
        create::create(self, spec)
    }

    /// Makes a root ready before any trial waits for it: fetches, builds or imports its image. `tell` hears how it goes.
    ///
    /// # Errors
    /// If there is no such image, or it cannot be fetched or built.
    pub fn prepare(&self, root: &RootSource, tell: &mut dyn FnMut(&str)) -> Result<ReadyRoot, EngineError> {
        let Known { id, digest, workdir, .. } = self.known(root, tell)?;
        Ok(ReadyRoot { image: Some(id), digest, workdir })
    }

    /// Removes what is left of a sweep whose sandboxes have all ended.
    pub fn leave(&self, sweep: &SweepId) {
        self.parts.local.leave(sweep);
        self.parts.local.cgroups().remove_parent(sweep);
    }

    /// Waits until the containers of all finished sandboxes are removed.
    pub fn settle(&self) {
        self.parts.local.settle();
    }

    /// What runs here, for the record: the daemon with its runtime.
    #[must_use]
    pub fn versions(&self) -> String {
        let said = &self.parts.daemon.said;
        format!("{}; control groups by `{}`, storage {}", said.versions, said.cgroup_driver, said.storage)
    }

    /// Removes the containers that engines left behind which are gone. Engines that live are left alone.
    ///
    /// # Errors
    /// If no daemon answers.
    pub fn reap(config: &DockerConfig, sweep: Option<&SweepId>) -> Result<Reclaimed, EngineError> {
        let daemon = Daemon::connect(config.flavour, config.address())?;
        reap::reap(&daemon, &config.local.state_dir, sweep)
    }

    /// The image of a root, looked for once.
    fn known(&self, root: &RootSource, tell: &mut dyn FnMut(&str)) -> Result<Known, EngineError> {
        // Held while an image is fetched: whoever wants the same one waits for it.
        let mut known = self.parts.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known.iter().find(|(source, _)| source == root) {
            return Ok(found.clone());
        }
        let found = image::known(&self.parts.daemon, &self.parts.local, root, tell)?;
        known.push((root.clone(), found.clone()));
        Ok(found)
    }

    /// Where the daemon is to make the containers' groups.
    fn cgroup_parent(&self, spec: &SandboxSpec) -> Option<String> {
        let by_path = self.parts.daemon.said.cgroup_driver == "cgroupfs";
        self.parts.local.cgroups().parent_of(&spec.sweep).filter(|_| by_path)
    }

    /// Whether the storage driver can hold a ceiling on disk space.
    fn storage_quota(&self) -> bool {
        let storage = &self.parts.daemon.said.storage;
        ["btrfs", "zfs", "devicemapper", "overlay2 on xfs"].iter().any(|able| storage.starts_with(able))
    }

    fn no_quota(&self) -> String {
        format!("the storage driver `{}` limits no disk space", self.parts.daemon.said.storage)
    }

    /// What is recorded with every trial.
    fn origin(&self, known: &Known) -> Vec<String> {
        let digest = known.digest.as_deref().map_or(String::new(), |digest| format!(" ({digest})"));
        vec![
            format!("{}: {}", self.parts.daemon.flavour.name(), self.versions()),
            format!("image {}{digest}", known.id),
        ]
    }
}

/// Without root there are no control groups on version 1, and so no limits: nothing is promised that nobody holds.
fn refuse_rootless(daemon: &Daemon, address: &str) -> Result<(), EngineError> {
    if daemon.said.rootless {
        let name = daemon.flavour.name();
        let what = format!(
            "{name} at `{address}` runs rootless: its containers' limits cannot be set and read back from here"
        );
        return Err(incapable(what, format!("use the {name} service of root")));
    }
    Ok(())
}

/// Whether something listens where a container engine usually does, or where it is said to.
#[must_use]
pub fn is_there(config: &DockerConfig) -> bool {
    match config.address().strip_prefix("unix://") {
        Some(path) => Path::new(path).exists(),
        None => true,
    }
}
