//! Files that show the trial's limits where programs look for the machine's size.
//!
//! What is asked by system call (`sched_getaffinity`, `sysinfo`) still tells the host's: changing that would change the scheduling, or
//! need a file system of our own.

use std::path::{Path, PathBuf};

use super::kernel_files::PROCESSORS;
use super::plan::Seen;
use super::step::{Failed, Step};

/// Writes the files into a folder, and says over which ones they belong.
pub(super) fn write(seen: &Seen, folder: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Failed> {
    let mut shown = Vec::new();
    let mut show = |name: &str, text: String, place: PathBuf| {
        let file = folder.join(name);
        std::fs::write(&file, text).step(format_args!("write {}", place.display()))?;
        if place.exists() {
            shown.push((file, place));
        }
        Ok(())
    };
    if let Some(bytes) = seen.memory_bytes {
        show("meminfo", meminfo(bytes), PathBuf::from("/proc/meminfo"))?;
    }
    if let Some(cpus) = seen.cpus {
        let host = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        show("cpuinfo", cpuinfo(&host, cpus), PathBuf::from("/proc/cpuinfo"))?;
        for name in ["online", "present", "possible"] {
            show(name, cpu_list(cpus), Path::new(PROCESSORS).join(name))?;
        }
    }
    Ok(shown)
}

/// As `/proc/meminfo` of a machine of this size with nothing in use.
fn meminfo(bytes: u64) -> String {
    let kb = bytes / 1024;
    let lines = [("MemTotal", kb), ("MemFree", kb), ("MemAvailable", kb), ("Buffers", 0), ("Cached", 0)];
    let swap = [("SwapCached", 0), ("SwapTotal", 0), ("SwapFree", 0)];
    lines
        .into_iter()
        .chain(swap)
        .map(|(name, kb)| format!("{:<16}{kb:>8} kB\n", format!("{name}:")))
        .collect()
}

/// The first so many processors of the host's list.
fn cpuinfo(host: &str, cpus: u32) -> String {
    let count = usize::try_from(cpus).unwrap_or(usize::MAX);
    host.split_inclusive("\n\n").take(count).collect()
}

fn cpu_list(cpus: u32) -> String {
    match cpus {
        0 | 1 => "0\n".to_owned(),
        more => format!("0-{}\n", more - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_look_like_the_kernels() {
        assert!(meminfo(2 << 30).starts_with("MemTotal:        2097152 kB\nMemFree:         2097152 kB\n"));
        assert_eq!(cpuinfo("processor : 0\nx\n\nprocessor : 1\nx\n\n", 1), "processor : 0\nx\n\n");
        assert_eq!((cpu_list(1), cpu_list(4)), ("0\n".to_owned(), "0-3\n".to_owned()));
    }
}
