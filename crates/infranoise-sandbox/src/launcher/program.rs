//! The supervisor's program, carried in this one and kept in memory: no file of it is seen in a sandbox or left on the host.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

/// The static program that the build script made.
static SUPERVISOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/infranoise-supervisor"));

/// The program itself, for container engines.
#[cfg(feature = "docker")]
pub(crate) fn bytes() -> &'static [u8] {
    SUPERVISOR
}

/// A sealed, read-only descriptor of the supervisor's program.
pub(super) fn supervisor() -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let name = "infranoise-supervisor";
    // Kernels before 6.3 do not know the flag that later ones may insist on.
    let memory = memfd_create(name, flags | MemfdFlags::EXEC).or_else(|_| memfd_create(name, flags))?;
    let mut file = File::from(memory);
    file.write_all(SUPERVISOR)?;
    fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    // A file that somebody may write cannot be executed: open it again, read-only, and let the first descriptor go.
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd())).map(OwnedFd::from)
}
