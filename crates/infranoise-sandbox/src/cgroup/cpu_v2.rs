//! CPU on version 2: `cpu.max` and `cpu.weight`.

use std::io;
use std::path::Path;

use infranoise_core::{Ceiling, Held, MilliCpu, Observed};

use super::cpu_quota::{PARENT_WEIGHT, processors, quota_us};
use super::knob;

/// Our group's weight against everything else on the host.
pub(crate) fn weigh_parent(ours: &Path) -> io::Result<()> {
    let weight = (100 * PARENT_WEIGHT * processors()).min(10_000);
    knob::write(ours, "cpu.weight", &weight.to_string())
}

/// Sets the ceiling.
pub(crate) fn ceiling(work: &Path, ceiling: Ceiling<MilliCpu>) -> Held {
    let Ceiling::At(cpu) = ceiling else { return Held::NotAsked };
    let (quota, period) = quota_us(cpu);
    let set = knob::set(work, "cpu.max", &format!("{quota} {period}"));
    knob::held_by_kernel("cpu.max", set.map(|value| value.replace(' ', " of ")))
}

/// Sets a weight in proportion to the floor: a promise only while admission keeps the sum of floors within the host's CPUs.
pub(crate) fn floor(trial: &Path, floor: MilliCpu) -> Held {
    if floor == MilliCpu(0) {
        return Held::NotAsked;
    }
    let weight = (floor.0 / 10).clamp(1, 10_000);
    match knob::set(trial, "cpu.weight", &weight.to_string()) {
        Ok(value) => Held::BestEffort { knob: "cpu.weight".to_owned(), value },
        Err(error) => knob::not_held("cpu.weight", &error),
    }
}

/// Time during which the ceiling held the group back, in microseconds.
pub(crate) fn throttled_us(work: &Path) -> Observed<u64> {
    knob::observe(work, "cpu.stat", |text| knob::keyed(text, "throttled_usec"))
}
