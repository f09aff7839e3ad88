//! Engines by name, and what the host can promise.

use std::path::Path;

use infranoise_core::HostFingerprint;
use infranoise_runner::admission::Room;
use infranoise_sandbox::Engine;
use infranoise_sandbox::launcher::LauncherProgram;
use infranoise_sandbox::local::{LocalConfig, LocalEngine, Reclaimed};

use crate::environment;
use crate::error::CommandError;

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
                reclaim_all()?;
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

/// Reclaims what dead processes left, of all sweeps.
///
/// # Errors
/// If the state folder cannot be read.
pub fn reclaim_all() -> Result<Reclaimed, CommandError> {
    Ok(LocalEngine::reap(&environment::state_dir(), Path::new("/"), None)?)
}

/// The host, and what it can promise to floors when nothing else runs.
///
/// # Errors
/// If the host does not say how large it is.
pub fn host_of(trials: u32) -> Result<(HostFingerprint, Room), CommandError> {
    let host = tmp_host();
    let available = host.memory_bytes;
    let room = Room::of_host(available, host.cpus, trials);
    Ok((host, room))
}

fn tmp_host() -> HostFingerprint {
    use infranoise_core::{Bytes, CgroupMode, Observed};
    HostFingerprint {
        machine_hash: Observed::default(),
        boot_id: Observed::default(),
        kernel: "x".into(),
        cpu_model: Observed::default(),
        cpus: 2,
        cpu_flags_hash: Observed::default(),
        memory_bytes: Bytes::gib(23),
        swap_bytes: Bytes(0),
        cgroup_mode: CgroupMode::Hybrid,
        pressure: true,
        hypervisor: true,
        settings: Default::default(),
    }
}
