//! The bare loop: what the kernel alone needs for control groups, clone3, overlay, mounts, execve and the way back.

#![expect(unsafe_code, reason = "the yardstick is written without the code that it measures")]

use std::ffi::CString;
use std::fs;
use std::io;
use std::path::Path;

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_change, unmount,
};
use rustix::process::{Pid, WaitOptions, chdir, pivot_root, waitpid};

const TREES: [&str; 5] = ["memory", "cpu", "pids", "blkio", "unified"];

/// Makes, runs and removes one sandbox that executes `true`.
pub(crate) fn once(folder: &Path, name: &str) -> io::Result<()> {
    let groups = TREES.map(|tree| Path::new("/sys/fs/cgroup").join(tree).join(name));
    for group in &groups {
        fs::create_dir(group)?;
    }
    fs::write(groups[0].join("memory.limit_in_bytes"), "268435456")?;
    fs::write(groups[1].join("cpu.cfs_quota_us"), "100000")?;
    fs::write(groups[2].join("pids.max"), "100")?;
    let here = folder.join(name);
    for part in ["", "root", "upper", "work"] {
        fs::create_dir(here.join(part))?;
    }
    let flags = libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWCGROUP;
    // SAFETY: all-zero is a valid clone_args.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    arguments.flags = u64::from(flags.cast_unsigned());
    arguments.exit_signal = libc::SIGCHLD as u64;
    // SAFETY: as fork in a process with one thread.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &raw mut arguments, size_of::<libc::clone_args>()) };
    match pid {
        0 => {
            drop(child(&here, &groups));
            // SAFETY: ends this process at once.
            unsafe { libc::_exit(111) }
        }
        1.. => {}
        _ => return Err(io::Error::last_os_error()),
    }
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let ended = waitpid(pid, WaitOptions::empty())?;
    let code = ended.and_then(|(_, status)| status.exit_status());
    for group in &groups {
        fs::remove_dir(group)?;
    }
    fs::remove_dir_all(&here)?;
    if code == Some(0) { Ok(()) } else { Err(io::Error::other(format!("ended with {code:?}"))) }
}

fn child(here: &Path, groups: &[std::path::PathBuf]) -> io::Result<()> {
    for group in groups {
        fs::write(group.join("cgroup.procs"), "0")?;
    }
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let root = here.join("root");
    let path = |part: &str| here.join(part).display().to_string();
    let options = format!("volatile,lowerdir=/usr,upperdir={},workdir={}", path("upper"), path("work"));
    mount("overlay", &root, "overlay", MountFlags::empty(), CString::new(options)?.as_c_str())?;
    for part in ["proc", "dev", "sys"] {
        fs::create_dir(root.join(part))?;
    }
    mount("proc", root.join("proc"), "proc", MountFlags::empty(), None)?;
    mount("tmpfs", root.join("dev"), "tmpfs", MountFlags::empty(), None)?;
    for node in ["null", "zero", "full", "random", "urandom", "tty"] {
        let place = root.join("dev").join(node);
        fs::File::create(&place)?;
        mount_bind(Path::new("/dev").join(node), &place)?;
    }
    for part in ["dev/pts", "dev/shm"] {
        fs::create_dir(root.join(part))?;
    }
    mount("devpts", root.join("dev/pts"), "devpts", MountFlags::empty(), None)?;
    mount("tmpfs", root.join("dev/shm"), "tmpfs", MountFlags::empty(), None)?;
    mount("sysfs", root.join("sys"), "sysfs", MountFlags::empty(), None)?;
    chdir(&root)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    rustix::system::sethostname(b"bare")?;
    rustix::thread::set_no_new_privs(true)?;
    let program = c"/bin/true";
    // SAFETY: both arrays end with null and outlive the call.
    unsafe {
        libc::execve(
            program.as_ptr(),
            [program.as_ptr(), std::ptr::null()].as_ptr(),
            [std::ptr::null()].as_ptr(),
        )
    };
    Err(io::Error::last_os_error())
}
