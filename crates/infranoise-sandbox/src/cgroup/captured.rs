//! Hosts in a temporary folder, made of files that were captured from real kernels: for tests, which then need neither root nor that
//! kernel. Nothing is enforced there; what is written is what is read back.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

const V1: &str = include_str!("../../tests/fixtures/cgroup/v1.txt");
const V2: &str = include_str!("../../tests/fixtures/cgroup/v2.txt");

/// The trees of a version 1 host, as they are mounted.
pub(crate) const V1_TREES: [&str; 6] = ["memory", "cpu", "cpuacct", "pids", "blkio", "freezer"];

/// A kind of host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    V1,
    Hybrid,
    V2,
}

/// A host below a folder. This process sits in `/mine` of each tree.
pub(crate) fn host(kind: Kind, swap_kb: u64) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let (mut mounts, mut own) = (String::new(), String::new());
    let mut tree = |point: &str, kind: &str, options: &str| {
        mounts.push_str(&format!("9 9 0:9 / /{point} rw,relatime - {kind} {kind} rw,{options}\n"));
        fs::create_dir_all(root.join(point).join("mine")).expect("a tree");
    };
    if kind != Kind::V2 {
        for name in V1_TREES {
            tree(&format!("sys/fs/cgroup/{name}"), "cgroup", name);
            own.push_str(&format!("9:{name}:/mine\n"));
        }
    }
    let (point, controllers) = match kind {
        Kind::V1 => ("", ""),
        Kind::Hybrid => ("sys/fs/cgroup/unified", "hugetlb"),
        Kind::V2 => ("sys/fs/cgroup", "cpuset cpu io memory pids"),
    };
    if !point.is_empty() {
        tree(point, "cgroup2", "nsdelegate");
        own.push_str("0::/mine\n");
        for dir in ["", "mine"] {
            let at = |file: &str| root.join(point).join(dir).join(file);
            fs::write(at("cgroup.controllers"), controllers).expect("is written");
            fs::write(at("cgroup.subtree_control"), "").expect("is written");
        }
    }
    fs::create_dir_all(root.join("proc/self")).expect("a folder");
    let meminfo = format!("MemTotal:       24684092 kB\nSwapTotal:      {swap_kb} kB\n");
    for (file, text) in [("self/mountinfo", mounts), ("self/cgroup", own), ("meminfo", meminfo)] {
        fs::write(root.join("proc").join(file), text).expect("is written");
    }
    folder
}

/// Makes a group as a kernel does: with its files in it.
pub(crate) fn make(dir: &Path) -> io::Result<()> {
    fs::create_dir(dir)?;
    let path = dir.to_string_lossy();
    let tree = V1_TREES.into_iter().chain(["unified"]).find(|tree| path.contains(&format!("cgroup/{tree}/")));
    let (text, tree) = tree.map_or((V2, "v2"), |tree| (V1, tree));
    for section in text.split("\n@@ ").skip(1) {
        let (name, content) = section.split_once('\n').unwrap_or((section, ""));
        if let Some(file) = name.strip_prefix(tree).and_then(|name| name.strip_prefix('/')) {
            fs::write(dir.join(file), content)?;
        }
    }
    Ok(())
}

/// The same on a kernel that is older: without what came later.
pub(crate) fn make_old(dir: &Path) -> io::Result<()> {
    make(dir)?;
    for file in ["memory.oom.group", "memory.peak", "memory.events.local", "pids.peak", "memory.swap.max"] {
        match fs::remove_file(dir.join(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}
