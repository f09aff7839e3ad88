//! Making a sandbox: note, groups, folders, layers, launch, files. What fails is undone.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::LocalEngine;
use super::clock::Clock;
use super::home::Entry;
use super::inside::{Inside, Obstacle};
use super::sandbox::{Made, Sandbox};
use super::space::{self, Space};
use super::spread::make_spread;
use super::state::{Life, Shared, State};
use super::undertaker::Remains;
use super::watcher::Listening;
use crate::bridge;
use crate::cgroup::{Controller, OomWatch, TrialGroup};
use crate::contract::{EngineError, Network, OverlayKind, SandboxSpec};
use crate::launcher::plan::{Ask, Bind, SandboxPlan, Seen};
use crate::linux::socket;
use crate::storage::Volume;
use infranoise_core::{KillScope, PageCache, Visible};

/// How long a sandbox may take to start on a host that does nothing else but swap.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the launcher may take to answer before it is looked at: somebody may have stopped it.
const LOOK_AT_LAUNCHER: Duration = Duration::from_secs(2);

/// A step that failed.
pub(crate) struct Failed {
    pub(crate) step: String,
    pub(crate) source: io::Error,
}

pub(crate) fn step(step: impl Into<String>) -> impl FnOnce(io::Error) -> Failed {
    move |source| Failed { step: step.into(), source }
}

pub(super) fn create(engine: &LocalEngine, spec: &SandboxSpec) -> Result<Sandbox, EngineError> {
    let clock = Clock::start();
    let start_error = |Failed { step, source }| EngineError::Start { sandbox: spec.id.clone(), step, source };
    check(spec).map_err(start_error)?;
    let entry = Entry {
        sandbox: spec.id.clone(),
        sweep: spec.sweep.clone(),
        scratch: spec.scratch.clone(),
        bridged: matches!(spec.network, Network::Bridge(_)),
    };
    engine.parts.sweeps.lock().unwrap_or_else(PoisonError::into_inner).insert(spec.sweep.clone());
    engine.parts.home.note(&entry).map_err(step("note the sandbox")).map_err(start_error)?;
    let mut grouped = false;
    make(engine, spec, clock, &mut grouped).map_err(|failed| {
        // Groups of that name which are not ours are left alone.
        let groups = grouped.then(|| unmake(engine, spec));
        engine.parts.undertaker.bury(Remains { entry, volume: None, groups, farewell: None });
        start_error(failed)
    })
}

/// Removes the control groups of a sandbox that did not start: what kept it from starting may have kept them too.
fn unmake(engine: &LocalEngine, spec: &SandboxSpec) -> Box<dyn Fn() -> bool + Send> {
    let (cgroups, sweep, sandbox) = (engine.parts.cgroups.clone(), spec.sweep.clone(), spec.id.clone());
    Box::new(move || cgroups.destroy_trial(&sweep, &sandbox).is_ok())
}

/// Refuses what would fail halfway.
pub(crate) fn check(spec: &SandboxSpec) -> Result<(), Failed> {
    let invalid = |what: String| Failed { step: what, source: io::ErrorKind::InvalidInput.into() };
    if spec.scratch.is_relative() {
        return Err(invalid(format!("the folder `{}` must be absolute", spec.scratch.display())));
    }
    for overlay in &spec.overlays {
        let parent = overlay.to.components().any(|part| part == std::path::Component::ParentDir);
        if overlay.to.is_relative() || parent {
            return Err(invalid(format!(
                "the place `{}` must be absolute, without `..`",
                overlay.to.display()
            )));
        }
        if !overlay.from.exists() {
            let source = io::ErrorKind::NotFound.into();
            return Err(Failed { step: format!("lay `{}` in", overlay.from.display()), source });
        }
    }
    Ok(())
}

/// Makes it, and says whether its control groups were made.
fn make(
    engine: &LocalEngine,
    spec: &SandboxSpec,
    clock: Clock,
    grouped: &mut bool,
) -> Result<Sandbox, Failed> {
    let lowers = engine
        .lowers(&spec.root)
        .map_err(|error| Failed { step: error.to_string(), source: error.source })?;
    let group = engine
        .parts
        .cgroups
        .create_trial(&spec.sweep, &spec.id, &spec.allocation, spec.kill_scope)
        .map_err(|error| step("make control groups")(error.into_io()))?;
    *grouped = true;
    if spec.page_cache == PageCache::Cold {
        cool().map_err(step("drop the page cache")).inspect_err(|_| drop(group.destroy()))?;
    }
    let launched = scratch(spec).and_then(|records| {
        let space = Space::make(spec).map_err(|error| step(error.step)(error.source))?;
        let (made_in, seen_at) = space.places(spec);
        let layers = lowers
            .layers(&made_in, &seen_at)
            .map_err(|error| Failed { step: error.to_string(), source: error.source })?;
        let plan = SandboxPlan {
            hostname: hostname(spec),
            join: group.supervisor().join_files(),
            own_network: spec.network != Network::Host,
            volume: space.volume.as_ref().map(|_| seen_at),
            mount_point: engine.parts.home.mount_point(),
            layers,
            binds: binds(spec, &group),
            user_namespace: engine.parts.user_namespace,
            seen: seen(spec),
        };
        Ok((plan, records, space))
    });
    let (plan, records, space) = match launched {
        Ok(plan) => plan,
        Err(failed) => {
            // The failure itself is what is reported; what does not go now is noted for `reap`.
            let _ = group.destroy();
            return Err(failed);
        }
    };
    launch(engine, spec, clock, group, plan, (&records, space))
}

