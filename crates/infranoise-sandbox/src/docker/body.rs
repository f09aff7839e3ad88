//! What the daemon is asked to make of a sandbox's specification: a pure function.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigLogConfig, Mount, MountType, MountVolumeOptions,
    MountVolumeOptionsDriverConfig, ResourcesUlimits,
};
use infranoise_core::{Bytes, Ceiling, MilliCpu};

use super::flavour::{Flavour, Layering};
use crate::cgroup::quota_us;
use crate::contract::{Network, OverlayKind, SandboxSpec};
use crate::launcher::plan::Layer;

/// Where a container finds its supervisor and the socket that it calls at.
pub(super) const DOOR: &str = "/.infranoise";
/// The supervisor's file there.
pub(super) const SUPERVISOR: &str = "supervisor";
/// The socket there.
pub(super) const SOCKET: &str = "control";

/// The supervisor is a process of the container too.
pub(super) const EXTRA_PIDS: u32 = 1;

/// The labels of everything that is made.
pub(super) const SWEEP: &str = "infranoise.sweep";
pub(super) const SANDBOX: &str = "infranoise.sandbox";
pub(super) const ENGINE: &str = "infranoise.engine";
pub(super) const HOME: &str = "infranoise.home";

/// The limits on processes that a service may raise by itself.
#[derive(Debug)]
pub(super) struct Ulimit {
    pub(super) name: &'static str,
    pub(super) soft: i64,
    pub(super) hard: i64,
}

/// Everything besides the specification that a container is made of.
pub(super) struct Making<'m> {
    pub(super) flavour: Flavour,
    pub(super) image: &'m str,
    /// The engine's folder, by whose lock it is known to live.
    pub(super) home: &'m Path,
    /// The folder of the supervisor and the socket.
    pub(super) door: &'m Path,
    /// What is laid over the image as layers of the host's folders.
    pub(super) layers: &'m [Layer],
    pub(super) cgroup_parent: Option<String>,
    pub(super) host_has_swap: bool,
    pub(super) ulimits: &'m [Ulimit],
    pub(super) storage_quota: bool,
    pub(super) hostname: String,
}

pub(super) fn body(spec: &SandboxSpec, making: &Making<'_>) -> ContainerCreateBody {
    let labels = [
        (SWEEP, spec.sweep.to_string()),
        (SANDBOX, spec.id.to_string()),
        (ENGINE, making.flavour.name().to_owned()),
        (HOME, making.home.to_string_lossy().into_owned()),
    ];
    let door = Path::new(DOOR);
    let path = |name: &str| door.join(name).to_string_lossy().into_owned();
    ContainerCreateBody {
        image: Some(making.image.to_owned()),
        hostname: (spec.network != Network::Host).then(|| making.hostname.clone()),
        user: Some("0:0".to_owned()),
        entrypoint: Some(vec![path(SUPERVISOR), path(SOCKET)]),
        cmd: Some(Vec::new()),
        working_dir: Some("/".to_owned()),
        tty: Some(false),
        labels: Some(labels.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()),
        healthcheck: Some(bollard::models::HealthConfig {
            test: Some(vec!["NONE".to_owned()]),
            ..Default::default()
        }),
        host_config: Some(host_config(spec, making)),
        ..Default::default()
    }
}

fn host_config(spec: &SandboxSpec, making: &Making<'_>) -> HostConfig {
    let (memory, cpu) = (spec.allocation.memory, spec.allocation.cpu);
    let quota = cpu.ceiling().amount().map(quota_us);
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let ceiling = memory.ceiling().amount().map(|bytes| number(bytes.0));
    HostConfig {
        memory: ceiling,
        // Equal to the memory where there is swap; without swap it would only keep the kernel from counting.
        memory_swap: ceiling.map(|bytes| if making.host_has_swap { bytes } else { -1 }),
        memory_reservation: (memory.floor() > Bytes(0)).then(|| number(memory.floor().0)),
        cpu_period: quota.map(|(_, period)| number(period)),
        cpu_quota: quota.map(|(quota, _)| number(quota)),
        cpu_shares: (cpu.floor() > MilliCpu(0)).then(|| shares(cpu.floor())),
        pids_limit: match spec.allocation.pids {
            Ceiling::At(most) => Some(i64::from(most) + i64::from(EXTRA_PIDS)),
            Ceiling::Uncapped => Some(-1),
        },
        storage_opt: match spec.allocation.storage {
            Ceiling::At(bytes) if making.storage_quota => {
                Some(HashMap::from([("size".to_owned(), bytes.0.to_string())]))
            }
            Ceiling::At(_) | Ceiling::Uncapped => None,
        },
        cgroup_parent: making.cgroup_parent.clone(),
        // A list of what is allowed was refused before.
        network_mode: Some(match spec.network {
            Network::None | Network::Bridge(_) => "none".to_owned(),
            Network::Host => "host".to_owned(),
        }),
        binds: Some(binds(spec, making)),
        mounts: Some(volumes(making)),
        ulimits: Some(making.ulimits.iter().map(ulimit).collect()),
        log_config: Some(HostConfigLogConfig { typ: Some("none".to_owned()), config: None }),
        ..Default::default()
    }
}

/// As on version 1 everywhere: what a runtime makes of it on version 2 is read back.
fn shares(floor: MilliCpu) -> i64 {
    (i64::from(floor.0) * 1024 / 1000).clamp(2, 262_144)
}

fn ulimit(limit: &Ulimit) -> ResourcesUlimits {
    ResourcesUlimits { name: Some(limit.name.to_owned()), soft: Some(limit.soft), hard: Some(limit.hard) }
}

fn binds(spec: &SandboxSpec, making: &Making<'_>) -> Vec<String> {
    let bind = |from: &Path, to: &Path, how: &str| format!("{}:{}:{how}", from.display(), to.display());
    let mut all = vec![bind(making.door, Path::new(DOOR), "ro")];
    all.extend(spec.overlays.iter().filter_map(|overlay| match overlay.how {
        OverlayKind::Copy => None,
        OverlayKind::BindReadOnly => Some(bind(&overlay.from, &overlay.to, "ro")),
        OverlayKind::BindWritable => Some(bind(&overlay.from, &overlay.to, "rw")),
    }));
    if making.flavour.habits().layering == Layering::OverlayBind {
        all.extend(making.layers.iter().map(|layer| bind(&layer.lower, &place(layer), "O")));
    }
    all
}

fn place(layer: &Layer) -> PathBuf {
    Path::new("/").join(&layer.at)
}

fn volumes(making: &Making<'_>) -> Vec<Mount> {
    if making.flavour.habits().layering != Layering::OverlayVolume {
        return Vec::new();
    }
    let volume = |layer: &Layer| {
        let shown = |path: &Path| path.display().to_string();
        let (lower, upper, work) = (shown(&layer.lower), shown(&layer.upper), shown(&layer.work));
        let options = [
            ("type", "overlay".to_owned()),
            ("device", "overlay".to_owned()),
            ("o", format!("lowerdir={lower},upperdir={upper},workdir={work}")),
        ];
        let options = options.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        Mount {
            typ: Some(MountType::VOLUME),
            target: Some(shown(&place(layer))),
            volume_options: Some(MountVolumeOptions {
                no_copy: Some(true),
                driver_config: Some(MountVolumeOptionsDriverConfig {
                    name: Some("local".to_owned()),
                    options: Some(options),
                }),
                ..Default::default()
            }),
            ..Default::default()
        }
    };
    making.layers.iter().map(volume).collect()
}
