//! The handle of one sandbox.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use infranoise_core::{Enforcement, ExecId, ResourceEvent, SandboxId};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, pidfd_send_signal};

use super::home::Entry;
use super::inside::{BOUNDS, Fetched, Inside};
use super::output::Output;
use super::space::Space;
use super::state::Shared;
use super::undertaker::Remains;
use super::watcher::Listening;
use super::{LocalEngine, host};
use crate::contract::{
    DeadlineKill, EngineError, ExecEnd, ExecSpec, Limit, Network, SandboxEvidence, SandboxSpec,
};
use crate::host::HostMoment;
use crate::launcher::plan::Ask;
use crate::storage::{Fullness, Seen, Volume, Watching};
use crate::telemetry::{SamplerHandle, Sources};

/// How long the kernel may take to end every process of a sandbox.
const DEATH: Timespec = Timespec { tv_sec: 30, tv_nsec: 0 };

/// What a container engine has to do when everything in a sandbox has ended; says whether it is done. In the background, and again until it is.
pub(crate) type Farewell = Box<dyn Fn() -> bool + Send + Sync>;

/// One sandbox of the local engine. Dropping it ends the sandbox; [`Sandbox::finalize`] does so too and says what was seen.
pub struct Sandbox {
    pub(super) engine: LocalEngine,
    pub(super) shared: Arc<Shared>,
    pub(super) enforcement: Enforcement,
    /// The process id of the launcher that made it, if one did.
    pub(super) launcher: Option<u32>,
    /// What is left to do when everything in it has ended.
    farewell: Option<Farewell>,
    pub(super) env: Vec<(String, String)>,
    pub(super) root: Option<Inside>,
    pub(super) sampling: Option<SamplerHandle>,
    pub(super) telemetry_file: Option<PathBuf>,
    pub(super) host_before: HostMoment,
    pub(super) census: u64,
    pub(super) listening: Option<Listening>,
    pub(super) outputs: Mutex<Vec<(Arc<Output>, Listening)>>,
    pub(super) events: Mutex<Vec<ResourceEvent>>,
    /// Where it comes from, in sentences for the record.
    pub(super) origin: Vec<String>,
    pub(super) seen: Arc<Seen>,
    /// Whether its network is its own.
    pub(super) own_network: bool,
    watching: Watching,
    volume: Option<Volume>,
    entry: Entry,
}

/// What was made for a sandbox besides its groups.
pub(super) struct Made {
    pub(super) root: Inside,
    /// The process id of the launcher that made it, if one did.
    pub(super) launcher: Option<u32>,
    pub(super) space: Space,
    pub(super) listening: Listening,
    /// What is left to do when everything in it has ended.
    pub(super) farewell: Option<Farewell>,
    /// Where it comes from, in sentences for the record.
    pub(super) origin: Vec<String>,
}

/// Stops a sandbox from another thread.
#[derive(Clone, Debug)]
pub struct Interrupter(Arc<Shared>);

impl Interrupter {
    /// Whoever waits for a command of the sandbox is answered at once: interrupted. The command is ended.
    pub fn interrupt(&self) {
        self.0.change(|state| state.interrupted = true);
    }
}

impl Sandbox {
    pub(super) fn new(
        engine: LocalEngine,
        spec: &SandboxSpec,
        shared: Arc<Shared>,
        Made { root, launcher, space, listening, farewell, origin }: Made,
    ) -> Self {
        let mut enforcement = shared.group.enforcement().clone();
        enforcement.gaps.extend(shared.lock().gaps.iter().cloned());
        enforcement.gaps.extend(space.gap());
        enforcement.storage_ceiling = space.held.clone();
        enforcement.disk_rate = space.hold_rate(spec, &shared.group);
        if let infranoise_core::Held::NotAtAll { why } = &enforcement.disk_rate {
            enforcement.gaps.push(format!("disk rate: {why}"));
        }
        let (watching, seen) = space.watch(&engine.parts.space_watch, &spec.scratch);
        let mut sources = Sources::of(&shared.group).with_space_of(space.volume.as_ref());
        let pid1 = shared.lock().pid1.as_ref().map(|(pid, _)| *pid);
        if let (true, Some(pid)) = (spec.network != Network::Host, pid1) {
            sources = sources.with_network_of(pid);
        }
        let sampling = engine.parts.sampler.register(sources);
        if let Some(path) = &spec.telemetry_file {
            // Only for those who look on: the whole file at the end reports its own failure.
            let _ = engine.parts.sampler.grow(&sampling, path);
        }
        let host_before = engine.parts.monitor.mark();
        let census = engine.parts.census.born();
        Self {
            engine,
            shared,
            enforcement,
            launcher,
            farewell,
            env: spec.env.clone(),
            root: Some(root),
            sampling: Some(sampling),
            telemetry_file: spec.telemetry_file.clone(),
            host_before,
            census,
            listening: Some(listening),
            outputs: Mutex::default(),
            events: Mutex::default(),
            origin,
            seen,
            own_network: spec.network != Network::Host,
            watching,
            volume: space.volume,
            entry: Entry {
                sandbox: spec.id.clone(),
                sweep: spec.sweep.clone(),
                scratch: spec.scratch.clone(),
                bridged: matches!(spec.network, Network::Bridge(_)),
            },
        }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &SandboxId {
        &self.shared.id
    }

    /// What is really held, as read back.
    #[must_use]
    pub fn enforcement(&self) -> &Enforcement {
        &self.enforcement
    }

    /// The time since it was created, which the times of its records count from.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.shared.clock.elapsed()
    }

