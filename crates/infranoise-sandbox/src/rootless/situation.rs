//! Who this process is and what it has, as far as that decides what it must become.

use std::fs;
use std::path::{Path, PathBuf};

use infranoise_core::CgroupMode;
use rustix::fs::{Access, access};

use crate::cgroup::Hierarchy;

use super::scope::MARK;

/// Who this process is and what it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Whether its effective user is root, here or in a user namespace.
    pub root: bool,
    /// The host's control groups.
    pub cgroups: CgroupMode,
    /// Whether the group that it sits in is its own to divide.
    pub delegated: bool,
    /// `systemd-run`, if it is installed and this user has a manager that answers it.
    pub systemd_run: Option<PathBuf>,
    /// Whether it was executed again in a scope already.
    pub in_scope: bool,
}

impl Situation {
    /// Looks at this process.
    #[must_use]
    pub fn now() -> Self {
        let hierarchy = Hierarchy::detect(Path::new("/")).ok();
        Self {
            root: rustix::process::geteuid().is_root(),
            cgroups: hierarchy.as_ref().map_or(CgroupMode::Absent, Hierarchy::mode),
            delegated: hierarchy.as_ref().and_then(Hierarchy::own_unified).is_some_and(divisible),
            systemd_run: systemd_run(),
            in_scope: variable(MARK).is_some(),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "where a user's manager is, and the mark, are known to the environment alone"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Delegation means that its processes and what it hands down may be changed.
fn divisible(group: &Path) -> bool {
    ["", "cgroup.procs", "cgroup.subtree_control"]
        .iter()
        .all(|file| access(group.join(file), Access::WRITE_OK).is_ok())
}

/// The program, where the user's manager has its socket.
fn systemd_run() -> Option<PathBuf> {
    let runtime = PathBuf::from(variable("XDG_RUNTIME_DIR")?);
    if !runtime.join("systemd/private").exists() && !runtime.join("bus").exists() {
        return None;
    }
    let path = variable("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("systemd-run")).find(|program| program.is_file())
}

/// Whether this process is in a user namespace other than the host's first: its ids are not the host's.
#[must_use]
pub fn in_user_namespace() -> bool {
    fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| !is_identity(&map))
}

/// The user, as its parent namespace numbers users, that root is in here: whose files it makes. `None` for the host's own root.
#[must_use]
pub fn owner() -> Option<u32> {
    let me = rustix::process::geteuid();
    if !me.is_root() {
        return Some(me.as_raw());
    }
    let map = fs::read_to_string("/proc/self/uid_map").ok()?;
    if is_identity(&map) {
        return None;
    }
    lines(&map).find(|[inside, _, count]| *inside == 0 && *count > 0).map(|[_, outside, _]| outside)
}

fn is_identity(map: &str) -> bool {
    lines(map).eq([[0, 0, u32::MAX]])
}

fn lines(map: &str) -> impl Iterator<Item = [u32; 3]> {
    map.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u32>);
        let mut next = || numbers.next()?.ok();
        Some([next()?, next()?, next()?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read() {
        assert!(is_identity("         0          0 4294967295\n"));
        assert!(!is_identity("         0       1000          1\n         1     100000      65536\n"));
        assert!(!is_identity(""));
        let found: Vec<_> = lines("         0       1000          1\n").collect();
        assert_eq!(found, [[0, 1000, 1]]);
    }
}
