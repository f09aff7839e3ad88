//! What a sandboxed process may no longer do.

use std::io;

use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs, set_thread_groups,
};

/// What package managers and servers need inside: owners and modes of files, other users, low ports, signals.
///
/// Left out on purpose: everything that reaches the kernel or the host (SYS_ADMIN, SYS_MODULE, SYS_RAWIO, SYS_TIME, SYS_RESOURCE, BPF,
/// PERFMON, SYSLOG …), device nodes (MKNOD), the network's own set-up (NET_ADMIN, NET_RAW), the audit log, looking into other
/// processes (SYS_PTRACE) and opening files by handle (DAC_READ_SEARCH).
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::SETFCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SYS_CHROOT);

/// Drops all capabilities but the kept ones, for this process and all that it becomes, and closes the way back.
///
/// In a user namespace with one id nobody may leave a group; there the groups stay what the user's are.
pub(crate) fn drop_privileges(user_namespace: bool) -> io::Result<()> {
    match set_thread_groups(&[]) {
        Err(rustix::io::Errno::PERM) if user_namespace => {}
        left => left?,
    }
    clear_ambient_capability_set()?;
    for bit in 0..64 {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if KEPT.contains(one) {
            continue;
        }
        match remove_capability_from_bounding_set(one) {
            // Beyond the last capability that this kernel knows.
            Err(rustix::io::Errno::INVAL) => break,
            dropped => dropped?,
        }
    }
    let have = rustix::thread::capabilities(None)?;
    let kept = KEPT & have.permitted;
    set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    )?;
    set_no_new_privs(true)?;
    Ok(())
}
