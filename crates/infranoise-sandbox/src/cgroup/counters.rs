//! What the kernel counts for a group, under one set of names for both versions. Readings that a version does not have say so.

use std::path::Path;

use infranoise_core::{Bytes, Observed};

use super::group::{Group, Part};
use super::hierarchy::{Controller, Version};
use super::oom::OomReading;
use super::{blkio_v1, core_v2, cpu_v1, cpu_v2, io_v2, knob, memory_v1, memory_v2, pids};

/// What the kernel counted for one group and what is below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafCounters {
    /// The kernel's peak, page cache included.
    pub memory_peak: Observed<Bytes>,
    /// Memory now, page cache included.
    pub memory_current: Observed<Bytes>,
    /// Processes that the out-of-memory killer ended here.
    pub oom_kill: Observed<u64>,
    /// How often it ended a whole group (version 2, Linux 5.17).
    pub oom_group_kill: Observed<u64>,
    /// How often this group's own limit ended in a kill (version 2): above 0 only where the limit is.
    pub oom: Observed<u64>,
    /// Whether tasks wait for memory now, since the killer is off (version 1).
    pub under_oom: Observed<bool>,
    /// Forks that the pids ceiling refused. Since Linux 6.11 version 2 counts those of a trial and not of a command: then it is what
    /// was refused in the whole trial since this command's group was made.
    pub pids_refused: Observed<u64>,
    /// The most processes and threads at once; where a fork was refused further up, one too many.
    pub pids_peak: Observed<u64>,
    /// CPU time used, in microseconds.
    pub cpu_us: Observed<u64>,
}

/// What the kernel counted for a trial without its supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialCounters {
    /// What is counted for every group.
    pub all: LeafCounters,
    /// How often an allocation met the ceiling. Rises from mere reclaim too: it proves no kill, but 0 disproves one.
    pub limit_hits: Observed<u64>,
    /// How often memory below the floor was taken away (version 2).
    pub floor_breaches: Observed<u64>,
    /// Time during which the CPU ceiling held the trial back, in microseconds.
    pub throttled_us: Observed<u64>,
    /// Bytes read from and written to disks, the supervisor's included on version 1.
    pub disk_bytes: Observed<(u64, u64)>,
}

fn missing<T>(controller: &str) -> Observed<T> {
    Observed::Unsupported(format!("this host has no usable `{controller}` controller"))
}

fn only_v2<T>() -> Observed<T> {
    Observed::Unsupported("cgroup v1 does not count it".to_owned())
}

/// The kills alone.
pub(crate) fn oom_kills(group: &Group) -> Observed<u64> {
    match group.part(Controller::Memory) {
        Some(Part { version: Version::V1, dir, .. }) => memory_v1::oom_kills(dir),
        Some(Part { version: Version::V2, dir, .. }) => memory_v2::event(dir, "oom_kill"),
        None => missing("memory"),
    }
}

/// The counters of a command's group.
pub(crate) fn leaf(group: &Group) -> LeafCounters {
    let pids = group.part(Controller::Pids).map(|part| part.dir.as_path());
    let mut read = LeafCounters {
        memory_peak: missing("memory"),
        memory_current: missing("memory"),
        oom_kill: missing("memory"),
        oom_group_kill: missing("memory"),
        oom: missing("memory"),
        under_oom: missing("memory"),
        pids_refused: pids.map_or_else(|| missing("pids"), pids::refused),
        pids_peak: pids.map_or_else(|| missing("pids"), pids::peak),
        cpu_us: cpu_us(group),
    };
    match group.part(Controller::Memory) {
        Some(Part { version: Version::V1, dir, .. }) => {
            read.memory_peak = memory_v1::peak(dir);
            read.memory_current = memory_v1::current(dir);
            read.oom_kill = memory_v1::oom_kills(dir);
            read.oom_group_kill = only_v2();
            read.oom = only_v2();
            read.under_oom = memory_v1::under_oom(dir);
        }
        Some(Part { version: Version::V2, dir, .. }) => {
            read.memory_peak = memory_v2::peak(dir);
            read.memory_current = memory_v2::current(dir);
            read.oom_kill = memory_v2::event(dir, "oom_kill");
            read.oom_group_kill = memory_v2::event(dir, "oom_group_kill");
            read.oom = memory_v2::local_event(dir, "oom");
            read.under_oom = Observed::Unsupported("cgroup v2 lets no task wait for the killer".to_owned());
        }
        None => {}
    }
    read
}

