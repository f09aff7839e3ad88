//! Ending a command with its foreground tree, while daemons that it left behind live on.
//!
//! The foreground tree is what descends from the command's own process, and whatever is in its session. A daemon is neither: it made
//! its own session and was handed to pid 1.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

use rustix::process::{Pid, Signal, kill_process};

use crate::cgroup::Leaf;
use crate::cgroup::patience::Patience;

/// Who a process is: its parent on the host, and its own number and its session inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Who {
    parent: i32,
    inside: u32,
    session: u32,
}

/// Kills the foreground tree of the command whose process has the number `inside` in the sandbox.
pub(crate) fn kill(leaf: &Leaf, inside: u32) -> io::Result<()> {
    let mut patience = Patience::default();
    loop {
        // Frozen, nothing forks or hands its number on while it is looked at. Without a freezer the loop makes up for it.
        let frozen = freeze(leaf);
        let victims = foreground(&look(&leaf.pids()?), inside);
        for pid in victims.iter().filter_map(|pid| Pid::from_raw(*pid)) {
            // It may have ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
        if frozen {
            leaf.thaw()?;
        }
        if victims.is_empty() {
            return Ok(());
        }
        if !patience.pause() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "processes of the command do not end"));
        }
    }
}

fn freeze(leaf: &Leaf) -> bool {
    if leaf.freeze().is_err() {
        return false;
    }
    let mut patience = Patience::default();
    while !leaf.frozen().unwrap_or(true) && patience.pause() {}
    true
}

fn look(pids: &[i32]) -> BTreeMap<i32, Who> {
    let read = |pid: &i32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        who(&status).map(|who| (*pid, who))
    };
    pids.iter().filter_map(read).collect()
}

/// Reads `/proc/<pid>/status`: the last number of a namespace line is the innermost. The dead are nobody.
fn who(status: &str) -> Option<Who> {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
    if field("State:")?.trim_start().starts_with(['Z', 'X']) {
        return None;
    }
    let innermost = |name: &str| field(name)?.split_whitespace().next_back()?.parse().ok();
    Some(Who {
        parent: field("PPid:")?.trim().parse().ok()?,
        inside: innermost("NSpid:")?,
        session: innermost("NSsid:")?,
    })
}

/// The foreground tree of the command that leads session `inside`.
fn foreground(all: &BTreeMap<i32, Who>, inside: u32) -> BTreeSet<i32> {
    let mut tree: BTreeSet<i32> = all
        .iter()
        .filter(|(_, who)| who.inside == inside || who.session == inside)
        .map(|(pid, _)| *pid)
        .collect();
    loop {
        let below = all.iter().filter(|(_, who)| tree.contains(&who.parent)).map(|(pid, _)| *pid);
        let grown: BTreeSet<i32> = below.chain(tree.iter().copied()).collect();
        if grown.len() == tree.len() {
            return tree;
        }
        tree = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(parent: i32, inside: u32, session: u32) -> Who {
        Who { parent, inside, session }
    }

    #[test]
    fn daemons_are_spared_and_children_in_new_sessions_are_not() {
        let all = BTreeMap::from([
            (100, process(50, 2, 2)),
            (101, process(100, 3, 2)),
            // setsid, but still a child
            (102, process(101, 4, 4)),
            (103, process(102, 5, 4)),
            // orphaned, but still in the session
            (104, process(50, 6, 2)),
            // a daemon: own session, child of pid 1
            (105, process(50, 7, 7)),
            (106, process(105, 8, 7)),
        ]);
        assert_eq!(foreground(&all, 2), BTreeSet::from([100, 101, 102, 103, 104]));
    }

    #[test]
    fn the_innermost_number_counts_and_the_dead_do_not() {
        let status = "Name:\tsh\nState:\tS (sleeping)\nPPid:\t50\nNSpid:\t4711\t12\nNSsid:\t4700\t2\n";
        assert_eq!(who(status), Some(process(50, 12, 2)));
        assert_eq!(who(&status.replace("S (sleeping)", "Z (zombie)")), None);
    }
}
