//! The sandbox's mounts, from the layers to the last bind.
//!
//! Everything of the host that is seen inside is cloned as a detached tree *before* the root is changed; every target is resolved
//! *after*, so that no symbolic link in a root that somebody else made can point a mount at the host.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_change,
    mount_remount, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::plan::{Layer, SandboxPlan};
use super::step::{Failed, Step};
use super::{devices, kernel_files};

/// Puts the root together and moves into it; of the host's tree nothing remains.
pub(super) fn enter_root(plan: &SandboxPlan, volume: Option<&OwnedFd>) -> Result<(), Failed> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .step("make mounts private")?;
    if let (Some(place), Some(volume)) = (&plan.volume, volume) {
        move_mount(volume, "", CWD, place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
            .step("attach the volume")?;
    }
    for layer in &plan.layers {
        lay(layer, plan)?;
    }
    let trees = plan
        .binds
        .iter()
        .map(|bind| Ok((bind, clone_tree(&bind.from)?, bind.from.is_dir())))
        .collect::<Result<Vec<_>, Failed>>()?;
    let processors = clone_tree(Path::new(kernel_files::PROCESSORS)).ok();
    let nodes = plan.user_namespace.then(devices::of_host).transpose()?;
    let proc = plan.user_namespace.then(kernel_files::proc_for_later).transpose()?;
    chdir(&plan.mount_point).step("enter the new root")?;
    pivot_root(".", ".").step("pivot_root")?;
    unmount(".", UnmountFlags::DETACH).step("leave the old root")?;
    chdir("/").step("enter the new root")?;
    kernel_files::mount_all(proc, processors, plan.seen.as_ref())?;
    devices::make_all(nodes)?;
    for (bind, tree, folder) in trees {
        attach(&tree, &bind.to, folder)?;
        restrict(&bind.to, if bind.writable { MountFlags::empty() } else { MountFlags::RDONLY })?;
    }
    Ok(())
}

fn lay(layer: &Layer, plan: &SandboxPlan) -> Result<(), Failed> {
    let target = if layer.at.as_os_str().is_empty() {
        plan.mount_point.clone()
    } else {
        plan.mount_point.join(&layer.at)
    };
    // Attributes of the kind that overlayfs usually keeps its notes in are for the host's root alone.
    let mut options = if plan.user_namespace { b"volatile,userxattr".to_vec() } else { b"volatile".to_vec() };
    for (key, path) in [("lowerdir", &layer.lower), ("upperdir", &layer.upper), ("workdir", &layer.work)] {
        options.extend_from_slice(format!(",{key}=").as_bytes());
        options.extend_from_slice(&escaped(path));
    }
    let options = std::ffi::CString::new(options).map_err(std::io::Error::from).step("name the layers")?;
    mount("overlay", &target, "overlay", MountFlags::NODEV, options.as_c_str())
        .step(format_args!("mount the layer at /{}", layer.at.display()))
}

/// A path as overlayfs wants it: commas, colons and backslashes are its own.
fn escaped(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(path.as_os_str().len());
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b',' | b':' | b'\\') {
            bytes.push(b'\\');
        }
        bytes.push(*byte);
    }
    bytes
}

/// A detached copy of a mount's subtree.
pub(super) fn clone_tree(from: &Path) -> Result<OwnedFd, Failed> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    open_tree(CWD, from, flags).step(format_args!("clone {}", from.display()))
}

/// Attaches a detached tree inside, making the mount point if it is not there.
pub(super) fn attach(tree: &OwnedFd, to: &Path, folder: bool) -> Result<(), Failed> {
    mount_point(to, folder).step(format_args!("make the mount point {}", to.display()))?;
    // Links in the way are followed, inside: as with every other mount.
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_SYMLINKS;
    move_mount(tree, "", CWD, to, flags).step(format_args!("mount over {}", to.display()))
}

/// Makes the mount at a path read-only, without devices or set-user-id programs.
pub(super) fn read_only(at: &Path) -> Result<(), Failed> {
    restrict(at, MountFlags::RDONLY)
}

/// Sets the flags of the mount at a path. What it was born with stays: in a user namespace the host's restrictions are locked.
pub(super) fn restrict(at: &Path, more: MountFlags) -> Result<(), Failed> {
    let born = statvfs(at).step(format_args!("look at the mount at {}", at.display()))?.f_flag;
    let kept =
        if born.contains(StatVfsMountFlags::NOEXEC) { MountFlags::NOEXEC } else { MountFlags::empty() };
    let flags = MountFlags::BIND | MountFlags::NODEV | MountFlags::NOSUID | more | kept;
    mount_remount(at, flags, c"").step(format_args!("restrict the mount at {}", at.display()))
}

fn mount_point(at: &Path, folder: bool) -> std::io::Result<()> {
    if folder {
        return fs::create_dir_all(at);
    }
    if fs::metadata(at).is_ok() {
        return Ok(());
    }
    fs::create_dir_all(at.parent().unwrap_or(Path::new("/")))?;
    fs::File::create(at).map(drop)
}

/// Mounts a new file system inside.
pub(super) fn fresh(
    kind: &str,
    at: &str,
    flags: MountFlags,
    options: &std::ffi::CStr,
) -> Result<PathBuf, Failed> {
    let path = PathBuf::from(at);
    mount_point(&path, true).step(format_args!("make the mount point {at}"))?;
    mount(kind, &path, kind, flags, options).step(format_args!("mount {at}"))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_overlayfs_would_split_are_escaped() {
        assert_eq!(escaped(Path::new("/a,b:c\\d")), b"/a\\,b\\:c\\\\d");
        assert_eq!(escaped(Path::new("/plain")), b"/plain");
    }
}
