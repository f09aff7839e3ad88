//! Memory on version 1: a ceiling, no floor, a killer that can be switched off.

use std::io;
use std::path::Path;

use infranoise_core::{Bytes, Ceiling, Held, KillScope, Observed};

use super::group;
use super::knob;

/// Counts the memory of child groups in their parents (always so since Linux 5.11).
pub(crate) fn nest(ours: &Path) -> io::Result<()> {
    if knob::read(ours, "memory.use_hierarchy")?.trim() == "1" {
        return Ok(());
    }
    knob::write(ours, "memory.use_hierarchy", "1")
}

/// Sets the ceiling.
pub(crate) fn ceiling(work: &Path, ceiling: Ceiling<Bytes>) -> Held {
    let Ceiling::At(bytes) = ceiling else { return Held::NotAsked };
    let knob = "memory.limit_in_bytes";
    knob::held_by_kernel(knob, knob::set(work, knob, &bytes.0.to_string()))
}

/// Closes swap, after the ceiling was set. Where a host has no swap nothing is written: with `memsw` equal to the limit the kernel
/// no longer counts in `memory.failcnt` that the limit was hit.
pub(crate) fn close_swap(work: &Path, ceiling: Ceiling<Bytes>, host_has_swap: bool) -> Held {
    if !host_has_swap {
        return Held::ByKernel { knob: "SwapTotal of /proc/meminfo".to_owned(), value: "0 kB".to_owned() };
    }
    let (knob, soft) = ("memory.memsw.limit_in_bytes", "memory.swappiness");
    if let Ceiling::At(bytes) = ceiling
        && let Ok(value) = knob::set(work, knob, &bytes.0.to_string())
    {
        return Held::ByKernel { knob: knob.to_owned(), value };
    }
    match knob::set(work, soft, "0") {
        Ok(value) => Held::BestEffort { knob: soft.to_owned(), value },
        Err(error) => knob::not_held(soft, &error),
    }
}

/// Version 1 has no floor: what keeps the promise is that the scheduler admits no more floors than the host has memory.
pub(crate) fn floor(floor: Bytes) -> Held {
    if floor == Bytes(0) {
        return Held::NotAsked;
    }
    Held::BestEffort {
        knob: "admission (cgroup v1 has no memory floor)".to_owned(),
        value: floor.0.to_string(),
    }
}

/// Switches the kernel's killer off where more than one process is to die: tasks that ask for more then wait, and we kill.
pub(crate) fn kill_scope(work: &Path, scope: KillScope) -> (KillScope, Held) {
    let knob = "memory.oom_control";
    let disable = match scope {
        KillScope::Process => "0",
        KillScope::Exec | KillScope::Trial => "1",
    };
    let set = knob::write(work, knob, disable).and_then(|()| knob::read(work, knob));
    let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
    match set.map(first) {
        Ok(value) if scope == KillScope::Process => (scope, Held::ByKernel { knob: knob.to_owned(), value }),
        Ok(value) => {
            let value = format!("{value}; the processes wait, infranoise ends them");
            (scope, Held::BestEffort { knob: knob.to_owned(), value })
        }
        Err(error) => (KillScope::Process, knob::not_held(knob, &error)),
    }
}

/// The kernel's peak.
pub(crate) fn peak(dir: &Path) -> Observed<Bytes> {
    knob::observe(dir, "memory.max_usage_in_bytes", knob::number).map(Bytes)
}

/// Memory now, page cache included.
pub(crate) fn current(dir: &Path) -> Observed<Bytes> {
    knob::observe(dir, "memory.usage_in_bytes", knob::number).map(Bytes)
}

/// Processes that the killer ended in a group and below it: the counter itself is local to the victim's group.
pub(crate) fn oom_kills(dir: &Path) -> Observed<u64> {
    let one = |dir: &Path| knob::observe(dir, "memory.oom_control", |text| knob::keyed(text, "oom_kill"));
    match group::subtree(dir) {
        Ok(dirs) => dirs.iter().map(|dir| one(dir)).reduce(knob::sum).unwrap_or_default(),
        Err(error) => Observed::Unavailable(error.to_string()),
    }
}

/// Whether tasks of this group wait for memory now, because a limit here or above is reached and the killer is off.
pub(crate) fn under_oom(dir: &Path) -> Observed<bool> {
    knob::observe(dir, "memory.oom_control", |text| knob::keyed(text, "under_oom")).map(|now| now == 1)
}

/// How often an allocation met the limit; rises from mere reclaim too, so it proves no kill, but 0 disproves one.
pub(crate) fn limit_hits(dir: &Path) -> Observed<u64> {
    knob::observe(dir, "memory.failcnt", knob::number)
}
