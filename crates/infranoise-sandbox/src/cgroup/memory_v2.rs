//! Memory on version 2: ceiling, floor, group kill, and events that tell whose limit it was.

use std::io;
use std::path::Path;

use infranoise_core::{Bytes, Ceiling, Held, KillScope, Observed};

use super::group;
use super::knob;

/// Lets a floor that is set further down count here: a child is never protected more than its parents.
pub(crate) fn pass_floor(dir: &Path) -> io::Result<()> {
    knob::write(dir, "memory.min", "max")
}

/// Sets the ceiling. Never `memory.high`: it turns a kill into a time-out.
pub(crate) fn ceiling(work: &Path, ceiling: Ceiling<Bytes>) -> Held {
    let Ceiling::At(bytes) = ceiling else { return Held::NotAsked };
    knob::held_by_kernel("memory.max", knob::set(work, "memory.max", &bytes.0.to_string()))
}

/// Closes swap, capped or not: an arm that swaps is another experiment.
pub(crate) fn close_swap(work: &Path, host_has_swap: bool) -> Held {
    match knob::set(work, "memory.swap.max", "0") {
        Ok(value) => Held::ByKernel { knob: "memory.swap.max".to_owned(), value },
        Err(_) if !host_has_swap => {
            Held::ByKernel { knob: "SwapTotal of /proc/meminfo".to_owned(), value: "0 kB".to_owned() }
        }
        Err(error) => knob::not_held("memory.swap.max", &error),
    }
}

/// Sets the floor: `memory.min`, which is never reclaimed, or `memory.low` where that is refused. A kernel without the mount option
/// `memory_recursiveprot` protects only the group itself, so that the groups below need [`pass_floor`] too.
pub(crate) fn floor(work: &Path, floor: Bytes) -> Held {
    if floor == Bytes(0) {
        return Held::NotAsked;
    }
    let bytes = floor.0.to_string();
    let hard = match knob::set(work, "memory.min", &bytes) {
        Ok(value) => Held::ByKernel { knob: "memory.min".to_owned(), value },
        Err(error) => match knob::set(work, "memory.low", &bytes) {
            Ok(value) => return Held::BestEffort { knob: "memory.low".to_owned(), value },
            Err(_) => return knob::not_held("memory.min", &error),
        },
    };
    match weaker_ancestor(work, floor) {
        None => hard,
        Some((dir, value)) => Held::BestEffort {
            knob: "memory.min".to_owned(),
            value: format!("{bytes}, but `{dir}` above it has only {value}"),
        },
    }
}

/// A group above that protects less: the floor is then worth no more than that.
fn weaker_ancestor(work: &Path, floor: Bytes) -> Option<(String, String)> {
    work.ancestors().skip(1).take_while(|dir| dir.join("cgroup.procs").exists()).find_map(|dir| {
        let text = knob::read(dir, "memory.min").ok()?;
        let enough = text.trim() == "max" || knob::number(&text).is_some_and(|bytes| bytes >= floor.0);
        (!enough).then(|| (dir.display().to_string(), text.trim().to_owned()))
    })
}

/// Says what dies when memory runs over.
pub(crate) fn kill_scope(work: &Path, scope: KillScope) -> (KillScope, Held) {
    let knob = "memory.oom.group";
    let whole = if scope == KillScope::Trial { "1" } else { "0" };
    match knob::set(work, knob, whole) {
        Ok(_) if scope == KillScope::Exec => {
            let knob = format!("{knob} (of each command's group)");
            (scope, Held::ByKernel { knob, value: "1".to_owned() })
        }
        Ok(value) => (scope, Held::ByKernel { knob: knob.to_owned(), value }),
        Err(error) => (KillScope::Process, knob::not_held(knob, &error)),
    }
}

/// Makes the killer take a whole command.
pub(crate) fn kill_together(leaf: &Path) -> io::Result<()> {
    knob::write(leaf, "memory.oom.group", "1")
}

/// The kernel's peak (Linux 5.19).
pub(crate) fn peak(dir: &Path) -> Observed<Bytes> {
    knob::observe(dir, "memory.peak", knob::number).map(Bytes)
}

/// Memory now, page cache included.
pub(crate) fn current(dir: &Path) -> Observed<Bytes> {
    knob::observe(dir, "memory.current", knob::number).map(Bytes)
}

/// A counter of `memory.events`, which counts a group and all below it.
pub(crate) fn event(dir: &Path, key: &str) -> Observed<u64> {
    knob::observe(dir, "memory.events", |text| knob::keyed(text, key))
}

/// A counter of this group alone (Linux 5.2); of a group without children also on older kernels.
pub(crate) fn local_event(dir: &Path, key: &str) -> Observed<u64> {
    let local = knob::observe(dir, "memory.events.local", |text| knob::keyed(text, key));
    let childless = || group::children(dir).is_ok_and(|below| below.is_empty());
    match local {
        Observed::Unsupported(_) if childless() => event(dir, key),
        known => known,
    }
}
