//! The local engine: our own thin runtime on this host's kernel. No daemon, no image.
//!
//! ```text
//! engine process                      launcher              sandbox
//!   threads of the runner ──ask──────▶ clone3 ─────────────▶ pid 1: mounts, root, privileges, exec supervisor
//!   watcher ◀──reports, descriptors──────────────────────────┘   └─ commands, each in its own control group
//!   undertaker (removes layers)
//! ```

#[cfg(feature = "docker")]
mod adopt;
mod census;
mod clock;
mod create;
mod ending;
mod evidence;
mod exec;
mod foreground;
mod home;
mod inside;
mod kernel_log;
mod listen;
mod out_of_memory;
mod output;
mod reap;
mod sandbox;
mod space;
mod spread;
mod state;
mod undertaker;
mod wait;
mod watcher;

use std::collections::BTreeSet;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use infranoise_core::{Enforcement, Held, KillScope, SweepId};

use crate::cgroup::{Cgroups, Controller, Hierarchy, Version};
use crate::contract::{Capabilities, EngineError, RootSource, SandboxSpec};
use crate::host::Monitor;
use crate::launcher::plan::Ask;
use crate::launcher::{Launcher, LauncherProgram};
use crate::root::Lowers;
use crate::storage::SpaceWatch;
use crate::telemetry::Sampler;
use census::Census;
use home::Home;
use kernel_log::SharedLog;
use undertaker::Undertaker;
use watcher::Watcher;

#[cfg(feature = "docker")]
pub(crate) use adopt::{Adopted, write_supervisor};
#[cfg(feature = "docker")]
pub(crate) use clock::Clock;
#[cfg(feature = "docker")]
pub(crate) use create::{Failed, check, cool, hostname, scratch, step};
#[cfg(feature = "docker")]
pub(crate) use home::{engines, take_over};
#[cfg(feature = "docker")]
pub(crate) use sandbox::Farewell;

pub use inside::Fetched;
pub use reap::Reclaimed;
pub use sandbox::{Interrupter, Sandbox};

/// How often every trial is looked at.
const SAMPLING: Duration = Duration::from_millis(100);

/// How often the host is looked at.
const MONITORING: Duration = Duration::from_secs(1);

/// What a local engine is told at its start.
#[derive(Clone, Debug)]
pub struct LocalConfig {
    /// Where engines keep what the next one needs to clear up after them.
    pub state_dir: PathBuf,
    /// The folder that holds `proc` and the mounted control groups: `/`, but for tests.
    pub cgroup_root: PathBuf,
    /// Which program becomes the launcher.
    pub launcher: LauncherProgram,
}

/// A running local engine. Cheap to clone; it ends with its last clone and its last sandbox.
#[derive(Clone)]
pub struct LocalEngine {
    parts: Arc<Parts>,
}

/// Fields are dropped in this order: the launcher ends with the last hold on it, then what it left is removed.
struct Parts {
    launcher: Mutex<Arc<Launcher>>,
    program: LauncherProgram,
    watcher: Watcher,
    undertaker: Undertaker,
    cgroups: Cgroups,
    hierarchy: Hierarchy,
    log: SharedLog,
    sampler: Sampler,
    space_watch: SpaceWatch,
    monitor: Monitor,
    census: Census,
    user_namespace: bool,
    roots: Mutex<Vec<(RootSource, Lowers)>>,
    sweeps: Mutex<BTreeSet<SweepId>>,
    home: Arc<Home>,
}

impl Drop for Parts {
    fn drop(&mut self) {
        let sweeps = self.sweeps.get_mut().unwrap_or_else(PoisonError::into_inner);
        // Those that another engine uses too stay.
        std::mem::take(sweeps).iter().for_each(|sweep| self.cgroups.remove_sweep(sweep));
    }
}

