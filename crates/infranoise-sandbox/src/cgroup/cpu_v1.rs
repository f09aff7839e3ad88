//! CPU on version 1: quota and shares.

use std::io;
use std::path::Path;

use infranoise_core::{Ceiling, Held, MilliCpu, Observed};

use super::cpu_quota::{PARENT_WEIGHT, processors, quota_us};
use super::knob;

/// Our group's weight against everything else on the host.
pub(crate) fn weigh_parent(ours: &Path) -> io::Result<()> {
    let shares = (1024 * PARENT_WEIGHT * processors()).min(262_144);
    knob::write(ours, "cpu.shares", &shares.to_string())
}

/// Sets the ceiling. The period goes first: a long one is what makes a small quota legal.
pub(crate) fn ceiling(work: &Path, ceiling: Ceiling<MilliCpu>) -> Held {
    let Ceiling::At(cpu) = ceiling else { return Held::NotAsked };
    let (quota, period) = quota_us(cpu);
    let set = knob::set(work, "cpu.cfs_period_us", &period.to_string())
        .and_then(|period| Ok((knob::set(work, "cpu.cfs_quota_us", &quota.to_string())?, period)));
    let knob = "cpu.cfs_quota_us";
    knob::held_by_kernel(knob, set.map(|(quota, period)| format!("{quota} of {period}")))
}

/// Sets a weight in proportion to the floor: a promise only while admission keeps the sum of floors within the host's CPUs.
pub(crate) fn floor(trial: &Path, floor: MilliCpu) -> Held {
    if floor == MilliCpu(0) {
        return Held::NotAsked;
    }
    let shares = (u64::from(floor.0) * 1024 / 1000).clamp(2, 262_144);
    match knob::set(trial, "cpu.shares", &shares.to_string()) {
        Ok(value) => Held::BestEffort { knob: "cpu.shares".to_owned(), value },
        Err(error) => knob::not_held("cpu.shares", &error),
    }
}

/// Time during which the ceiling held the group back, in microseconds.
pub(crate) fn throttled_us(work: &Path) -> Observed<u64> {
    knob::observe(work, "cpu.stat", |text| knob::keyed(text, "throttled_time")).map(|ns| ns / 1000)
}

/// CPU time used, in microseconds, in the tree of `cpuacct`.
pub(crate) fn used_us(dir: &Path) -> Observed<u64> {
    knob::observe(dir, "cpuacct.usage", knob::number).map(|ns| ns / 1000)
}
