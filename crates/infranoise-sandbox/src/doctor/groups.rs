//! What control groups hold here: a trial's groups were made, read back and removed.

use infranoise_core::{CgroupMode, Enforcement, Held, KillScope};

use super::check::CheckResult;
use super::probe::Probe;
use crate::cgroup::Controller;

const TO_V2: &str = "boot with `systemd.unified_cgroup_hierarchy=1` for cgroup v2";
const TO_HOST: &str = "see what `cgroups` says above";

pub(super) fn mode(probe: &Probe) -> CheckResult {
    let hierarchy = match probe.hierarchy() {
        Ok(hierarchy) => hierarchy,
        Err(why) => {
            return CheckResult::fail(why, "mount control groups: `mount -t cgroup2 none /sys/fs/cgroup`");
        }
    };
    if let Err(why) = probe.trial() {
        return CheckResult::fail(why, "become root, or make /sys/fs/cgroup writable");
    }
    let missing: Vec<&str> = Controller::ALL
        .into_iter()
        .filter(|controller| hierarchy.located(*controller).is_none())
        .map(Controller::v1_name)
        .collect();
    let mode = match hierarchy.mode() {
        CgroupMode::V1 => "cgroup v1: no memory floors, and no pressure of a trial",
        CgroupMode::Hybrid => {
            "cgroup v1 with a v2 tree beside it: no memory floors; pressure and kills by the v2 tree"
        }
        CgroupMode::V2 => "cgroup v2",
        CgroupMode::Absent => "no control groups",
    };
    if missing.is_empty() {
        return CheckResult::ok(format!("{mode}; a trial's groups were made and removed"));
    }
    let says = format!("{mode}; not there: {}", missing.join(", "));
    CheckResult::warn(says, "enable these controllers in the kernel, or do without what they hold")
}

pub(super) fn memory_ceiling(probe: &Probe) -> CheckResult {
    must(
        probe,
        |held| &held.memory_ceiling,
        "enable the `memory` controller (`cgroup_enable=memory` on some kernels)",
    )
}

pub(super) fn swap(probe: &Probe) -> CheckResult {
    must(
        probe,
        |held| &held.swap_closed,
        "turn swap off (`swapoff -a`) or boot with `swapaccount=1`: a ceiling that leaks into swap is none",
    )
}

pub(super) fn memory_floor(probe: &Probe) -> CheckResult {
    should(probe, |held| &held.memory_floor, TO_V2)
}

pub(super) fn cpu(probe: &Probe) -> CheckResult {
    let ceiling =
        must(probe, |held| &held.cpu_ceiling, "enable the `cpu` controller with CFS bandwidth control");
    let floor = should(probe, |held| &held.cpu_floor, "enable the `cpu` controller");
    if floor.status > ceiling.status { floor } else { ceiling }
}

pub(super) fn pids(probe: &Probe) -> CheckResult {
    must(
        probe,
        |held| &held.pids_ceiling,
        "enable the `pids` controller: without it a fork bomb takes the host",
    )
}

pub(super) fn kill_scope(probe: &Probe) -> CheckResult {
    match probe.trial() {
        Err(_) => CheckResult::fail("no trial's groups could be made", TO_HOST),
        Ok(held) => match (&held.kill_scope_held, held.kill_scope) {
            (Held::ByKernel { knob, value }, KillScope::Trial) => {
                CheckResult::ok(format!("by the kernel: {knob} {value}"))
            }
            (Held::BestEffort { value, .. }, KillScope::Trial) => {
                let says =
                    format!("by infranoise: {value}; a call into the kernel may get ENOMEM before that");
                CheckResult::warn(says, TO_V2)
            }
            (held, scope) => {
                let says = format!("only scope `{scope}` can be held: {}", told(held));
                CheckResult::warn(says, format!("sweep with `--kill-scope {scope}`, or {TO_V2}"))
            }
        },
    }
}

/// A promise without which a ceiling is none.
fn must(probe: &Probe, promise: fn(&Enforcement) -> &Held, way_out: &str) -> CheckResult {
    match probe.trial().map(promise) {
        Err(_) => CheckResult::fail("no trial's groups could be made", TO_HOST),
        Ok(held @ (Held::ByKernel { .. } | Held::NotAsked)) => CheckResult::ok(told(held)),
        Ok(held @ (Held::BestEffort { .. } | Held::Inferred { .. })) => {
            CheckResult::warn(told(held), way_out)
        }
        Ok(held @ (Held::NotAtAll { .. } | Held::NotKnown { .. })) => CheckResult::fail(told(held), way_out),
    }
}

/// A promise that admission keeps as far as the kernel does not.
fn should(probe: &Probe, promise: fn(&Enforcement) -> &Held, way_out: &str) -> CheckResult {
    match probe.trial().map(promise) {
        Err(_) => CheckResult::fail("no trial's groups could be made", TO_HOST),
        Ok(held @ (Held::ByKernel { .. } | Held::NotAsked)) => CheckResult::ok(told(held)),
        // A weight is all that any kernel has for CPU floors; with admission it holds.
        Ok(held @ Held::BestEffort { knob, .. }) if knob.starts_with("cpu.") => CheckResult::ok(told(held)),
        Ok(
            held @ (Held::BestEffort { .. }
            | Held::NotAtAll { .. }
            | Held::Inferred { .. }
            | Held::NotKnown { .. }),
        ) => CheckResult::warn(told(held), way_out),
    }
}

fn told(held: &Held) -> String {
    match held {
        Held::ByKernel { knob, value } => format!("held by the kernel: {knob} {value}"),
        Held::BestEffort { knob, value } => format!("best effort: {knob} {value}"),
        Held::Inferred { knob, value, from } => format!("inferred from {from}: {knob} {value}"),
        Held::NotAtAll { why } | Held::NotKnown { why } => why.clone(),
        Held::NotAsked => "nothing to hold".to_owned(),
    }
}
