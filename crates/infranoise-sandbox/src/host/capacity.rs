//! What the host has for trials: the input of admission.

use std::fs;
use std::io;
use std::path::Path;

use infranoise_core::{Bytes, MilliCpu};

use crate::cgroup::parse::kilobytes;

/// Memory and CPUs of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostCapacity {
    /// All memory.
    pub memory_total: Bytes,
    /// Memory that could be used now without swapping.
    pub memory_available: Bytes,
    /// All swap.
    pub swap: Bytes,
    /// The CPUs that this process may use: fewer than the host has, where it is confined itself.
    pub cpus: MilliCpu,
}

/// Reads what the host has; `root` is `/` but in tests.
///
/// # Errors
/// If `/proc/meminfo` cannot be read or does not say it.
pub fn capacity(root: &Path) -> io::Result<HostCapacity> {
    let text = fs::read_to_string(root.join("proc/meminfo"))?;
    let field = |key: &str| {
        let missing = || io::Error::new(io::ErrorKind::InvalidData, format!("/proc/meminfo has no `{key}`"));
        kilobytes(&text, key).map(Bytes).ok_or_else(missing)
    };
    let cpus = std::thread::available_parallelism()?.get();
    Ok(HostCapacity {
        memory_total: field("MemTotal:")?,
        memory_available: field("MemAvailable:")?,
        swap: field("SwapTotal:")?,
        cpus: MilliCpu::cpus(u32::try_from(cpus).unwrap_or(u32::MAX / 1000)),
    })
}
