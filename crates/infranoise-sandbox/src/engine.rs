//! The engines as one closed enum: whoever drives trials knows no engine by name.

use std::path::Path;
use std::time::Duration;

use infranoise_core::{Enforcement, ExecId, SandboxId, SweepId};

use crate::contract::{
    Capabilities, DeadlineKill, EngineError, ExecEnd, ExecSpec, Limit, Network, ReadyRoot, RootSource,
    SandboxEvidence, SandboxSpec,
};
use crate::fake::{FakeEngine, FakeSandbox};
use crate::local;

/// An engine.
#[derive(Clone, Debug)]
pub enum Engine {
    /// This host's kernel.
    Local(local::LocalEngine),
    /// Docker or Podman on this host.
    #[cfg(feature = "docker")]
    Docker(crate::docker::DockerEngine),
    /// Scripted answers, for tests.
    Fake(FakeEngine),
}

/// A sandbox of an engine. Dropping it ends it.
#[derive(Debug)]
pub enum Sandbox {
    /// On this host's kernel, whoever started it.
    Local(Box<local::Sandbox>),
    /// Scripted.
    Fake(Box<FakeSandbox>),
}

/// Stops a sandbox from another thread.
#[derive(Clone, Debug)]
pub enum Interrupter {
    /// Of a local sandbox.
    Local(local::Interrupter),
    /// Of a scripted one.
    Fake(crate::fake::FakeInterrupter),
}

impl Engine {
    /// What this engine can do on this host.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        match self {
            Self::Local(engine) => engine.capabilities(),
            #[cfg(feature = "docker")]
            Self::Docker(engine) => engine.capabilities(),
            Self::Fake(engine) => engine.capabilities(),
        }
    }

    /// Why sandboxes cannot have this network here, with what to do; `None` if they can.
    #[must_use]
    pub fn lacks_network(&self, network: &Network) -> Option<String> {
        match (self, network) {
            (Self::Local(_), Network::Bridge(_)) => crate::bridge::missing(),
            #[cfg(feature = "docker")]
            (Self::Docker(engine), Network::Bridge(_)) => {
                Some(format!("the engine `{}` has no network with a list of what is allowed", engine.name()))
            }
            #[cfg(feature = "docker")]
            (Self::Docker(_), Network::None | Network::Host) => None,
            (Self::Local(_), Network::None | Network::Host) | (Self::Fake(_), _) => None,
        }
    }

    /// Makes a sandbox.
    ///
    /// # Errors
    /// Names the step that failed; what was already made has been undone.
    pub fn create(&self, spec: &SandboxSpec) -> Result<Sandbox, EngineError> {
        match self {
            Self::Local(engine) => engine.create(spec).map(|sandbox| Sandbox::Local(Box::new(sandbox))),
            #[cfg(feature = "docker")]
            Self::Docker(engine) => engine.create(spec).map(|sandbox| Sandbox::Local(Box::new(sandbox))),
            Self::Fake(engine) => engine.create(spec).map(|sandbox| Sandbox::Fake(Box::new(sandbox))),
        }
    }

    /// Makes a root ready before any trial waits for it: fetches, builds or imports its image. `tell` hears how that goes.
    ///
    /// # Errors
    /// If there is no such image, or it cannot be fetched or built.
    pub fn prepare(&self, root: &RootSource, tell: &mut dyn FnMut(&str)) -> Result<ReadyRoot, EngineError> {
        match self {
            #[cfg(feature = "docker")]
            Self::Docker(engine) => engine.prepare(root, tell),
            Self::Local(_) | Self::Fake(_) => {
                let _ = (root, tell);
                Ok(ReadyRoot::default())
            }
        }
    }

    /// Removes what is left of a sweep whose sandboxes have all ended.
    pub fn leave(&self, sweep: &SweepId) {
        match self {
            Self::Local(engine) => engine.leave(sweep),
            #[cfg(feature = "docker")]
            Self::Docker(engine) => engine.leave(sweep),
            Self::Fake(_) => {}
        }
    }

    /// Waits until everything that finished sandboxes left is removed.
    pub fn settle(&self) {
        match self {
            Self::Local(engine) => engine.settle(),
            #[cfg(feature = "docker")]
            Self::Docker(engine) => engine.settle(),
            Self::Fake(_) => {}
        }
    }
}

