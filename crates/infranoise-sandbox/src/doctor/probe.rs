//! What the checks look at: a root to read below, a folder to try things in, and one trial's groups, made once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, Enforcement, KillScope, MilliCpu, SandboxId, SweepId, TimeLimits,
};

use crate::cgroup::{CgroupError, Cgroups, Hierarchy};

/// What the checks look at.
#[derive(Debug)]
pub struct Probe {
    root: PathBuf,
    folder: PathBuf,
    hierarchy: Result<Hierarchy, String>,
    trial: OnceLock<Result<Enforcement, String>>,
}

impl Probe {
    /// Looks at the host below `root` (`/`, or a folder with captured files), and tries things in `folder`: where sandboxes will have
    /// their writable layers.
    #[must_use]
    pub fn new(root: &Path, folder: &Path) -> Self {
        Self {
            root: root.to_owned(),
            folder: folder.to_owned(),
            hierarchy: Hierarchy::detect(root).map_err(|error| error.to_string()),
            trial: OnceLock::new(),
        }
    }

    /// The folder to try things in.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The root to read below.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A file of the host.
    pub(super) fn read(&self, file: &str) -> io::Result<String> {
        fs::read_to_string(self.root.join(file))
    }

    /// The control groups that the host has.
    pub(super) fn hierarchy(&self) -> Result<&Hierarchy, String> {
        self.hierarchy.as_ref().map_err(Clone::clone)
    }

    /// What the kernel holds of a trial's bands: tried with groups that are removed again.
    pub(super) fn trial(&self) -> Result<&Enforcement, String> {
        let tried =
            self.trial.get_or_init(|| try_trial(self.hierarchy()?).map_err(|error| error.to_string()));
        tried.as_ref().map_err(Clone::clone)
    }
}

/// Makes a trial's groups with every band set, and removes them.
fn try_trial(hierarchy: &Hierarchy) -> Result<Enforcement, CgroupError> {
    let cgroups = Cgroups::open(hierarchy)?;
    let name = format!("doctor-{}", std::process::id());
    let named = |error: infranoise_core::BadName| CgroupError::Make {
        path: name.clone().into(),
        source: io::Error::other(error.to_string()),
    };
    let sweep = SweepId::try_new(name.clone()).map_err(named)?;
    let sandbox = SandboxId::try_new(name.clone()).map_err(named)?;
    let trial = cgroups.create_trial(&sweep, &sandbox, &modest(), KillScope::Trial)?;
    let enforcement = trial.enforcement().clone();
    let destroyed = trial.destroy();
    cgroups.remove_sweep(&sweep);
    destroyed.map(|()| enforcement)
}

/// Bands that any host can hold.
fn modest() -> Allocation {
    let band = "a floor below its ceiling";
    Allocation {
        memory: Band::try_new(Bytes::mib(1), Ceiling::At(Bytes::mib(16))).expect(band),
        cpu: Band::try_new(MilliCpu(10), Ceiling::At(MilliCpu(100))).expect(band),
        pids: Ceiling::At(16),
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time: TimeLimits {
            start_ms: Ceiling::Uncapped,
            agent_ms: Ceiling::Uncapped,
            verifier_ms: Ceiling::Uncapped,
        },
    }
}
