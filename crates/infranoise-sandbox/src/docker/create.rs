//! Making a sandbox: note, image, folders, container, the supervisor's call, groups. What fails is undone.

use std::fs;
use std::io;
use std::path::Path;

use bollard::errors::Error;
use bollard::query_parameters::{CreateContainerOptionsBuilder, RemoveContainerOptionsBuilder};
use infranoise_core::{Ceiling, Held, PageCache, Visible};

use super::DockerEngine;
use super::body::{EXTRA_PIDS, Making, SOCKET, SUPERVISOR, body};
use super::daemon::{Daemon, Shared};
use super::door::Door;
use super::failure::{daemon_error, incapable, whole};
use super::image::Known;
use crate::cgroup::Container;
use crate::contract::{EngineError, Network, SandboxSpec};
use crate::launcher::plan::Layer;
use crate::local::{self, Adopted, Clock, Failed, Farewell};

/// How long a supervisor may take to call, on a host that does nothing else but swap.
const PATIENCE_MS: u64 = 60_000;

pub(super) fn create(engine: &DockerEngine, spec: &SandboxSpec) -> Result<local::Sandbox, EngineError> {
    let clock = Clock::start();
    let start = |failed: Failed| start_error(spec, failed);
    local::check(spec).map_err(start)?;
    if let Network::Bridge(_) = spec.network {
        let what = format!("the engine `{}` has no network with a list of what is allowed", engine.name());
        return Err(incapable(what, "use `--network none` or `host`, or the engine `local`"));
    }
    let known = engine.known(&spec.root, &mut |_| {})?;
    engine.parts.local.note(spec).map_err(start)?;
    let mut farewell = None;
    make(engine, spec, clock, &known, &mut farewell)
        .inspect_err(|_| engine.parts.local.bury(spec, farewell.take()))
}

/// The steps; as soon as there is a container, `farewell` removes it.
fn make(
    engine: &DockerEngine,
    spec: &SandboxSpec,
    clock: Clock,
    known: &Known,
    farewell: &mut Option<Farewell>,
) -> Result<local::Sandbox, EngineError> {
    let start = |failed: Failed| start_error(spec, failed);
    let parts = &engine.parts;
    let records = local::scratch(spec).map_err(start)?;
    let (door, layers) = folders(engine, spec, known).map_err(start)?;
    if spec.page_cache == PageCache::Cold {
        local::cool().map_err(local::step("drop the page cache")).map_err(start)?;
    }
    let listening =
        Door::open(&door, SOCKET).map_err(local::step("make the control socket")).map_err(start)?;
    let making = Making {
        flavour: parts.daemon.flavour,
        image: &known.id,
        home: parts.local.home(),
        door: &door,
        layers: &layers,
        cgroup_parent: engine.cgroup_parent(spec),
        host_has_swap: parts.host_has_swap,
        ulimits: &parts.ulimits,
        storage_quota: engine.storage_quota(),
        hostname: local::hostname(spec),
    };
    let id = container(&parts.daemon, spec, &making, parts.local.home())?;
    *farewell = Some(removal(&parts.daemon, &id));
    started(&parts.daemon, spec, &id)?;
    let caller = listening
        .answer(|| over(&parts.daemon, &id, clock))
        .map_err(local::step("wait for the supervisor"))
        .map_err(start)?;
    let container = Container {
        id: &id,
        pid: caller.pid,
        sweep: &spec.sweep,
        sandbox: &spec.id,
        allocation: &spec.allocation,
        scope: spec.kill_scope,
        extra_pids: EXTRA_PIDS,
    };
    let group = parts.local.cgroups().adopt(&container);
    let mut group =
        group.map_err(|error| start(local::step("find the container's groups")(error.into_io())))?;
    amend(engine, spec, &making, &mut group.enforcement);
    let origin = engine.origin(known);
    let adopted = Adopted { pid: caller.pid, control: caller.control, records, group, origin };
    let mut with_image = spec.clone();
    with_image.env = known.env.iter().chain(&spec.env).cloned().collect();
    let Some(goodbye) = farewell.take() else {
        return Err(start(local::step("keep the container")(io::ErrorKind::NotFound.into())));
    };
    parts.local.adopt(&with_image, clock, adopted, goodbye).map_err(|(failed, goodbye)| {
        *farewell = Some(goodbye);
        start(failed)
    })
}

fn start_error(spec: &SandboxSpec, Failed { step, source }: Failed) -> EngineError {
    EngineError::Start { sandbox: spec.id.clone(), step, source }
}

