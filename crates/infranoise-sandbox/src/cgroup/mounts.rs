//! Where control groups are mounted, and in which of them this process sits.

use std::path::{Path, PathBuf};

/// One mounted tree of control groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mount {
    /// Which part of the tree is mounted.
    pub root: PathBuf,
    /// Where.
    pub point: PathBuf,
    /// The controllers of a version 1 tree; `None` for version 2, whose controllers stand in a file of its own.
    pub v1: Option<Vec<String>>,
    /// Whether it is mounted read-only.
    pub read_only: bool,
}

/// A group that this process sits in: the controllers of its tree (none for version 2) and its path from the tree's root.
pub(crate) type OwnGroup = (Vec<String>, PathBuf);

/// The control group mounts in the text of `/proc/self/mountinfo`.
pub(crate) fn mounts(mountinfo: &str) -> Vec<Mount> {
    mountinfo.lines().filter_map(mount).collect()
}

/// Reads `36 35 98:0 /root /point rw,nosuid shared:1 - cgroup source rw,memory`.
fn mount(line: &str) -> Option<Mount> {
    let (front, back) = line.split_once(" - ")?;
    let mut front = front.split(' ').skip(3);
    let (root, point, options) = (front.next()?, front.next()?, front.next()?);
    let mut back = back.split(' ');
    let (kind, _source, superblock) = (back.next()?, back.next()?, back.next()?);
    let v1 = match kind {
        "cgroup2" => None,
        "cgroup" => Some(superblock.split(',').map(str::to_owned).collect()),
        _ => return None,
    };
    let read_only = options.split(',').chain(superblock.split(',')).any(|option| option == "ro");
    Some(Mount { root: unescape(root), point: unescape(point), v1, read_only })
}

/// Mount tables write blanks, tabs, line ends and backslashes as three octal digits.
fn unescape(text: &str) -> PathBuf {
    let blank = text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n");
    PathBuf::from(blank.replace("\\134", "\\"))
}

/// The groups in the text of `/proc/self/cgroup`.
pub(crate) fn own_groups(text: &str) -> Vec<OwnGroup> {
    text.lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            let controllers = controllers.split(',').filter(|name| !name.is_empty());
            Some((controllers.map(str::to_owned).collect(), PathBuf::from(path)))
        })
        .collect()
}

impl Mount {
    /// Whether this is the tree of the given version 1 controller.
    pub fn has(&self, controller: &str) -> bool {
        self.v1.as_ref().is_some_and(|names| names.iter().any(|name| name == controller))
    }

    /// Where the group that this process sits in is to be seen in this mount: the mount point itself, or a folder beneath.
    pub fn own_place(&self, own: &[OwnGroup]) -> PathBuf {
        let mine = own.iter().find(|(names, _)| match &self.v1 {
            None => names.is_empty(),
            Some(_) => names.iter().any(|name| self.has(name)),
        });
        let below = mine.and_then(|(_, path)| path.strip_prefix(&self.root).ok());
        match below {
            Some(below) if below != Path::new("") => self.point.join(below),
            _ => self.point.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_lines_are_read_whatever_stands_in_them() {
        let cases = [
            ("31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw", None),
            ("35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory", Some((false, true))),
            ("35 31 0:32 / /c ro,nosuid shared:9 master:2 - cgroup cgroup rw,cpu,memory", Some((true, true))),
            ("41 31 0:38 /a /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate", Some((false, false))),
            ("garbage", None),
        ];
        for (line, expected) in cases {
            let got = mount(line).map(|mount| (mount.read_only, mount.has("memory")));
            assert_eq!(got, expected, "{line}");
        }
        let odd = mount(r"1 2 3:4 / /a\040b rw - cgroup2 none rw").expect("a mount");
        assert_eq!(odd.point, Path::new("/a b"));
    }

    #[test]
    fn ones_own_group_is_found_in_the_mount() {
        let own = own_groups("4:memory:/api/x\n1:cpu,cpuacct:/\n0::/user.slice/run.scope\n");
        let find = |line: &str| mount(line).expect("a mount").own_place(&own);
        let cases = [
            ("35 31 0:32 / /m rw - cgroup cgroup rw,memory", "/m/api/x"),
            ("35 31 0:32 /api /m rw - cgroup cgroup rw,memory", "/m/x"),
            ("35 31 0:32 /api/x /m rw - cgroup cgroup rw,memory", "/m"),
            ("35 31 0:32 /other /m rw - cgroup cgroup rw,memory", "/m"),
            ("35 31 0:32 / /c rw - cgroup cgroup rw,cpuacct,cpu", "/c"),
            ("35 31 0:32 / /u rw - cgroup2 none rw", "/u/user.slice/run.scope"),
        ];
        for (line, expected) in cases {
            assert_eq!(find(line), Path::new(expected), "{line}");
        }
    }
}
