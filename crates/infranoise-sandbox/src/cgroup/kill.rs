//! Freezing and killing whole groups, whatever the host has for it.

use std::io;

use rustix::process::{Pid, Signal, kill_process};

use super::core_v2;
use super::error::CgroupError;
use super::freezer_v1;
use super::group::{self, Group, Part};
use super::hierarchy::{Controller, Version};
use super::patience::Patience;

/// Stops or continues a group.
pub(crate) fn freeze(group: &Group, frozen: bool) -> io::Result<()> {
    let part = freezer(group)?;
    match part.version {
        Version::V1 => freezer_v1::freeze(&part.dir, frozen),
        Version::V2 => core_v2::freeze(&part.dir, frozen),
    }
}

/// Whether a group has stopped.
pub(crate) fn frozen(group: &Group) -> io::Result<bool> {
    let part = freezer(group)?;
    match part.version {
        Version::V1 => freezer_v1::frozen(&part.dir),
        Version::V2 => core_v2::frozen(&part.dir),
    }
}

fn freezer(group: &Group) -> io::Result<&Part> {
    let missing = || io::Error::new(io::ErrorKind::Unsupported, "this host has no usable freezer");
    group.part(Controller::Freezer).ok_or_else(missing)
}

/// The processes of a group: from the tree that has one folder for each command.
pub(crate) fn pids(group: &Group) -> io::Result<Vec<i32>> {
    let trees = [Controller::Freezer, Controller::Memory, Controller::Pids];
    let part = trees.into_iter().find_map(|controller| group.part(controller));
    match part.map(|part| group::pids(&part.dir)) {
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Some(found) => found,
        None => Ok(Vec::new()),
    }
}

/// Kills every process of a group and waits until none is left.
pub(crate) fn kill(group: &Group) -> Result<(), CgroupError> {
    let Some(dir) = group.own_dirs().next() else { return Ok(()) };
    let read = |group: &Group| pids(group).map_err(CgroupError::read(dir));
    let mut patience = Patience::default();
    let mut tries = 0;
    loop {
        let left = read(group)?;
        if left.is_empty() {
            return Ok(());
        }
        if !at_once(group) {
            one_by_one(group);
        }
        tries += 1;
        if !read(group)?.is_empty() && !patience.pause() {
            return Err(CgroupError::Undying { path: dir.to_owned(), tries, pids: left });
        }
    }
}

/// The kernel kills them all in one go, and misses no fork.
fn at_once(group: &Group) -> bool {
    match group.part(Controller::Freezer) {
        Some(Part { version: Version::V2, dir, .. }) => core_v2::kill(dir).is_ok(),
        _ => false,
    }
}

/// Freezes them so that none forks or hands its number on, kills each, and thaws. Where there is no freezer, the loop above goes
/// on until none is left.
fn one_by_one(group: &Group) {
    let stopped = freeze(group, true).is_ok() && wait_frozen(group);
    for pid in pids(group).unwrap_or_default().into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
    if stopped || group.part(Controller::Freezer).is_some() {
        let _ = freeze(group, false);
    }
}

/// Waits a little for all to stop; a task in the middle of disk I/O takes its time.
fn wait_frozen(group: &Group) -> bool {
    let mut patience = Patience::default();
    loop {
        match frozen(group) {
            Ok(true) => return true,
            Ok(false) if patience.pause() => {}
            Ok(false) | Err(_) => return false,
        }
    }
}
