//! Room, descriptors, time, and peace.

use std::io;

use infranoise_core::Bytes;
use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};

use super::check::CheckResult;
use super::probe::Probe;
use crate::host::capacity;

/// Below this the bundled tasks hardly fit.
const LEAST_MEMORY: Bytes = Bytes::gib(1);
/// Below this logs and writable layers may fill the disk.
const LEAST_DISK: Bytes = Bytes::gib(2);
/// Descriptors that a sandbox takes: control, output, sampling.
const FILES_PER_SANDBOX: u64 = 24;
/// Sandboxes at once that one wants to be able to have.
const SANDBOXES: u64 = 100;
/// Clock sources that are read without a trap.
const STEADY: [&str; 6] =
    ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "pvm-clock", "xen"];
/// Above this share of waiting for a CPU, others have the host.
const BUSY_PERCENT: f64 = 20.0;

pub(super) fn memory(probe: &Probe) -> CheckResult {
    match capacity(probe.root()) {
        Ok(has) if has.memory_available >= LEAST_MEMORY => CheckResult::ok(format!(
            "{} of {} available, {} CPUs",
            has.memory_available,
            has.memory_total,
            has.cpus.0 / 1000
        )),
        Ok(has) => CheckResult::warn(
            format!("only {} of {} available", has.memory_available, has.memory_total),
            "end other programs, or sweep small tasks: a floor that does not fit is refused before it starts",
        ),
        Err(error) => CheckResult::fail(format!("/proc/meminfo: {error}"), "mount /proc"),
    }
}

pub(super) fn disk(probe: &Probe) -> CheckResult {
    let folder = probe.folder().display();
    match statvfs(probe.folder()) {
        Ok(has) => {
            let free = Bytes(has.f_bavail.saturating_mul(has.f_frsize));
            let inodes_known = has.f_files > 0;
            if free < LEAST_DISK {
                let way_out = "make room, or name another folder: a full disk ends trials as faults";
                return CheckResult::warn(format!("only {free} free in `{folder}`"), way_out);
            }
            if inodes_known && has.f_favail < 100_000 {
                let says = format!("only {} files can still be made in `{folder}`", has.f_favail);
                return CheckResult::warn(says, "remove files, or name another folder");
            }
            CheckResult::ok(format!("{free} free in `{folder}`"))
        }
        Err(error) => {
            CheckResult::fail(format!("`{folder}`: {}", io::Error::from(error)), "name a folder that exists")
        }
    }
}

pub(super) fn files(_probe: &Probe) -> CheckResult {
    let limit = getrlimit(Resource::Nofile);
    let may = limit.maximum.unwrap_or(u64::MAX);
    let enough = FILES_PER_SANDBOX * SANDBOXES;
    let most = may / FILES_PER_SANDBOX;
    if may >= enough {
        return CheckResult::ok(format!("enough for {} sandboxes at once", most.min(100_000)));
    }
    let says = format!("{may} files may be open: enough for about {most} sandboxes at once");
    CheckResult::warn(says, format!("`ulimit -n {enough}` before the start"))
}

pub(super) fn clock(probe: &Probe) -> CheckResult {
    let source = probe.read("sys/devices/system/clocksource/clocksource0/current_clocksource");
    match source.as_deref().map(str::trim) {
        Ok(source) if STEADY.contains(&source) => CheckResult::ok(format!("clock source `{source}`")),
        Ok(source) => CheckResult::warn(
            format!("clock source `{source}`: each look at the clock is a trap"),
            "boot with `clocksource=tsc` if the processor's is stable",
        ),
        Err(error) => CheckResult::ok(format!("the clock source is not told ({error})")),
    }
}

pub(super) fn quiet(probe: &Probe) -> CheckResult {
    let Some(percent) = probe.read("proc/pressure/cpu").ok().as_deref().and_then(waiting_percent) else {
        return CheckResult::ok("the host's pressure is not told");
    };
    if percent < BUSY_PERCENT {
        return CheckResult::ok(format!(
            "in the last minute tasks waited for a CPU {percent:.0} % of the time"
        ));
    }
    CheckResult::warn(
        format!("in the last minute tasks waited for a CPU {percent:.0} % of the time"),
        "wait, or end what else goes on: time-outs of a busy host are noise, and are classified as such where they can be",
    )
}

/// The share of the last minute in which some task waited, in percent.
fn waiting_percent(pressure: &str) -> Option<f64> {
    let some = pressure.lines().find(|line| line.starts_with("some "))?;
    some.split(' ').find_map(|word| word.strip_prefix("avg60="))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_minute_is_read() {
        let text = "some avg10=0.70 avg60=42.43 avg300=0.21 total=4640997\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
        assert_eq!(waiting_percent(text), Some(42.43));
        assert_eq!(waiting_percent(""), None);
    }
}