    /// Starts a command and waits for it.
    ///
    /// # Errors
    /// As [`Sandbox::exec`] and [`Sandbox::wait`].
    pub fn run(&self, spec: &ExecSpec, limit: Limit, kill: DeadlineKill) -> Result<ExecEnd, EngineError> {
        let id = self.exec(spec)?;
        self.wait(id, limit, kill)
    }

    /// Copies a file or a folder of the host to a place inside.
    ///
    /// # Errors
    /// If it cannot be read, or the place is not one for a file.
    pub fn put(&self, from: &Path, to: &Path) -> Result<(), EngineError> {
        self.root()?.put(from, to).map_err(host("put a file into the sandbox", to))
    }

    /// Copies a file or a folder from inside to the host. Links, pipes, devices and the kernel's own files are left out, and so is what
    /// goes beyond a gibibyte, a hundred thousand files or a minute.
    ///
    /// # Errors
    /// If it is not there, is no regular file or folder, or is too large.
    pub fn get(&self, from: &Path, to: &Path) -> Result<Fetched, EngineError> {
        self.root()?.get(from, to, BOUNDS).map_err(host("get a file from the sandbox", from))
    }

    /// The content of a small regular file inside; `None` if there is none of that name.
    ///
    /// # Errors
    /// If it is something else than a regular file, or larger than the limit (kind `InvalidData`), or cannot be read.
    pub fn read_small(&self, path: &Path, limit_bytes: u64) -> Result<Option<Vec<u8>>, EngineError> {
        self.root()?.read_small(path, limit_bytes).map_err(host("read a file in the sandbox", path))
    }

    /// How many processes it has now, the supervisor included.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn processes(&self) -> Result<usize, EngineError> {
        let pids = self.shared.group.pids();
        pids.map(|pids| pids.len()).map_err(host("count the processes", Path::new(self.id().as_str())))
    }

    /// The supervisor's process id on the host, for tests that end it.
    #[must_use]
    pub fn supervisor_pid(&self) -> Option<u32> {
        self.shared.lock().pid1.as_ref().and_then(|(pid, _)| u32::try_from(*pid).ok())
    }

    /// Ends every process but the supervisor, daemons too.
    ///
    /// # Errors
    /// If something does not die.
    pub fn quiesce(&self) -> Result<(), EngineError> {
        let killed = self.shared.group.kill_work();
        killed.map_err(|error| host("end every process", Path::new(self.id().as_str()))(error.into_io()))
    }

    /// Ends a command with its foreground tree; daemons live on.
    ///
    /// # Errors
    /// If something does not die.
    pub fn kill_agent_tree(&self, id: ExecId) -> Result<(), EngineError> {
        self.end(id, DeadlineKill::Foreground)
    }

    /// Something with which another thread can stop this sandbox.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(Arc::clone(&self.shared))
    }

    /// Stops this sandbox from another thread: as [`Interrupter::interrupt`].
    pub fn interrupt(&self) {
        self.interrupter().interrupt();
    }

    /// Ends the sandbox and says what was seen. Its files are removed in the background.
    ///
    /// # Errors
    /// If something does not die or a control group stays.
    pub fn finalize(mut self) -> Result<SandboxEvidence, EngineError> {
        let evidence = self.evidence();
        self.tear_down()?;
        Ok(evidence)
    }

    /// Looks at the space now.
    pub(super) fn look_at_space(&self) -> Fullness {
        self.engine.parts.space_watch.look(&self.watching);
        self.seen.now()
    }

    fn root(&self) -> Result<&Inside, EngineError> {
        self.root.as_ref().ok_or_else(|| self.gone("it was ended"))
    }

    pub(super) fn gone(&self, why: &str) -> EngineError {
        EngineError::Gone { sandbox: self.id().clone(), why: why.to_owned() }
    }

    /// Ends everything, once.
    fn tear_down(&mut self) -> Result<(), EngineError> {
        let Some(listening) = self.listening.take() else { return Ok(()) };
        self.root = None;
        self.engine.parts.space_watch.forget(&self.watching);
        self.engine.parts.census.died(self.census);
        if let Some(sampling) = self.sampling.take() {
            // Without `finalize` nobody wants to know.
            drop(self.engine.parts.sampler.finish(sampling));
        }
        // A frozen process does not die on version 1.
        let _ = self.shared.group.thaw();
        end_pid_1(&self.shared);
        let destroyed = self.shared.group.destroy();
        let parts = &self.engine.parts;
        if self.launcher.is_some() {
            // If the launcher is gone, so are its zombies.
            let _ = self.engine.ask(&Ask::Reap, &[]);
        }
        parts.watcher.forget(listening);
        let outputs =
            std::mem::take(self.outputs.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner));
        for (output, listening) in outputs {
            output.flush();
            parts.watcher.forget(listening);
        }
        let shared = Arc::clone(&self.shared);
        parts.undertaker.bury(Remains {
            entry: self.entry.clone(),
            volume: self.volume.take(),
            groups: destroyed.is_err().then(|| Box::new(move || shared.group.destroy().is_ok()) as _),
            farewell: self.farewell.take(),
        });
        match destroyed {
            Ok(()) => Ok(()),
            Err(error) => {
                let name = PathBuf::from(self.id().as_str());
                Err(host("remove the control groups", &name)(error.into_io()))
            }
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // What could not be ended is still noted, for `reap`.
        let _ = self.tear_down();
    }
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("id", self.id()).finish_non_exhaustive()
    }
}

/// Kills pid 1, with which everything in its process namespace ends, and waits for that.
pub(super) fn end_pid_1(shared: &Shared) {
    let state = shared.lock();
    let Some((_, pidfd)) = &state.pid1 else { return };
    // It may be dead already.
    let _ = pidfd_send_signal(pidfd, Signal::KILL);
    let _ = poll(&mut [PollFd::new(pidfd, PollFlags::IN)], Some(&DEATH));
}
