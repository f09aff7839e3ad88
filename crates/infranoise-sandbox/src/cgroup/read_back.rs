//! What a container engine made of a trial's bands, as the kernel says it.

use std::io;
use std::path::Path;

use infranoise_core::{Bytes, Ceiling, Enforcement, Held, MilliCpu};

use super::container::Container;
use super::cpu_quota::quota_us;
use super::create::gaps;
use super::group::{Group, Part};
use super::hierarchy::{Controller, Version};
use super::place::Cgroups;
use super::{knob, memory_v1, memory_v2};

/// Limits are rounded down to pages, which are at most this large.
const PAGE_BYTES: u64 = 64 << 10;

impl Cgroups {
    /// Reads every limit back, and sets what container engines cannot set: what dies when memory runs over.
    pub(super) fn read_back(&self, bounds: &Group, work: &Group, container: &Container<'_>) -> Enforcement {
        let asked = container.allocation;
        let mut done = Enforcement::nothing("this host has no controller for it");
        if let Some(Part { version, dir, .. }) = bounds.part(Controller::Memory) {
            let (limit, floor) = match version {
                Version::V1 => ("memory.limit_in_bytes", "memory.soft_limit_in_bytes"),
                Version::V2 => ("memory.max", "memory.low"),
            };
            done.memory_ceiling = memory(dir, limit, asked.memory.ceiling());
            done.swap_closed = swap(*version, dir, self.swap, asked.memory.ceiling());
            done.memory_floor = match asked.memory.floor() {
                Bytes(0) => Held::NotAsked,
                _ => best_effort(dir, floor),
            };
            (done.kill_scope, done.kill_scope_held) = match (version, work.part(Controller::Memory)) {
                (Version::V2, Some(work)) => memory_v2::kill_scope(&work.dir, container.scope),
                _ => memory_v1::kill_scope(dir, container.scope),
            };
        }
        if let Some(Part { version, dir, .. }) = bounds.part(Controller::Cpu) {
            done.cpu_ceiling = cpu(*version, dir, asked.cpu.ceiling());
            done.cpu_floor = match (asked.cpu.floor(), version) {
                (MilliCpu(0), _) => Held::NotAsked,
                (_, Version::V1) => best_effort(dir, "cpu.shares"),
                (_, Version::V2) => best_effort(dir, "cpu.weight"),
            };
        }
        if let Some(part) = bounds.part(Controller::Pids) {
            done.pids_ceiling = match asked.pids {
                Ceiling::Uncapped => Held::NotAsked,
                Ceiling::At(most) => {
                    let expected = u64::from(most) + u64::from(container.extra_pids);
                    compare(&part.dir, "pids.max", |read| knob::number(read) == Some(expected), "pids")
                }
            };
        }
        done.storage_ceiling = match asked.storage {
            Ceiling::At(_) => Held::NotAtAll { why: "control groups do not limit disk space".to_owned() },
            Ceiling::Uncapped => Held::NotAsked,
        };
        done.disk_rate = Held::NotAsked;
        done.gaps = gaps(&done, container.scope);
        done
    }
}

/// A limit that says what was asked for is held; one that says something else is not.
fn compare(dir: &Path, knob: &str, as_asked: impl FnOnce(&str) -> bool, what: &str) -> Held {
    match knob::read(dir, knob) {
        Ok(text) if as_asked(&text) => {
            Held::ByKernel { knob: knob.to_owned(), value: text.trim().replace(' ', " of ") }
        }
        Ok(text) => Held::NotAtAll {
            why: format!(
                "the container engine left {knob} at {}, which is not the {what} that was asked for",
                text.trim()
            ),
        },
        Err(error) => unread(knob, &error),
    }
}

fn unread(knob: &str, error: &io::Error) -> Held {
    Held::NotKnown { why: format!("{knob} could not be read back: {error}") }
}

fn memory(dir: &Path, knob: &str, ceiling: Ceiling<Bytes>) -> Held {
    let Ceiling::At(bytes) = ceiling else { return Held::NotAsked };
    let close =
        |read: &str| knob::number(read).is_some_and(|read| read <= bytes.0 && bytes.0 - read < PAGE_BYTES);
    compare(dir, knob, close, "memory ceiling")
}

fn cpu(version: Version, dir: &Path, ceiling: Ceiling<MilliCpu>) -> Held {
    let Ceiling::At(cpu) = ceiling else { return Held::NotAsked };
    let (quota, period) = quota_us(cpu);
    match version {
        Version::V2 => {
            compare(dir, "cpu.max", |read| read.trim() == format!("{quota} {period}"), "CPU ceiling")
        }
        Version::V1 => {
            let held =
                compare(dir, "cpu.cfs_quota_us", |read| knob::number(read) == Some(quota), "CPU ceiling");
            match (held, knob::read(dir, "cpu.cfs_period_us")) {
                (Held::ByKernel { knob, value }, Ok(read)) => {
                    Held::ByKernel { knob, value: format!("{value} of {}", read.trim()) }
                }
                (held, _) => held,
            }
        }
    }
}

fn best_effort(dir: &Path, knob: &str) -> Held {
    match knob::read(dir, knob) {
        Ok(text) => Held::BestEffort { knob: knob.to_owned(), value: text.trim().to_owned() },
        Err(error) => unread(knob, &error),
    }
}

/// Swap is closed where the host has none, or where memory with swap has the ceiling of memory alone.
fn swap(version: Version, dir: &Path, host_has_swap: bool, ceiling: Ceiling<Bytes>) -> Held {
    if !host_has_swap {
        return Held::ByKernel { knob: "SwapTotal of /proc/meminfo".to_owned(), value: "0 kB".to_owned() };
    }
    match version {
        Version::V2 => memory_v2::close_swap(dir, host_has_swap),
        Version::V1 => {
            let knob = "memory.memsw.limit_in_bytes";
            match ceiling {
                Ceiling::At(bytes) => memory(dir, knob, Ceiling::At(bytes)),
                Ceiling::Uncapped => memory_v1::close_swap(dir, ceiling, host_has_swap),
            }
        }
    }
}
