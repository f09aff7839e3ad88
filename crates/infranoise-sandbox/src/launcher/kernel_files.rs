//! /proc and /sys: what a program may see of the kernel, and nothing that it could write to the host's.
//!
//! A bind mount takes over the flags of the mount that it is made from: so what is to be read-only is bound while its source is, which
//! saves a system call for each.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountFlags, fsconfig_create, fsmount, fsopen, mount_bind,
};

use super::mounts::{attach, fresh, read_only, restrict};
use super::plan::Seen;
use super::seen;
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

/// A /proc that is mounted nowhere yet. In a user namespace the kernel gives one only while the host's own is in sight, which is before
/// the root is changed.
pub(super) fn proc_for_later() -> Result<OwnedFd, Failed> {
    let system = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC).step("open a /proc")?;
    fsconfig_create(&system).step("make a /proc")?;
    let quiet = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    fsmount(&system, FsMountFlags::FSMOUNT_CLOEXEC, quiet).step("make a mount of /proc")
}

/// Mounts /proc with its masks, and a /sys that is nearly empty.
pub(super) fn mount_all(
    proc: Option<OwnedFd>,
    processors: Option<OwnedFd>,
    seen: Option<&Seen>,
) -> Result<(), Failed> {
    let quiet = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let proc = match proc {
        Some(tree) => {
            attach(&tree, Path::new("/proc"), true)?;
            PathBuf::from("/proc")
        }
        None => fresh("proc", "/proc", quiet, c"")?,
    };
    restrict(&proc, MountFlags::NOEXEC | MountFlags::RDONLY)?;
    for path in existing(&READ_ONLY) {
        mount_bind(path, path).step(format_args!("bind {}", path.display()))?;
    }
    restrict(&proc, MountFlags::NOEXEC)?;
    let sys = fresh("tmpfs", "/sys", quiet, c"mode=755,size=256k,nr_inodes=64")?;
    let empty = sys.join("empty");
    std::fs::write(&empty, b"").step("make an empty file")?;
    if let Some(tree) = processors {
        attach(&tree, Path::new(PROCESSORS), true)?;
        read_only(Path::new(PROCESSORS))?;
    }
    let shown = seen.map(|seen| seen::write(seen, &sys)).transpose()?.unwrap_or_default();
    // The folders for control groups have to be there before nothing can be made any more.
    std::fs::create_dir_all(sys.join("fs/cgroup")).step("make /sys/fs/cgroup")?;
    for controller in ["memory", "cpu", "pids"] {
        std::fs::create_dir(sys.join("fs/cgroup").join(controller)).step("make a folder for limits")?;
    }
    restrict(&sys, MountFlags::RDONLY | MountFlags::NOEXEC)?;
    for path in existing(&HIDDEN_FILES) {
        mount_bind(&empty, path).step(format_args!("hide {}", path.display()))?;
    }
    for (file, place) in shown {
        mount_bind(&file, &place).step(format_args!("show limits in {}", place.display()))?;
    }
    Ok(())
}

fn existing<'a>(paths: &'a [&'a str]) -> impl Iterator<Item = &'a Path> {
    paths.iter().map(Path::new).filter(|path| path.exists())
}
