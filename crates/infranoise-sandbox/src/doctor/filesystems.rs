//! An overlay is mounted, written to and unmounted again.

use std::fs;
use std::io;
use std::path::Path;

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use super::check::CheckResult;
use super::probe::Probe;

pub(super) fn overlay(probe: &Probe) -> CheckResult {
    let trial = probe.folder().join(format!(".infranoise-doctor-{}", std::process::id()));
    let tried = try_overlay(&trial);
    let removed = fs::remove_dir_all(&trial);
    match tried {
        Ok(()) => match removed {
            Ok(()) => CheckResult::ok(format!("one was mounted in `{}`", probe.folder().display())),
            Err(error) => CheckResult::warn(
                format!("it works, but `{}` could not be removed: {error}", trial.display()),
                "remove it by hand",
            ),
        },
        Err((step, error)) => {
            CheckResult::fail(format!("{step} in `{}`: {error}", probe.folder().display()), way_out(&error))
        }
    }
}

fn try_overlay(trial: &Path) -> Result<(), (&'static str, io::Error)> {
    let at = |name: &str| trial.join(name);
    for name in ["", "lower", "upper", "work", "merged"] {
        fs::create_dir(at(name)).map_err(|error| ("make a folder", error))?;
    }
    fs::write(at("lower/file"), "below").map_err(|error| ("write a file", error))?;
    let options = format!(
        "lowerdir={},upperdir={},workdir={}",
        at("lower").display(),
        at("upper").display(),
        at("work").display()
    );
    let options = std::ffi::CString::new(options).map_err(|error| ("name the folders", error.into()))?;
    mount("overlay", at("merged"), "overlay", MountFlags::NODEV | MountFlags::NOSUID, &*options)
        .map_err(|error| ("mount an overlay", error.into()))?;
    let written = fs::write(at("merged/file"), "above");
    unmount(at("merged"), UnmountFlags::DETACH).map_err(|error| ("unmount the overlay", error.into()))?;
    written.map_err(|error| ("write through the overlay", error))?;
    match fs::read_to_string(at("lower/file")) {
        Ok(text) if text == "below" => Ok(()),
        Ok(_) => Err(("keep the lower layer", io::Error::other("it was written to"))),
        Err(error) => Err(("read the lower layer", error)),
    }
}

fn way_out(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "become root",
        io::ErrorKind::InvalidInput => {
            "this file system cannot carry one (it may be an overlay itself): name another folder, on ext4, xfs or tmpfs"
        }
        io::ErrorKind::StorageFull => "make room, or name another folder",
        io::ErrorKind::NotFound => "name a folder that exists",
        _ => "`modprobe overlay`, or name a folder on ext4, xfs or tmpfs",
    }
}
