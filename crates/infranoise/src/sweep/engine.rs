//! Engines by name, and what the host can promise.

use std::path::Path;

use infranoise_core::{CgroupMode, HostFingerprint};
use infranoise_runner::admission::Room;
use infranoise_sandbox::cgroup::Hierarchy;
#[cfg(feature = "docker")]
use infranoise_sandbox::docker::{DockerConfig, DockerEngine, Flavour};
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
    /// A container engine on this host.
    #[cfg(feature = "docker")]
    Container(Flavour),
}

impl Engines {
    /// The engine of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Self, CommandError> {
        match name {
            "local" => Ok(Self::Local),
            #[cfg(feature = "docker")]
            "docker" => Ok(Self::Container(Flavour::Docker)),
            #[cfg(feature = "docker")]
            "podman" => Ok(Self::Container(Flavour::Podman)),
            #[cfg(not(feature = "docker"))]
            "docker" | "podman" => Err(CommandError::usage(format!(
                "this build has no engine `{name}`: it was made without the feature `docker`"
            ))),
            "kubernetes" => {
                Err(CommandError::usage(format!("the engine `{name}` is not supported yet; use `local`")))
            }
            _ => {
                let what = format!("there is no engine `{name}`; there are: local, docker, podman");
                Err(CommandError::usage(what))
            }
        }
    }

    /// Where roots come from if nobody says: container engines have the tasks' own images.
    #[must_use]
    pub fn usual_root(self) -> &'static str {
        match self {
            Self::Local => "host",
            #[cfg(feature = "docker")]
            Self::Container(_) => "task",
        }
    }

    /// Whether tasks can bring their own images along.
    #[must_use]
    pub fn has_images(self) -> bool {
        match self {
            Self::Local => false,
            #[cfg(feature = "docker")]
            Self::Container(_) => true,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            #[cfg(feature = "docker")]
            Self::Container(flavour) => flavour.name(),
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
                Ok(Engine::Local(LocalEngine::start(&local())?))
            }
            #[cfg(feature = "docker")]
            Self::Container(flavour) => {
                // First the containers: their folders are still in use. What cannot be removed now is tried again by `gc`.
                reclaim_containers(&mut Reclaimed::default());
                LocalEngine::reap(&environment::state_dir(), Path::new("/"), None)?;
                Ok(Engine::Docker(DockerEngine::start(&container(flavour))?))
            }
        }
    }
}

fn local() -> LocalConfig {
    LocalConfig {
        state_dir: environment::state_dir(),
        cgroup_root: Path::new("/").to_owned(),
        launcher: LauncherProgram::SelfExe,
    }
}

#[cfg(feature = "docker")]
fn container(flavour: Flavour) -> DockerConfig {
    DockerConfig { flavour, address: environment::host(flavour.variable()), local: local() }
}

/// Removes the containers of engines that are gone, wherever a container engine listens.
#[cfg(feature = "docker")]
fn reclaim_containers(done: &mut Reclaimed) {
    for flavour in [Flavour::Docker, Flavour::Podman] {
        let config = container(flavour);
        if !infranoise_sandbox::docker::is_there(&config) {
            continue;
        }
        match DockerEngine::reap(&config, None) {
            Ok(reclaimed) => {
                done.sandboxes.extend(reclaimed.sandboxes);
                done.left.extend(reclaimed.left);
            }
            // Nobody said that there is one: a socket without a daemon is no concern of this host.
            Err(_) if config.address.is_none() => {}
            // What it holds is still labelled: the next time finds it.
            Err(error) => done.left.push(format!("{}: {error}", flavour.name())),
        }
    }
}

/// Reclaims what dead processes left, of all sweeps; and names the control groups that nobody knew any more.
///
/// # Errors
/// If the state folder cannot be read.
pub fn reclaim_all() -> Result<(Reclaimed, Vec<String>), CommandError> {
    let state = environment::state_dir();
    let mut all = Reclaimed::default();
    // First the containers: their folders are still in use.
    #[cfg(feature = "docker")]
    reclaim_containers(&mut all);
    let mut reclaimed = LocalEngine::reap(&state, Path::new("/"), None)?;
    reclaimed.left.append(&mut all.left);
    for container in all.sandboxes {
        if !reclaimed.sandboxes.contains(&container) {
            reclaimed.sandboxes.push(container);
        }
    }
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
