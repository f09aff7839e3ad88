//! Which files are sampled for a trial, by controller and version.

use std::path::{Path, PathBuf};

use infranoise_core::Observed;

use crate::cgroup::{Controller, TrialGroup, Version, parse};

use crate::storage::{Gauge, Volume};

use super::kept::Kept;
use super::stat::{self, MemoryStat};

/// The open files of one trial. Opening them costs about as much as one sample by name would each time.
#[derive(Debug)]
pub struct Sources {
    pub(super) memory: Kept<u64>,
    pub(super) memory_peak: Kept<u64>,
    pub(super) memory_stat: Kept<MemoryStat>,
    /// Version 1 alone: the kernel's memory, which its `memory.stat` leaves out.
    pub(super) kernel_memory: Kept<u64>,
    pub(super) cpu: Kept<u64>,
    pub(super) throttled: Kept<u64>,
    pub(super) cpu_some: Kept<u64>,
    pub(super) memory_full: Kept<u64>,
    pub(super) io_some: Kept<u64>,
    pub(super) pids: Kept<u64>,
    pub(super) pids_peak: Kept<u64>,
    pub(super) disk: Kept<(u64, u64)>,
    pub(super) network: Kept<(u64, u64)>,
    pub(super) space: Space,
}

impl Sources {
    /// Opens the files of a trial's work: everything but its supervisor.
    #[must_use]
    pub fn of(trial: &TrialGroup) -> Self {
        let at = |controller| trial.work_dir(controller);
        let pressure = |file: &str, parse| match trial.work_v2_dir() {
            Some(dir) => Kept::open(&dir.join(file), parse),
            None => Kept::missing("without a cgroup v2 tree there is no pressure of a group"),
        };
        let file = |controller: Controller, v1: &str, v2: &str| {
            at(controller).map(|(version, dir)| name(version, dir, v1, v2))
        };
        Self {
            memory: number(file(Controller::Memory, "memory.usage_in_bytes", "memory.current")),
            memory_peak: number(file(Controller::Memory, "memory.max_usage_in_bytes", "memory.peak")),
            memory_stat: match at(Controller::Memory) {
                Some((Version::V1, dir)) => Kept::open(&dir.join("memory.stat"), stat::memory_v1),
                Some((Version::V2, dir)) => Kept::open(&dir.join("memory.stat"), stat::memory_v2),
                None => Kept::missing(NO_CONTROLLER),
            },
            kernel_memory: match at(Controller::Memory) {
                Some((Version::V1, dir)) => {
                    Kept::open(&dir.join("memory.kmem.usage_in_bytes"), parse::number)
                }
                Some((Version::V2, _)) | None => Kept::missing("in memory.stat"),
            },
            cpu: match at(Controller::CpuTime) {
                Some((Version::V1, dir)) => {
                    Kept::open(&dir.join("cpuacct.usage"), |text| parse::number(text).map(|ns| ns / 1000))
                }
                Some((Version::V2, dir)) => {
                    Kept::open(&dir.join("cpu.stat"), |text| parse::keyed(text, "usage_usec"))
                }
                None => Kept::missing(NO_CONTROLLER),
            },
            throttled: match at(Controller::Cpu) {
                Some((Version::V1, dir)) => Kept::open(&dir.join("cpu.stat"), |text| {
                    parse::keyed(text, "throttled_time").map(|ns| ns / 1000)
                }),
                Some((Version::V2, dir)) => {
                    Kept::open(&dir.join("cpu.stat"), |text| parse::keyed(text, "throttled_usec"))
                }
                None => Kept::missing(NO_CONTROLLER),
            },
            cpu_some: pressure("cpu.pressure", stat::some),
            memory_full: pressure("memory.pressure", stat::full),
            io_some: pressure("io.pressure", stat::some),
            pids: number(file(Controller::Pids, "pids.current", "pids.current")),
            pids_peak: number(file(Controller::Pids, "pids.peak", "pids.peak")),
            disk: match trial.disk_dir() {
                Some((Version::V1, dir)) => Kept::open(&dir.join(parse::BLKIO), parse::blkio_bytes),
                Some((Version::V2, dir)) => {
                    Kept::open(&dir.join(parse::IO), |text| Some(parse::io_bytes(text)))
                }
                None => Kept::missing(NO_CONTROLLER),
            },
            network: Kept::missing("the trial has no network of its own"),
            space: Space(None),
        }
    }

    /// Reads the use of a trial's own file system, if it has one.
    #[must_use]
    pub(crate) fn with_space_of(mut self, volume: Option<&Volume>) -> Self {
        self.space = Space(volume.and_then(|volume| volume.gauge().ok()));
        self
    }

    /// Counts the network of the namespace that a process is in; only for a namespace of the trial's own. It goes on counting after
    /// that process has ended.
    #[must_use]
    pub fn with_network_of(mut self, pid: i32) -> Self {
        let path = PathBuf::from(format!("/proc/{pid}/net/dev"));
        self.network = Kept::open(&path, stat::network);
        self
    }
}

/// The trial's own file system, if it has one.
#[derive(Debug)]
pub(super) struct Space(Option<Gauge>);

impl Space {
    /// Bytes in use.
    pub fn read(&self) -> Option<u64> {
        self.0.as_ref()?.used_bytes()
    }

    pub fn observed(&self, reading: Option<u64>) -> Observed<u64> {
        match (reading, &self.0) {
            (Some(bytes), _) => Observed::Observed(bytes),
            (None, None) => Observed::Unsupported(
                "without a storage ceiling the trial has no space of its own".to_owned(),
            ),
            (None, Some(_)) => Observed::Unavailable("it could not be read".to_owned()),
        }
    }
}

const NO_CONTROLLER: &str = "this host has no usable controller for it";

fn name(version: Version, dir: &Path, v1: &str, v2: &str) -> PathBuf {
    dir.join(match version {
        Version::V1 => v1,
        Version::V2 => v2,
    })
}

fn number(path: Option<PathBuf>) -> Kept<u64> {
    match path {
        Some(path) => Kept::open(&path, parse::number),
        None => Kept::missing(NO_CONTROLLER),
    }
}
