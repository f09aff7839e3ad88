//! The host's own programs and libraries as a root: a skeleton, and a layer over each folder that holds programs.
//!
//! Only what is named here is seen. Never homes, data or secrets: `/home`, `/root`, `/var`, `/opt`, `/srv`, `/mnt` and whatever else a
//! host has beside them do not exist inside.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::{Lowers, RootError, at, etc};

/// Folders of programs and libraries; on most hosts all but the first are links into it.
const PROGRAMS: [&str; 7] = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"];

/// Empty folders, with their modes.
const EMPTY: [(&str, u32); 16] = [
    ("dev", 0o755),
    ("etc", 0o755),
    ("home", 0o755),
    ("mnt", 0o755),
    ("opt", 0o755),
    ("proc", 0o555),
    ("root", 0o700),
    ("run", 0o755),
    ("run/lock", 0o1777),
    ("srv", 0o755),
    ("sys", 0o555),
    ("tmp", 0o1777),
    ("var", 0o755),
    ("var/cache", 0o755),
    ("var/lib", 0o755),
    ("var/tmp", 0o1777),
];

/// The skeleton and the folders of programs; makes the skeleton if it is not there.
pub(super) fn lowers(skeleton: &Path) -> Result<Lowers, RootError> {
    if !skeleton.exists() {
        make_skeleton(skeleton)?;
    }
    let mut lowers = vec![(PathBuf::new(), skeleton.to_owned())];
    for name in PROGRAMS {
        let on_host = Path::new("/").join(name);
        if on_host.is_dir() && !on_host.is_symlink() {
            lowers.push((PathBuf::from(name), on_host));
        }
    }
    Ok(Lowers(lowers))
}

/// Makes the skeleton beside its place and moves it there, so that it is never seen half made.
fn make_skeleton(skeleton: &Path) -> Result<(), RootError> {
    let unfinished = skeleton.with_extension("new");
    drop(fs::remove_dir_all(&unfinished));
    fs::create_dir_all(&unfinished).map_err(at("make the skeleton", &unfinished))?;
    set_mode(&unfinished, 0o755)?;
    for (name, mode) in EMPTY {
        let folder = unfinished.join(name);
        fs::create_dir(&folder).map_err(at("make a folder of the skeleton", &folder))?;
        set_mode(&folder, mode)?;
    }
    for name in PROGRAMS {
        let on_host = Path::new("/").join(name);
        let inside = unfinished.join(name);
        match fs::read_link(&on_host) {
            Ok(target) => symlink(target, &inside).map_err(at("link a folder of programs", &inside))?,
            Err(_) if on_host.is_dir() => {
                fs::create_dir(&inside).map_err(at("make a folder of the skeleton", &inside))?;
            }
            Err(_) => {}
        }
    }
    etc::fill(&unfinished.join("etc"))?;
    fs::rename(&unfinished, skeleton).map_err(at("finish the skeleton", skeleton))
}

pub(super) fn set_mode(path: &Path, mode: u32) -> Result<(), RootError> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(at("set the mode of", path))
}
