//! /proc and /sys: what a program may see of the kernel, and nothing that it could write to the host's.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::mount::{MountFlags, mount_bind};

use super::mounts::{attach, fresh, read_only};
use super::step::{Failed, Step};

/// Where programs look for the number of processors; the only part of the host's /sys that is seen.
pub(super) const PROCESSORS: &str = "/sys/devices/system/cpu";

/// Root may write these although it has no capability: they would reach the host.
const READ_ONLY: [&str; 7] =
    ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"];

/// These tell about the host's memory, keys, timers and other users.
const HIDDEN_FILES: [&str; 10] = [
    "/proc/kcore",
    "/proc/keys",
    "/proc/key-users",
    "/proc/timer_list",
    "/proc/sched_debug",
    "/proc/latency_stats",
    "/proc/kpagecount",
    "/proc/kpageflags",
    "/proc/kpagecgroup",
    "/proc/vmallocinfo",
];

/// Mounts /proc with its masks, and a /sys that is nearly empty.
pub(super) fn mount_all(processors: Option<OwnedFd>) -> Result<(), Failed> {
    let quiet = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    fresh("proc", "/proc", quiet, c"")?;
    for path in READ_ONLY.map(Path::new).into_iter().filter(|path| path.exists()) {
        mount_bind(path, path).step(format_args!("bind {}", path.display()))?;
        read_only(path)?;
    }
    let sys = fresh("tmpfs", "/sys", quiet, c"mode=755,size=64k,nr_inodes=64")?;
    let empty = sys.join("empty");
    std::fs::write(&empty, b"").step("make an empty file")?;
    for path in HIDDEN_FILES.map(Path::new).into_iter().filter(|path| path.exists()) {
        mount_bind(&empty, path).step(format_args!("hide {}", path.display()))?;
        read_only(path)?;
    }
    if let Some(tree) = processors {
        attach(&tree, Path::new(PROCESSORS), true)?;
        read_only(Path::new(PROCESSORS))?;
    }
    Ok(())
}

/// Closes /sys once everything that belongs into it is mounted.
pub(super) fn close_sys() -> Result<(), Failed> {
    read_only(Path::new("/sys"))
}