impl LocalEngine {
    /// Looks at the host's control groups, takes a folder and starts the launcher.
    ///
    /// # Errors
    /// If the host has no usable control groups, or the state folder cannot be written.
    pub fn start(config: &LocalConfig) -> Result<Self, EngineError> {
        let incapable = |error: crate::cgroup::CgroupError| EngineError::Incapable {
            what: error.to_string(),
            way_out: "`infranoise doctor` says what this host lacks".to_owned(),
        };
        let hierarchy = Hierarchy::detect(&config.cgroup_root).map_err(incapable)?;
        let cgroups = Cgroups::open(&hierarchy).map_err(incapable)?;
        let home =
            Home::make(&config.state_dir).map_err(host("make the engine's folder", &config.state_dir))?;
        let home = Arc::new(home);
        let undertaker =
            Undertaker::start(Arc::clone(&home)).map_err(host("start a thread", Path::new("undertaker")))?;
        let watcher = Watcher::start().map_err(host("start a thread", Path::new("watcher")))?;
        let program = config.launcher.clone();
        let launcher = watcher
            .launcher(&program)
            .map_err(|error| EngineError::Launcher { why: format!("it does not start: {error}") })?;
        let launcher = Mutex::new(Arc::new(launcher));
        let roots = Mutex::new(Vec::new());
        let log = SharedLog::open();
        let sampler = Sampler::start(SAMPLING).map_err(host("start a thread", Path::new("sampler")))?;
        let space_watch = SpaceWatch::start().map_err(host("start a thread", Path::new("space watch")))?;
        let monitor = Monitor::start(Path::new("/"), MONITORING)
            .map_err(host("start a thread", Path::new("monitor")))?;
        Ok(Self {
            parts: Arc::new(Parts {
                launcher,
                program,
                watcher,
                undertaker,
                cgroups,
                hierarchy,
                log,
                sampler,
                space_watch,
                monitor,
                census: Census::default(),
                user_namespace: crate::rootless::in_user_namespace(),
                roots,
                sweeps: Mutex::default(),
                home,
            }),
        })
    }

    /// What this engine can do here.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        let hierarchy = &self.parts.hierarchy;
        let memory = hierarchy.located(Controller::Memory).map(|(version, _)| version);
        let kill_scopes = match memory {
            Some(_) => vec![KillScope::Process, KillScope::Exec, KillScope::Trial],
            None => Vec::new(),
        };
        let mut warnings = self.parts.cgroups.notes().to_vec();
        if memory == Some(Version::V1) {
            warnings.push(
                "memory floors are held by admission alone: cgroup v1 has none; boot with cgroup v2 for floors that the kernel holds"
                    .to_owned(),
            );
        }
        Capabilities {
            engine: "local",
            enforcement: would_be(hierarchy),
            kill_scopes,
            host_oom_visible: memory == Some(Version::V2) || self.parts.log.readable(),
            warnings,
        }
    }

    /// Makes a sandbox and starts its supervisor.
    ///
    /// # Errors
    /// Names the step that failed; what was already made has been undone.
    pub fn create(&self, spec: &SandboxSpec) -> Result<Sandbox, EngineError> {
        create::create(self, spec)
    }

    /// Removes what is left of a sweep whose sandboxes have all ended: its empty control groups.
    pub fn leave(&self, sweep: &SweepId) {
        self.parts.cgroups.remove_sweep(sweep);
    }

    /// Waits until everything that finished sandboxes left on disk is removed.
    pub fn settle(&self) {
        self.parts.undertaker.settle();
    }

    /// The folder of this engine, whose lock says that it lives.
    #[cfg(feature = "docker")]
    pub(crate) fn home(&self) -> &Path {
        self.parts.home.folder()
    }

    /// Whether the host has swap.
    #[cfg(feature = "docker")]
    pub(crate) fn has_swap(&self) -> bool {
        self.parts.hierarchy.has_swap()
    }

    /// The host's control groups.
    #[cfg(feature = "docker")]
    pub(crate) fn cgroups(&self) -> &Cgroups {
        &self.parts.cgroups
    }

    /// The launcher's process id, for tests that end it.
    #[must_use]
    pub fn launcher_pid(&self) -> u32 {
        self.launcher().pid()
    }

    /// Reclaims what engines that are gone left behind: processes, control groups, folders; of one sweep, or of all. Engines that live
    /// are left alone.
    ///
    /// # Errors
    /// If the state folder cannot be read.
    pub fn reap(
        state_dir: &Path,
        cgroup_root: &Path,
        sweep: Option<&SweepId>,
    ) -> Result<Reclaimed, EngineError> {
        reap::reap(state_dir, cgroup_root, sweep)
    }

    /// Removes control groups that no process is in and no engine of this state folder knows, as engines leave them whose state folder
    /// was deleted; names them.
    #[must_use]
    pub fn remove_strays(state_dir: &Path, cgroup_root: &Path) -> Vec<String> {
        reap::strays(state_dir, cgroup_root)
    }

    fn launcher(&self) -> Arc<Launcher> {
        Arc::clone(&self.parts.launcher.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the launcher that made a sandbox has ended, and with it the sandbox.
    fn launcher_ended(&self, pid: u32) -> bool {
        let launcher = self.launcher();
        launcher.pid() != pid || launcher.has_ended()
    }

    /// Wakes a launcher that somebody stopped; whether that was so.
    fn wake_launcher(&self, pid: u32) -> bool {
        let launcher = self.launcher();
        launcher.pid() == pid && launcher.wake()
    }

    /// Ends a launcher that does not answer, so that the next sandbox gets another. Its sandboxes end with it.
    fn give_up_launcher(&self, pid: u32) {
        let launcher = self.launcher();
        if launcher.pid() == pid {
            launcher.end();
        }
    }

    /// Asks the launcher, and says which one that was. One that has ended is replaced first: its sandboxes are gone, but others can
    /// be made.
    fn ask(&self, ask: &Ask, descriptors: &[BorrowedFd<'_>]) -> io::Result<u32> {
        let mut current = self.parts.launcher.lock().unwrap_or_else(PoisonError::into_inner);
        if current.has_ended() {
            *current = Arc::new(self.parts.watcher.launcher(&self.parts.program)?);
        }
        let launcher = Arc::clone(&current);
        drop(current);
        launcher.ask(ask, descriptors).map(|()| launcher.pid())
    }

    /// The kernel log as it is now.
    fn kernel_log(&self) -> &SharedLog {
        self.parts.log.refresh()
    }

    /// The layers of a root, made once.
    pub(crate) fn lowers(&self, source: &RootSource) -> Result<Lowers, crate::root::RootError> {
        let mut known = self.parts.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, lowers)) = known.iter().find(|(known, _)| known == source) {
            return Ok(lowers.clone());
        }
        let lowers = crate::root::lowers(source, &self.parts.home.roots())?;
        known.push((source.clone(), lowers.clone()));
        Ok(lowers)
    }
}