/// The folder with the supervisor, and the writable side of the host's folders.
fn folders(
    engine: &DockerEngine,
    spec: &SandboxSpec,
    known: &Known,
) -> Result<(std::path::PathBuf, Vec<Layer>), Failed> {
    let door = spec.scratch.join("door");
    let inside = door.join(SUPERVISOR);
    fs::create_dir(&door)
        // The same file under one more name, where the file system is the same.
        .and_then(|()| fs::hard_link(&engine.parts.supervisor, &inside))
        .or_else(|_| fs::copy(&engine.parts.supervisor, &inside).map(drop))
        .map_err(local::step("lay the supervisor out"))?;
    let layers = match &known.above {
        None => Vec::new(),
        Some(above) => above
            .layers(&spec.scratch, &spec.scratch)
            .map_err(|error| Failed { step: error.to_string(), source: error.source })?,
    };
    Ok((door, layers))
}

/// Creates the container, and gives its id.
fn container(
    daemon: &Daemon,
    spec: &SandboxSpec,
    making: &Making<'_>,
    home: &Path,
) -> Result<String, EngineError> {
    let unique = home.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("infranoise-{}-{unique}", spec.id);
    let options = CreateContainerOptionsBuilder::default().name(&name).build();
    let created =
        daemon.plain(async |client| client.create_container(Some(options), body(spec, making)).await);
    match created {
        Ok(created) => Ok(created.id),
        Err(error) => Err(refused(daemon, spec, "create the container", &error)),
    }
}

fn started(daemon: &Daemon, spec: &SandboxSpec, id: &str) -> Result<(), EngineError> {
    let started = daemon.plain(async |client| client.start_container(id, None).await);
    started.map_err(|error| refused(daemon, spec, "start the container", &error))
}

/// What a daemon answers is about this sandbox; that it does not answer is not.
fn refused(daemon: &Daemon, spec: &SandboxSpec, step: &str, error: &Error) -> EngineError {
    match error {
        Error::DockerResponseServerError { message, .. } => {
            let full = message.contains("no space left");
            let kind = if full { io::ErrorKind::StorageFull } else { io::ErrorKind::Other };
            start_error(spec, Failed { step: step.to_owned(), source: io::Error::new(kind, whole(error)) })
        }
        other => daemon_error(daemon.flavour, step, other),
    }
}

/// Why the supervisor of this container will not call any more.
fn over(daemon: &Daemon, id: &str, clock: Clock) -> Option<io::Error> {
    if clock.ms() > PATIENCE_MS {
        return Some(io::ErrorKind::TimedOut.into());
    }
    let state = match daemon.plain(async |client| client.inspect_container(id, None).await) {
        Ok(found) => found.state?,
        Err(error) => return Some(io::Error::other(whole(&error))),
    };
    if state.running == Some(true) {
        return None;
    }
    let (code, error) = (state.exit_code.unwrap_or_default(), state.error.unwrap_or_default());
    Some(io::Error::other(format!("the container ended with {code} {error}").trim().to_owned()))
}

/// Removes the container with its volumes. One that is gone is removed.
pub(super) fn removal(daemon: &Shared, id: &str) -> Farewell {
    let (daemon, id) = (Shared::clone(daemon), id.to_owned());
    Box::new(move || remove(&daemon, &id).is_ok())
}

pub(super) fn remove(daemon: &Daemon, id: &str) -> io::Result<()> {
    let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
    match daemon.plain(async |client| client.remove_container(id, Some(options)).await) {
        // 409: somebody else is removing it.
        Ok(()) | Err(Error::DockerResponseServerError { status_code: 404 | 409, .. }) => Ok(()),
        Err(error) => Err(io::Error::other(whole(&error))),
    }
}

/// What control groups do not know.
fn amend(
    engine: &DockerEngine,
    spec: &SandboxSpec,
    making: &Making<'_>,
    enforcement: &mut infranoise_core::Enforcement,
) {
    let storage = &engine.parts.daemon.said.storage;
    enforcement.storage_ceiling = match spec.allocation.storage {
        Ceiling::Uncapped => Held::NotAsked,
        Ceiling::At(bytes) if making.storage_quota => {
            Held::BestEffort { knob: format!("storage-opt size ({storage})"), value: bytes.0.to_string() }
        }
        Ceiling::At(_) => Held::NotAtAll { why: engine.no_quota() },
    };
    let gaps = &mut enforcement.gaps;
    if spec.visible == Visible::Limits {
        gaps.push("what is seen: container engines show the host's size, not the limits".to_owned());
    }
    if making.cgroup_parent.is_none() {
        let driver = &engine.parts.daemon.said.cgroup_driver;
        gaps.push(format!(
            "CPU floor: with the control group driver `{driver}` trials are weighed against all other containers too"
        ));
    }
}