/// Makes the folder of one sandbox on the host, and in it the file for its records. The layers come beside it.
pub(crate) fn scratch(spec: &SandboxSpec) -> Result<OwnedFd, Failed> {
    let make = || {
        make_spread(&spec.scratch)?;
        if spec.allocation.storage != infranoise_core::Ceiling::Uncapped {
            fs::create_dir(space::place(&spec.scratch))?;
        }
        fs::File::create_new(spec.scratch.join("records"))
    };
    make().map(OwnedFd::from).map_err(step(format!("make the folder `{}`", spec.scratch.display())))
}

/// Drops the page cache of the whole host: files of the task are read from the disk again, and so are everybody else's.
pub(crate) fn cool() -> io::Result<()> {
    rustix::fs::sync();
    fs::write("/proc/sys/vm/drop_caches", "1")
}

/// Letters, digits and dashes, at most as long as the kernel takes.
pub(crate) fn hostname(spec: &SandboxSpec) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    spec.id.as_str().chars().map(fits).take(63).collect()
}

/// The limits, if they are to be seen instead of the host's size; parts of a processor count as a whole one.
fn seen(spec: &SandboxSpec) -> Option<Seen> {
    let memory_bytes = spec.allocation.memory.ceiling().amount().map(|bytes| bytes.0);
    let cpus = spec.allocation.cpu.ceiling().amount().map(|cpu| cpu.0.div_ceil(1000).max(1));
    (spec.visible == Visible::Limits).then_some(Seen { memory_bytes, cpus })
}

/// What is laid over the root by mounts, and the trial's own limits as files, read-only, where programs look for them.
fn binds(spec: &SandboxSpec, group: &TrialGroup) -> Vec<Bind> {
    let limits =
        [Controller::Memory, Controller::Cpu, Controller::Pids].into_iter().filter_map(|controller| {
            let part = group.work.part(controller)?;
            let place = match part.version {
                crate::cgroup::Version::V1 => Path::new("/sys/fs/cgroup").join(controller.v1_name()),
                crate::cgroup::Version::V2 => PathBuf::from("/sys/fs/cgroup"),
            };
            Some(Bind { from: part.dir.clone(), to: place, writable: false })
        });
    let mut binds: Vec<Bind> = limits.collect();
    // On version 2 all three are one folder.
    binds.dedup_by(|a, b| a.to == b.to);
    let asked = spec.overlays.iter().filter_map(|overlay| {
        let writable = match overlay.how {
            OverlayKind::Copy => return None,
            OverlayKind::BindReadOnly => false,
            OverlayKind::BindWritable => true,
        };
        Some(Bind { from: overlay.from.clone(), to: overlay.to.clone(), writable })
    });
    binds.extend(asked);
    binds
}

/// For one process the kernel does all by itself; for more, infranoise has to hear of it at once.
pub(super) fn oom_watch(group: &TrialGroup) -> Result<Option<OomWatch>, Failed> {
    match group.enforcement().kill_scope {
        KillScope::Process => Ok(None),
        KillScope::Exec | KillScope::Trial => group.oom_watch().map(Some).map_err(step("watch the memory")),
    }
}