impl std::fmt::Debug for LocalEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalEngine").field("mode", &self.parts.hierarchy.mode()).finish_non_exhaustive()
    }
}

/// For `map_err` on something of the host.
fn host(step: &str, path: &Path) -> impl FnOnce(io::Error) -> EngineError {
    let (step, path) = (step.to_owned(), path.to_owned());
    move |source| EngineError::Host { step, path, source }
}

/// What each promise would be; a sandbox's own `Enforcement` is read back and may say less.
fn would_be(hierarchy: &Hierarchy) -> Enforcement {
    let mut would = Enforcement::nothing("this host has no controller for it");
    let held = |knob: &str| Held::ByKernel { knob: knob.to_owned(), value: "as asked".to_owned() };
    let tried = |knob: &str| Held::BestEffort { knob: knob.to_owned(), value: "as asked".to_owned() };
    let version = |controller| hierarchy.located(controller).map(|(version, _)| version);
    match version(Controller::Memory) {
        Some(Version::V1) => {
            would.memory_ceiling = held("memory.limit_in_bytes");
            would.memory_floor = tried("admission");
            would.swap_closed = held("memory.memsw.limit_in_bytes");
            would.kill_scope_held = held("memory.oom_control");
        }
        Some(Version::V2) => {
            would.memory_ceiling = held("memory.max");
            would.memory_floor = held("memory.min");
            would.swap_closed = held("memory.swap.max");
            would.kill_scope_held = held("memory.oom.group");
        }
        None => {}
    }
    match version(Controller::Cpu) {
        Some(Version::V1) => {
            would.cpu_ceiling = held("cpu.cfs_quota_us");
            would.cpu_floor = tried("cpu.shares");
        }
        Some(Version::V2) => {
            would.cpu_ceiling = held("cpu.max");
            would.cpu_floor = tried("cpu.weight");
        }
        None => {}
    }
    if version(Controller::Pids).is_some() {
        would.pids_ceiling = held("pids.max");
    }
    would.disk_rate = match version(Controller::Io) {
        Some(Version::V1) => tried("blkio.throttle"),
        Some(Version::V2) => held("io.max"),
        None => would.disk_rate,
    };
    would.storage_ceiling = space::would_be_held();
    would.kill_scope = KillScope::Trial;
    would
}
