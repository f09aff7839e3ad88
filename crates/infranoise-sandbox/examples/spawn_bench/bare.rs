//! The bare loop: what the kernel alone needs for control groups, clone3, overlay, mounts, execve and the way back.

#![expect(unsafe_code, reason = "the yardstick is written without the code that it measures")]

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_change, unmount,
};
use rustix::process::{Pid, Signal, WaitOptions, chdir, kill_process, pivot_root, waitpid};
use rustix::thread::{ThreadNameSpaceType, move_into_thread_name_spaces};

const TREES: [&str; 5] = ["memory", "cpu", "pids", "blkio", "unified"];
const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWCGROUP;

/// A sandbox made by hand. To be used in a process with one thread.
pub(crate) struct Bare {
    groups: [PathBuf; 5],
    here: PathBuf,
    pid: Pid,
    pidfd: OwnedFd,
}

/// Makes, runs and removes one sandbox that executes `true`.
pub(crate) fn once(folder: &Path, name: &str) -> io::Result<()> {
    Bare::start(folder, name, &[c"/bin/true"])?.remove(Some(0))
}

impl Bare {
    /// Makes a sandbox whose pid 1 becomes the given program.
    pub(crate) fn start(folder: &Path, name: &str, program: &[&CStr]) -> io::Result<Self> {
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
        let mut pidfd = -1;
        // SAFETY: all-zero is a valid clone_args.
        let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
        arguments.flags = u64::from((NAMESPACES | libc::CLONE_PIDFD).cast_unsigned());
        arguments.exit_signal = libc::SIGCHLD as u64;
        arguments.pidfd = (&raw mut pidfd).addr() as u64;
        // SAFETY: as fork in a process with one thread.
        let pid =
            unsafe { libc::syscall(libc::SYS_clone3, &raw mut arguments, size_of::<libc::clone_args>()) };
        if pid == 0 {
            become_program(enter(&here, &groups), program);
        }
        let pid = pid_of(i32::try_from(pid).unwrap_or(-1))?;
        // SAFETY: the kernel stored a new descriptor.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        Ok(Self { groups, here, pid, pidfd })
    }

    /// Runs a program in a sandbox that stands: namespaces, fork into them, group, execve.
    pub(crate) fn exec(&self, program: &[&CStr]) -> io::Result<()> {
        // SAFETY: this process has one thread.
        let between = unsafe { libc::fork() };
        if between == 0 {
            let code = self.enter_and_fork(program).unwrap_or(112);
            // SAFETY: ends this process at once.
            unsafe { libc::_exit(code) }
        }
        ended_with(pid_of(between)?, Some(0))
    }

    fn enter_and_fork(&self, program: &[&CStr]) -> io::Result<i32> {
        join(&self.groups)?;
        let all = ThreadNameSpaceType::from_bits_retain(NAMESPACES.cast_unsigned());
        move_into_thread_name_spaces(self.pidfd.as_fd(), all)?;
        // SAFETY: this process has one thread.
        let inside = unsafe { libc::fork() };
        if inside == 0 {
            become_program(Ok(()), program);
        }
        let ended = waitpid(Some(pid_of(inside)?), WaitOptions::empty())?;
        Ok(ended.and_then(|(_, status)| status.exit_status()).unwrap_or(113))
    }

    /// Ends what still lives in it.
    pub(crate) fn kill(self) -> io::Result<()> {
        kill_process(self.pid, Signal::KILL)?;
        self.remove(None)
    }

    fn remove(self, code: Option<i32>) -> io::Result<()> {
        ended_with(self.pid, code)?;
        for group in &self.groups {
            fs::remove_dir(group)?;
        }
        fs::remove_dir_all(&self.here)
    }
}

fn pid_of(pid: i32) -> io::Result<Pid> {
    if pid > 0 {
        Pid::from_raw(pid).ok_or_else(io::Error::last_os_error)
    } else {
        Err(io::Error::last_os_error())
    }
}

fn ended_with(pid: Pid, expected: Option<i32>) -> io::Result<()> {
    let ended = waitpid(Some(pid), WaitOptions::empty())?;
    let code = ended.and_then(|(_, status)| status.exit_status());
    if code == expected { Ok(()) } else { Err(io::Error::other(format!("ended with {code:?}"))) }
}

fn join(groups: &[PathBuf]) -> io::Result<()> {
    groups.iter().try_for_each(|group| fs::write(group.join("cgroup.procs"), "0"))
}

fn enter(here: &Path, groups: &[PathBuf]) -> io::Result<()> {
    join(groups)?;
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
    Ok(())
}

fn become_program(ready: io::Result<()>, program: &[&CStr]) -> ! {
    if ready.is_ok() {
        let mut words: Vec<_> = program.iter().map(|word| word.as_ptr()).collect();
        words.push(std::ptr::null());
        // SAFETY: both arrays end with null and outlive the call.
        unsafe { libc::execve(words[0], words.as_ptr(), [std::ptr::null()].as_ptr()) };
    }
    // SAFETY: ends this process at once.
    unsafe { libc::_exit(111) }
}
