//! The connection to a daemon: a private runtime in a thread of its own, and plain calls for everybody else.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use bollard::Docker;
use bollard::errors::Error;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::Flavour;
use super::failure::{daemon_error, incapable};
use crate::contract::EngineError;

/// How long any one answer may take, in seconds: pulling streams, and is not one answer.
const PATIENCE_S: u64 = 120;

/// A daemon that answers.
pub(super) struct Daemon {
    pub(super) flavour: Flavour,
    /// Where it listens.
    pub(super) address: String,
    client: Docker,
    runtime: Runtime,
    /// What it says of itself.
    pub(super) said: Said,
}

/// What a daemon says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Its version, and that of its runtime, for the record.
    pub(super) versions: String,
    /// The driver of its control groups: `cgroupfs` or `systemd`.
    pub(super) cgroup_driver: String,
    /// The driver of its storage, with what lies beneath.
    pub(super) storage: String,
    /// Whether it has a bridge for containers' networks.
    pub(super) has_bridge: bool,
    /// Whether it runs as an ordinary user.
    pub(super) rootless: bool,
}

/// A thread that carries the connection's own work, so that no call needs to.
struct Runtime {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Daemon {
    /// Connects, agrees on a version and asks what it is.
    pub(super) fn connect(flavour: Flavour, address: &str) -> Result<Self, EngineError> {
        let unreachable = |why: String| {
            let what = format!("{} does not answer at `{address}`: {why}", flavour.name());
            incapable(what, flavour.habits().way_out)
        };
        let runtime = Runtime::start().map_err(|error| unreachable(error.to_string()))?;
        let client = connection(address).map_err(|error| unreachable(error.to_string()))?;
        let talk = async {
            let client = client.negotiate_version().await?;
            let (version, info) = (client.version().await?, client.info().await?);
            let networks = client.list_networks(None).await?;
            let mut said = said(&version, &info);
            said.has_bridge = networks.iter().any(|network| network.driver.as_deref() == Some("bridge"));
            Ok::<_, Error>((client, said))
        };
        let (client, said) =
            runtime.handle.block_on(talk).map_err(|error| unreachable(super::failure::whole(&error)))?;
        Ok(Self { flavour, address: address.to_owned(), client, runtime, said })
    }

    /// Carries one request out.
    pub(super) fn call<T>(
        &self,
        step: &str,
        request: impl AsyncFnOnce(&Docker) -> Result<T, Error>,
    ) -> Result<T, EngineError> {
        self.plain(request).map_err(|error| daemon_error(self.flavour, step, &error))
    }

    /// The network of builds: a daemon without a bridge has none of its own to give.
    pub(super) fn build_network(&self) -> &'static str {
        if self.said.has_bridge { "default" } else { "host" }
    }

    /// The same, with the daemon's own error.
    pub(super) fn plain<T>(
        &self,
        request: impl AsyncFnOnce(&Docker) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.runtime.handle.block_on(request(&self.client))
    }
}

impl std::fmt::Debug for Daemon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daemon").field("said", &self.said).finish_non_exhaustive()
    }
}

fn connection(address: &str) -> Result<Docker, Error> {
    if address.starts_with("tcp://") || address.starts_with("http://") {
        return Docker::connect_with_http(address, PATIENCE_S, bollard::API_DEFAULT_VERSION);
    }
    Docker::connect_with_unix(address, PATIENCE_S, bollard::API_DEFAULT_VERSION)
}

fn said(version: &bollard::models::SystemVersion, info: &bollard::models::SystemInfo) -> Said {
    let parts = version.components.iter().flatten().map(|part| format!("{} {}", part.name, part.version));
    let runtime = info.default_runtime.clone().unwrap_or_else(|| "runtime unknown".to_owned());
    let mut versions: Vec<String> = parts.collect();
    if versions.is_empty() {
        versions.push(version.version.clone().unwrap_or_else(|| "version unknown".to_owned()));
    }
    versions.push(format!("runtime {runtime}"));
    let beneath = info.driver_status.iter().flatten().find_map(|pair| match pair.as_slice() {
        [key, value] if key == "Backing Filesystem" => Some(format!(" on {value}")),
        _ => None,
    });
    let driver = info.driver.clone().unwrap_or_default();
    Said {
        versions: versions.join(", "),
        cgroup_driver: info.cgroup_driver.map(|driver| driver.to_string()).unwrap_or_default(),
        storage: format!("{driver}{}", beneath.unwrap_or_default()),
        has_bridge: true,
        rootless: info.security_options.iter().flatten().any(|option| option.contains("rootless")),
    }
}

impl Runtime {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("container-daemon".to_owned()).spawn(move || {
            // Ends when somebody says so, or when nobody is left who could.
            drop(runtime.block_on(stopped));
        })?;
        Ok(Self { handle, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A daemon that several sandboxes and the engine hold.
pub(super) type Shared = Arc<Daemon>;
