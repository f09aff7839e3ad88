//! A minimal /dev: what programs expect, and nothing that reaches hardware.

use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use rustix::mount::MountFlags;

use super::mounts::{attach, clone_tree, fresh};
use super::step::{Failed, Step};

/// Name and minor number of the memory devices (major 1), and of the terminal (major 5).
const NODES: [(&str, u32, u32); 6] = [
    ("/dev/null", 1, 3),
    ("/dev/zero", 1, 5),
    ("/dev/full", 1, 7),
    ("/dev/random", 1, 8),
    ("/dev/urandom", 1, 9),
    ("/dev/tty", 5, 0),
];

const LINKS: [(&str, &str); 5] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("pts/ptmx", "/dev/ptmx"),
];

/// The host's own nodes, detached, for a namespace in which none can be made. To be taken before the root is changed.
pub(super) fn of_host() -> Result<Vec<OwnedFd>, Failed> {
    NODES.iter().map(|(path, ..)| clone_tree(Path::new(path))).collect()
}

/// Makes /dev with its nodes, pseudo terminals and shared memory.
pub(super) fn make_all(of_host: Option<Vec<OwnedFd>>) -> Result<(), Failed> {
    fresh("tmpfs", "/dev", MountFlags::NOSUID | MountFlags::NOEXEC, c"mode=755,size=64k,nr_inodes=64")?;
    match of_host {
        Some(nodes) => {
            NODES
                .iter()
                .zip(&nodes)
                .try_for_each(|((path, ..), node)| attach(node, Path::new(path), false))?;
        }
        None => make_nodes()?,
    }
    for (target, link) in LINKS {
        symlink(target, link).step(format_args!("link {link}"))?;
    }
    let quiet = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    fresh(
        "devpts",
        "/dev/pts",
        MountFlags::NOSUID | MountFlags::NOEXEC,
        c"newinstance,ptmxmode=0666,mode=0620",
    )?;
    // As large as the memory ceiling lets it be: its pages are charged to the trial.
    fresh("tmpfs", "/dev/shm", quiet, c"mode=1777")?;
    Ok(())
}

fn make_nodes() -> Result<(), Failed> {
    // The nodes say 0666, which the usual mask would cut.
    let mask = rustix::process::umask(Mode::empty());
    for (path, major, minor) in NODES {
        let mode = Mode::from_raw_mode(0o666);
        mknodat(CWD, path, FileType::CharacterDevice, mode, makedev(major, minor))
            .step(format_args!("make {path}"))?;
    }
    rustix::process::umask(mask);
    Ok(())
}
