//! Engines by name, and what the host can promise.

use std::path::Path;

use infranoise_core::{CgroupMode, HostFingerprint};
use infranoise_runner::admission::Room;
use infranoise_sandbox::cgroup::Hierarchy;
use infranoise_sandbox::launcher::LauncherProgram;
use infranoise_sandbox::local::{LocalConfig, LocalEngine, Reclaimed};
use infranoise_sandbox::{Engine, host};

use crate::environment;
use crate::error::{CommandError, at};

/// The engines that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engines {
    /// This host's kernel.
    Local,
}

impl Engines {
    /// The engine of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Self, CommandError> {
        match name {
            "local" => Ok(Self::Local),
            "docker" | "podman" | "kubernetes" => {
                Err(CommandError::usage(format!("the engine `{name}` is not supported yet; use `local`")))
            }
            _ => Err(CommandError::usage(format!("there is no engine `{name}`; there is: local"))),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
        }
    }

    /// Starts it, after clearing up what dead processes left.
    ///
    /// # Errors
    /// If this host cannot carry it.
    pub fn start(self) -> Result<Engine, CommandError> {
        match self {
            Self::Local => {
                LocalEngine::reap(&environment::state_dir(), Path::new("/"), None)?;
                let config = LocalConfig {
                    state_dir: environment::state_dir(),
                    cgroup_root: Path::new("/").to_owned(),
                    launcher: LauncherProgram::SelfExe,
                };
                Ok(Engine::Local(LocalEngine::start(&config)?))
            }
        }
    }
}

/// Reclaims what dead processes left, of all sweeps; and names the control groups that nobody knew any more.
///
/// # Errors
/// If the state folder cannot be read.
pub fn reclaim_all() -> Result<(Reclaimed, Vec<String>), CommandError> {
    let state = environment::state_dir();
    let reclaimed = LocalEngine::reap(&state, Path::new("/"), None)?;
    Ok((reclaimed, LocalEngine::remove_strays(&state, Path::new("/"))))
}

/// The host, and what it can promise to floors when nothing else runs. A host without control groups can still be planned for.
///
/// # Errors
/// If the host does not say how large it is.
pub fn host_of(trials: u32) -> Result<(HostFingerprint, Room), CommandError> {
    let root = Path::new("/");
    let mode = Hierarchy::detect(root).map_or(CgroupMode::Absent, |hierarchy| hierarchy.mode());
    let host = host::fingerprint(root, mode).map_err(at("read the host's size in", Path::new("/proc")))?;
    let capacity = host::capacity(root).map_err(at("read the host's size in", Path::new("/proc")))?;
    let cpus = capacity.cpus.0 / 1000;
    Ok((host, Room::of_host(capacity.memory_available, cpus.max(1), trials)))
}
