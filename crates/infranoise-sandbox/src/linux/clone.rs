//! A process in new namespaces, by clone3.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// Which namespaces a sandbox gets besides mount, pid, ipc, uts and cgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Namespaces {
    /// A network of its own.
    pub(crate) network: bool,
}

impl Namespaces {
    fn flags(self) -> u64 {
        let always = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
        let network = if self.network { libc::CLONE_NEWNET } else { 0 };
        u64::from((always | network | libc::CLONE_PIDFD).cast_unsigned())
    }
}

/// Which side of a clone this is.
pub(crate) enum Cloned {
    /// The child: pid 1 of the new namespaces.
    Child,
    /// The parent.
    Parent {
        /// The child's process id here.
        pid: i32,
        /// A descriptor that stands for the child.
        pidfd: OwnedFd,
    },
}

/// Clones this process into new namespaces. Returns twice, as fork does.
///
/// To be called only from a process with a single thread: the launcher. In a process with several, the child could wait for ever for
/// a lock that another thread held at the moment of the clone.
pub(crate) fn clone_into(namespaces: Namespaces) -> io::Result<Cloned> {
    let mut pidfd: RawFd = -1;
    // SAFETY: all-zero is a valid clone_args: every field is a plain number.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    arguments.flags = namespaces.flags();
    arguments.exit_signal = u64::from(libc::SIGCHLD.cast_unsigned());
    arguments.pidfd = (&raw mut pidfd).addr() as u64;
    // SAFETY: the arguments and `pidfd` outlive the call and have the size that is given. Without CLONE_VM the child has its own copy
    // of all memory and no other thread exists, so that both sides may go on as after fork.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &raw mut arguments, size_of::<libc::clone_args>()) };
    match pid {
        0 => Ok(Cloned::Child),
        1.. => {
            // SAFETY: the kernel stored a new descriptor, which is known here alone.
            let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
            Ok(Cloned::Parent { pid: i32::try_from(pid).map_err(io::Error::other)?, pidfd })
        }
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether clone3 can be called at all: before Linux 5.3, and under some filters of containers, it is an unknown call.
pub(crate) fn clone3_known() -> bool {
    // SAFETY: no arguments of size 0 are no arguments at all: the kernel refuses them (EINVAL) before it reads or makes anything.
    let refused = unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<libc::clone_args>(), 0_usize) };
    refused == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}