impl Sandbox {
    /// Its name.
    #[must_use]
    pub fn id(&self) -> &SandboxId {
        match self {
            Self::Local(sandbox) => sandbox.id(),
            Self::Fake(sandbox) => sandbox.id(),
        }
    }

    /// What is really held, as read back.
    #[must_use]
    pub fn enforcement(&self) -> &Enforcement {
        match self {
            Self::Local(sandbox) => sandbox.enforcement(),
            Self::Fake(sandbox) => sandbox.enforcement(),
        }
    }

    /// The time since it was created, which the times of its records count from.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        match self {
            Self::Local(sandbox) => sandbox.elapsed(),
            Self::Fake(sandbox) => sandbox.elapsed(),
        }
    }

    /// Starts a command, detached.
    ///
    /// # Errors
    /// If the sandbox is gone, or the host cannot do its part.
    pub fn exec(&self, spec: &ExecSpec) -> Result<ExecId, EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.exec(spec),
            Self::Fake(sandbox) => sandbox.exec(spec),
        }
    }

    /// Waits for a command, and ends it at its limit.
    ///
    /// # Errors
    /// If the sandbox is gone, so that nobody knows how the command ended.
    pub fn wait(&self, id: ExecId, limit: Limit, kill: DeadlineKill) -> Result<ExecEnd, EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.wait(id, limit, kill),
            Self::Fake(sandbox) => sandbox.wait(id, limit, kill),
        }
    }

    /// Starts a command and waits for it.
    ///
    /// # Errors
    /// As [`Sandbox::exec`] and [`Sandbox::wait`].
    pub fn run(&self, spec: &ExecSpec, limit: Limit, kill: DeadlineKill) -> Result<ExecEnd, EngineError> {
        let id = self.exec(spec)?;
        self.wait(id, limit, kill)
    }

    /// A TCP socket that listens on the sandbox's own loopback at this port (0: one that is free) and is served by this process.
    ///
    /// # Errors
    /// If the sandbox is gone, or the host cannot do that.
    pub fn listen(&self, port: u16) -> Result<std::net::TcpListener, EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.listen(port),
            Self::Fake(sandbox) => sandbox.listen(port),
        }
    }

    /// Copies a file or a folder of the host to a place inside.
    ///
    /// # Errors
    /// If it cannot be read, or the place is not one for a file.
    pub fn put(&self, from: &Path, to: &Path) -> Result<(), EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.put(from, to),
            Self::Fake(sandbox) => sandbox.put(from, to),
        }
    }

    /// Copies a file or a folder from inside to the host; what is neither is left out.
    ///
    /// # Errors
    /// If it is not there, or is too large.
    pub fn get(&self, from: &Path, to: &Path) -> Result<local::Fetched, EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.get(from, to),
            Self::Fake(sandbox) => sandbox.get(from, to),
        }
    }

    /// The content of a small regular file inside; `None` if there is none of that name.
    ///
    /// # Errors
    /// If it is something else than a regular file, or larger than the limit (kind `InvalidData`), or cannot be read.
    pub fn read_small(&self, path: &Path, limit_bytes: u64) -> Result<Option<Vec<u8>>, EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.read_small(path, limit_bytes),
            Self::Fake(sandbox) => sandbox.read_small(path, limit_bytes),
        }
    }

    /// Ends every process but the supervisor, daemons too.
    ///
    /// # Errors
    /// If something does not die.
    pub fn quiesce(&self) -> Result<(), EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.quiesce(),
            Self::Fake(_) => Ok(()),
        }
    }

    /// Something with which another thread can stop this sandbox.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        match self {
            Self::Local(sandbox) => Interrupter::Local(sandbox.interrupter()),
            Self::Fake(sandbox) => Interrupter::Fake(sandbox.interrupter()),
        }
    }

    /// Ends the sandbox and says what was seen.
    ///
    /// # Errors
    /// If something does not die or does not go.
    pub fn finalize(self) -> Result<SandboxEvidence, EngineError> {
        match self {
            Self::Local(sandbox) => sandbox.finalize(),
            Self::Fake(sandbox) => sandbox.finalize(),
        }
    }
}

impl Interrupter {
    /// Whoever waits for a command of the sandbox is answered at once: interrupted.
    pub fn interrupt(&self) {
        match self {
            Self::Local(interrupter) => interrupter.interrupt(),
            Self::Fake(interrupter) => interrupter.interrupt(),
        }
    }
}
