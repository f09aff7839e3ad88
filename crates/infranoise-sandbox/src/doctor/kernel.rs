//! What the kernel can do besides control groups.

use crate::cgroup::Controller;
use crate::kmsg::KernelLog;
use crate::linux::clone3_known;

use super::check::CheckResult;
use super::probe::Probe;

/// The namespaces of a sandbox, with the setting that can forbid them.
const NAMESPACES: [(&str, &str); 6] = [
    ("mnt", "max_mnt_namespaces"),
    ("pid", "max_pid_namespaces"),
    ("ipc", "max_ipc_namespaces"),
    ("uts", "max_uts_namespaces"),
    ("net", "max_net_namespaces"),
    ("cgroup", "max_cgroup_namespaces"),
];

pub(super) fn namespaces(probe: &Probe) -> CheckResult {
    for (name, limit) in NAMESPACES {
        if !probe.root().join("proc/self/ns").join(name).exists() {
            let way_out = "use a kernel that is built with all namespaces";
            return CheckResult::fail(format!("this kernel has no `{name}` namespaces"), way_out);
        }
        let most = probe.read(&format!("proc/sys/user/{limit}"));
        if most.is_ok_and(|text| text.trim() == "0") {
            let says = format!("new `{name}` namespaces are forbidden");
            return CheckResult::fail(says, format!("`sysctl user.{limit}=1000`"));
        }
    }
    CheckResult::ok("mount, process, IPC, host name, network and cgroup namespaces are there")
}

pub(super) fn clone3(_probe: &Probe) -> CheckResult {
    if clone3_known() {
        return CheckResult::ok("clone3 is there");
    }
    let way_out =
        "use Linux 5.7 or later; in a container, a seccomp profile that lets clone3 through (`--privileged`)";
    CheckResult::fail("clone3 is not there, or a filter forbids it", way_out)
}

pub(super) fn seccomp(probe: &Probe) -> CheckResult {
    match probe.read("proc/sys/kernel/seccomp/actions_avail") {
        Ok(actions) if actions.split_whitespace().any(|action| action == "errno") => {
            CheckResult::ok("filters can be set")
        }
        Ok(actions) => CheckResult::fail(
            format!("filters cannot refuse a call with an error (only: {})", actions.trim()),
            "use Linux 4.14 or later with CONFIG_SECCOMP_FILTER",
        ),
        Err(error) => CheckResult::fail(
            format!("/proc/sys/kernel/seccomp/actions_avail: {error}"),
            "use a kernel with CONFIG_SECCOMP_FILTER",
        ),
    }
}

pub(super) fn pressure(probe: &Probe) -> CheckResult {
    let boot = "boot with `psi=1`; without it a starved trial cannot be told from a slow agent";
    if let Err(error) = probe.read("proc/pressure/cpu") {
        return CheckResult::warn(format!("the host's pressure cannot be read: {error}"), boot);
    }
    let tree = probe.hierarchy().ok().and_then(|hierarchy| hierarchy.located(Controller::CpuTime));
    match tree {
        Some((crate::cgroup::Version::V2, _)) => CheckResult::ok("of the host and of every trial"),
        Some((crate::cgroup::Version::V1, _)) | None => CheckResult::warn(
            "of the host alone: a trial's pressure needs a cgroup v2 tree",
            "`mkdir -p /sys/fs/cgroup/unified && mount -t cgroup2 none /sys/fs/cgroup/unified`",
        ),
    }
}

pub(super) fn log(probe: &Probe) -> CheckResult {
    let v2 = probe.hierarchy().is_ok_and(|hierarchy| {
        hierarchy
            .located(Controller::Memory)
            .is_some_and(|(version, _)| version == crate::cgroup::Version::V2)
    });
    match KernelLog::open(&probe.root().join("dev/kmsg")) {
        Ok(_) => CheckResult::ok("the kernel log can be read: it names victims and limits"),
        Err(error) if v2 => {
            CheckResult::ok(format!("counters tell it (cgroup v2); victims stay unnamed ({error})"))
        }
        Err(error) => CheckResult::warn(
            format!(
                "the kernel log cannot be read ({error}), and cgroup v1 does not count whose limit it was"
            ),
            "become root, or `sysctl kernel.dmesg_restrict=0`; some kills will be `unknown` without it",
        ),
    }
}