fn cpu_us(group: &Group) -> Observed<u64> {
    match group.part(Controller::CpuTime) {
        Some(Part { version: Version::V1, dir, .. }) => cpu_v1::used_us(dir),
        Some(Part { version: Version::V2, dir, .. }) => core_v2::cpu_us(dir),
        None => missing("cpuacct"),
    }
}

/// The counters of a trial's work.
pub(crate) fn trial(work: &Group) -> TrialCounters {
    let limit_hits = match work.part(Controller::Memory) {
        Some(Part { version: Version::V1, dir, .. }) => memory_v1::limit_hits(dir),
        Some(Part { version: Version::V2, dir, .. }) => memory_v2::local_event(dir, "max"),
        None => missing("memory"),
    };
    TrialCounters {
        all: leaf(work),
        limit_hits,
        floor_breaches: floor_breaches(work),
        throttled_us: throttled_us(work),
        disk_bytes: disk_bytes(work),
    }
}

/// How often memory below the floor was taken away.
pub(crate) fn floor_breaches(work: &Group) -> Observed<u64> {
    match work.part(Controller::Memory) {
        Some(Part { version: Version::V1, .. }) => only_v2(),
        Some(Part { version: Version::V2, dir, .. }) => memory_v2::event(dir, "low"),
        None => missing("memory"),
    }
}

/// Time during which the CPU ceiling held the trial back.
pub(crate) fn throttled_us(work: &Group) -> Observed<u64> {
    match work.part(Controller::Cpu) {
        Some(Part { version: Version::V1, dir, .. }) => cpu_v1::throttled_us(dir),
        Some(Part { version: Version::V2, dir, .. }) => cpu_v2::throttled_us(dir),
        None => missing("cpu"),
    }
}

/// On version 1 the tree of `blkio` has one group for the whole trial.
fn disk_bytes(work: &Group) -> Observed<(u64, u64)> {
    let Some(index) = work.at.get(Controller::Io) else { return missing("blkio") };
    let part = &work.parts[index];
    match part.version {
        Version::V1 => knob::observe(&part.dir, blkio_v1::FILE, blkio_v1::bytes),
        Version::V2 => knob::observe(&part.dir, io_v2::FILE, |text| Some(io_v2::bytes(text))),
    }
}

/// What the counters say of out-of-memory kills in `victims`, a group of `work` or all of it.
pub(crate) fn oom(work: &Group, victims: &Group) -> OomReading {
    let (work, victims) = (work.part(Controller::Memory), victims.part(Controller::Memory));
    match (work, victims) {
        (Some(work), Some(victims)) if work.version == Version::V1 => OomReading {
            kills: memory_v1::oom_kills(&victims.dir),
            at_own_limit: only_v2(),
            limit_hits: memory_v1::limit_hits(&work.dir),
            peak: memory_v1::peak(&work.dir),
        },
        (Some(work), Some(victims)) => OomReading {
            kills: memory_v2::event(&victims.dir, "oom_kill"),
            at_own_limit: memory_v2::local_event(&work.dir, "oom"),
            limit_hits: memory_v2::local_event(&work.dir, "max"),
            peak: memory_v2::peak(&work.dir),
        },
        _ => OomReading {
            kills: missing("memory"),
            at_own_limit: missing("memory"),
            limit_hits: missing("memory"),
            peak: missing("memory"),
        },
    }
}

/// Forks refused in a trial since a command's group was made.
pub(crate) fn refused_meanwhile(work: &Path, before: u64) -> Observed<u64> {
    pids::refused(work).map(|now| now.saturating_sub(before))
}
