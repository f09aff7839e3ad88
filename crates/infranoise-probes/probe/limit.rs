//! The memory limit, as a program inside a sandbox can see it.

use std::fs;

/// Where a limit may stand, in bytes: control groups of version 2, then of version 1.
const FILES: [&str; 2] = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// A limit of more than this is none: version 1 writes a number near 2^63.
const MOST_BYTES: u64 = 1 << 60;

/// The limit in MiB, or `none`: what the sandbox's environment says in `MEM_LIMIT_MB`, else what the control groups say.
///
/// The environment goes first, since a version 1 host shows every sandbox the files of its root group.
pub(crate) fn seen() -> String {
    #[expect(clippy::disallowed_methods, reason = "the probe's environment is its sandbox's")]
    let told = std::env::var("MEM_LIMIT_MB");
    if let Ok(limit) = told {
        return limit;
    }
    let file = FILES.iter().find_map(|file| fs::read_to_string(file).ok());
    match file.and_then(|text| text.trim().parse::<u64>().ok()) {
        Some(bytes) if bytes < MOST_BYTES => (bytes >> 20).to_string(),
        Some(_) | None => "none".to_owned(),
    }
}
