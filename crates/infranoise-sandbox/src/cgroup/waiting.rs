//! Version 1 with the killer off: which tasks wait for memory, and in which command.

use std::fs;
use std::io;
use std::path::Path;

use infranoise_core::Bytes;

use super::group::subtree;
use super::knob;

/// Where the kernel lets a task wait until somebody makes room.
const WAITS_IN: &str = "mem_cgroup_oom_synchronize";

/// A task that waits for memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingTask {
    /// The group that it is in, as in `e2`.
    pub leaf: String,
    /// Its process, on the host.
    pub pid: i32,
    /// Its program, as the kernel knows it.
    pub program: String,
    /// Its resident memory.
    pub rss: Option<Bytes>,
    /// Where in the kernel it waits; empty where that cannot be read.
    pub wait_channel: String,
}

impl WaitingTask {
    /// Whether it is memory that it waits for.
    #[must_use]
    pub fn for_memory(&self) -> bool {
        self.wait_channel.contains(WAITS_IN)
    }
}

/// The tasks below a group, those that wait for memory first, then the largest first: the first one ran over.
pub(crate) fn tasks(work: &Path) -> io::Result<Vec<WaitingTask>> {
    let mut found = Vec::new();
    for dir in subtree(work)? {
        let leaf = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let procs = knob::read(&dir, "cgroup.procs")?;
        found.extend(procs.lines().filter_map(|line| task(&leaf, line.parse().ok()?)));
    }
    found.sort_by_key(|task| (!task.for_memory(), std::cmp::Reverse(task.rss)));
    Ok(found)
}

/// One process; any of its threads may be the one that waits.
fn task(leaf: &str, pid: i32) -> Option<WaitingTask> {
    let process = Path::new("/proc").join(pid.to_string());
    let program = knob::read(&process, "comm").ok()?.trim().to_owned();
    let rss =
        knob::read(&process, "status").ok().and_then(|text| knob::kilobytes(&text, "VmRSS:")).map(Bytes);
    let threads = fs::read_dir(process.join("task")).ok()?;
    let mut waits: Vec<String> =
        threads.flatten().filter_map(|thread| knob::read(&thread.path(), "wchan").ok()).collect();
    waits.sort_by_key(|channel| !channel.contains(WAITS_IN));
    let wait_channel = waits.into_iter().next().unwrap_or_default();
    Some(WaitingTask { leaf: leaf.to_owned(), pid, program, rss, wait_channel })
}