fn launch(
    engine: &LocalEngine,
    spec: &SandboxSpec,
    clock: Clock,
    group: TrialGroup,
    plan: SandboxPlan,
    (records, space): (&OwnedFd, Space),
) -> Result<Sandbox, Failed> {
    let undone = |failed: Failed, group: &TrialGroup| {
        let _ = group.destroy();
        failed
    };
    let oom = oom_watch(&group).map_err(|failed| undone(failed, &group))?;
    let (ours, theirs) =
        socket::pair().map_err(step("make the control socket")).map_err(|failed| undone(failed, &group))?;
    let shared = Arc::new(Shared::new(spec.id.clone(), clock, group, ours, oom));
    let listening = engine.parts.watcher.sandbox(&shared).map_err(step("listen to the sandbox"));
    let listening = listening.map_err(|failed| undone(failed, &shared.group))?;
    let volume = space.volume.as_ref().map(Volume::mount);
    let started = ask(engine, &shared, plan, theirs, (records, volume))
        .and_then(|(root, launcher)| connect(spec, &shared).map(|()| (root, launcher)))
        .and_then(|(root, launcher)| lay_copies(spec, &root).map(|()| (root, launcher)));
    match started {
        Ok((root, launcher)) => {
            let made =
                Made { root, launcher: Some(launcher), space, listening, farewell: None, origin: Vec::new() };
            Ok(Sandbox::new(engine.clone(), spec, shared, made))
        }
        Err(failed) => {
            bury_unborn(engine, &shared, listening);
            Err(failed)
        }
    }
}

/// Asks the launcher, and waits for the supervisor's greeting.
fn ask(
    engine: &LocalEngine,
    shared: &Arc<Shared>,
    plan: SandboxPlan,
    theirs: OwnedFd,
    (records, volume): (&OwnedFd, Option<BorrowedFd<'_>>),
) -> Result<(Inside, u32), Failed> {
    let descriptors: Vec<BorrowedFd<'_>> =
        [theirs.as_fd(), records.as_fd()].into_iter().chain(volume).collect();
    let asked = engine.ask(&Ask::Make(Box::new(plan)), &descriptors);
    let launcher = asked.map_err(step("ask the launcher"))?;
    // From here on only the sandbox holds its end, so that its end is heard.
    drop(theirs);
    let answered = |state: &State| (state.pid1.is_some() || state.life != Life::Starting).then_some(());
    if shared.wait_for(Some(shared.clock.elapsed() + LOOK_AT_LAUNCHER), answered).is_none()
        && engine.wake_launcher(launcher)
    {
        let says =
            "the launcher had been stopped from outside and was told to go on; this start waited for it";
        shared.change(|state| state.gaps.push(says.to_owned()));
    }
    greeted(shared, || engine.give_up_launcher(launcher)).map(|root| (root, launcher))
}

/// Waits for the supervisor's greeting, and opens the root. `unmade` is told if nothing was even made.
pub(super) fn greeted(shared: &Shared, unmade: impl FnOnce()) -> Result<Inside, Failed> {
    let greeted = shared.wait_for(Some(shared.clock.elapsed() + PATIENCE), |state| match &state.life {
        Life::Alive => state.pid1.as_ref().map(|(pid, _)| Ok(*pid)),
        Life::Starting => None,
        Life::Failed { step, errno } => {
            Some(Err(Failed { step: step.clone(), source: io::Error::from_raw_os_error(*errno) }))
        }
        Life::Gone => {
            let source = io::Error::other("it ended without a word");
            Some(Err(Failed { step: "start the supervisor".to_owned(), source }))
        }
    });
    let timed_out = || {
        if shared.lock().pid1.is_none() {
            unmade();
        }
        Failed { step: "start the supervisor".to_owned(), source: io::ErrorKind::TimedOut.into() }
    };
    let pid = greeted.ok_or_else(timed_out)??;
    Inside::of(pid).map_err(step("open the root"))
}

/// Gives the sandbox a way out, if it is to have one.
fn connect(spec: &SandboxSpec, shared: &Shared) -> Result<(), Failed> {
    let Network::Bridge(allowed) = &spec.network else { return Ok(()) };
    let state = shared.lock();
    let Some((pid, pidfd)) = &state.pid1 else { return Ok(()) };
    let connected = bridge::connect(&spec.sweep, &spec.id, pidfd.as_fd(), *pid, allowed);
    connected.map_err(step("bridge the network"))
}

pub(super) fn lay_copies(spec: &SandboxSpec, root: &Inside) -> Result<(), Failed> {
    if spec.network == Network::Host {
        // A root in which that is not possible has its own way of resolving names.
        let names = Path::new("/etc/resolv.conf");
        let _ = fs::canonicalize(names).and_then(|host| root.put(&host, names));
    }
    for overlay in spec.overlays.iter().filter(|overlay| overlay.how == OverlayKind::Copy) {
        let copied = root.lay(&overlay.from, &overlay.to, Obstacle::Refused);
        copied.map_err(step(format!("lay `{}` in", overlay.from.display())))?;
    }
    Ok(())
}

/// Ends whatever came of a sandbox that did not start.
pub(super) fn bury_unborn(engine: &LocalEngine, shared: &Shared, listening: Listening) {
    super::sandbox::end_pid_1(shared);
    let _ = shared.group.destroy();
    let _ = engine.ask(&Ask::Reap, &[]);
    engine.parts.watcher.forget(listening);
}
