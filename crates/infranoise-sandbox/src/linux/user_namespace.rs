//! A user namespace for this process itself.

use std::io;

use super::clone::{Cloned, Namespaces, clone_into};

/// Moves this process into a new user namespace, in which it has every right and, until they are mapped, no ids.
///
/// # Errors
/// If the kernel refuses, as it does with more than one thread.
pub(crate) fn new_user_namespace() -> io::Result<()> {
    // SAFETY: takes a flag only. Of what a process shares among its threads nothing is taken apart: with several the call fails.
    let result = unsafe { libc::unshare(libc::CLONE_NEWUSER) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Whether the namespaces of a sandbox can be made, tried with a child that ends at once.
///
/// # Errors
/// If they cannot.
pub(crate) fn can_make_namespaces() -> io::Result<()> {
    match clone_into(Namespaces { network: true })? {
        // SAFETY: ends the child at once, without the handlers and buffers that it has from its parent.
        Cloned::Child => unsafe { libc::_exit(0) },
        Cloned::Parent { pidfd, .. } => {
            let ended = rustix::process::waitid(
                rustix::process::WaitId::PidFd(std::os::fd::AsFd::as_fd(&pidfd)),
                rustix::process::WaitIdOptions::EXITED,
            );
            Ok(ended.map(drop)?)
        }
    }
}
