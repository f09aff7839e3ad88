//! Namespaces that a process enters after its birth.

use std::io;

/// Makes the control groups that this process is in the top of what it sees of them. To be called when it has joined them: a namespace made
/// earlier, at the clone, would begin at the engine's groups.
pub(crate) fn own_cgroups() -> io::Result<()> {
    // SAFETY: takes a number; changes what paths of control groups this process reads, nothing else.
    let result = unsafe { libc::unshare(libc::CLONE_NEWCGROUP) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
