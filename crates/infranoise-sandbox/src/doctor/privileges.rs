//! Root, and which of its capabilities are left.

use std::path::Path;

use super::check::CheckResult;
use super::probe::Probe;
use crate::rootless::{Situation, Way, decide};

/// Without these no sandbox starts.
const NEEDED: [(u32, &str); 9] = [
    (0, "CAP_CHOWN"),
    (1, "CAP_DAC_OVERRIDE"),
    (3, "CAP_FOWNER"),
    (5, "CAP_KILL"),
    (6, "CAP_SETGID"),
    (7, "CAP_SETUID"),
    (12, "CAP_NET_ADMIN"),
    (19, "CAP_SYS_PTRACE"),
    (21, "CAP_SYS_ADMIN"),
];

/// Without these something is weaker.
const USEFUL: [(u32, &str, &str); 3] = [
    (18, "CAP_SYS_CHROOT", "root file systems of others cannot be entered"),
    (
        24,
        "CAP_SYS_RESOURCE",
        "limits of the host cannot be raised, so that a sandbox never has more than this process",
    ),
    (27, "CAP_MKNOD", "device files are bind mounts of the host's"),
];

pub(super) fn check(probe: &Probe) -> CheckResult {
    let status = match probe.read("proc/self/status") {
        Ok(status) => status,
        Err(error) => return CheckResult::fail(format!("/proc/self/status: {error}"), "mount /proc"),
    };
    let Some(effective) = effective(&status) else {
        return CheckResult::fail("/proc/self/status names no capabilities", "use a Linux kernel");
    };
    let lacks = |bit: u32| effective & (1 << bit) == 0;
    let missing: Vec<&str> = NEEDED.iter().filter(|(bit, _)| lacks(*bit)).map(|(_, name)| *name).collect();
    if !missing.is_empty() {
        let says = format!("this user lacks {}", missing.join(", "));
        // What is found below another root says nothing of this process.
        if probe.root() == Path::new("/")
            && !matches!(decide(&Situation::now()), Way::AsItIs | Way::Refused { .. })
        {
            return CheckResult::warn(
                format!("{says}; a sweep takes a control group and a user namespace of its own instead"),
                "become root (`sudo infranoise …`) for other users inside, a cold page cache and the kernel log",
            );
        }
        return CheckResult::fail(
            says,
            "become root (`sudo infranoise …`), or start the container with `--privileged`",
        );
    }
    let weaker: Vec<String> = USEFUL
        .iter()
        .filter(|(bit, ..)| lacks(*bit))
        .map(|(_, name, why)| format!("{name} ({why})"))
        .collect();
    if weaker.is_empty() {
        return CheckResult::ok("every capability that is needed is there");
    }
    CheckResult::ok(format!(
        "everything needed is there; not there, and recorded as a gap: {}",
        weaker.join("; ")
    ))
}

/// The effective capabilities, one bit each.
fn effective(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_read_as_bits() {
        assert_eq!(effective("Name:\tx\nCapEff:\t000001fffeffffff\n"), Some(0x1ff_feff_ffff));
        assert_eq!(effective("CapEff:\tno\n"), None);
    }
}
