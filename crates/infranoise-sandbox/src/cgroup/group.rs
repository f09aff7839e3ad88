//! One group in all trees at once: a trial, its work, or one command.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::hierarchy::{Controller, Depth, Located, Version};

/// The part of a group that is in one tree.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub version: Version,
    pub dir: PathBuf,
    /// Whether the folder is this group's own, or the nearest one above it that this tree has.
    pub own: bool,
}

/// A group in all trees.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub parts: Vec<Part>,
    pub at: Located,
}

impl Group {
    /// The part in a controller's tree, if that part is this group's own.
    pub fn part(&self, controller: Controller) -> Option<&Part> {
        let part = &self.parts[self.at.get(controller)?];
        part.own.then_some(part)
    }

    /// A group below this one, in every tree that goes deep enough.
    pub fn child(&self, name: &str, depth: Depth, depths: &[Depth]) -> Self {
        let deepen = |(part, deepest): (&Part, &Depth)| {
            if *deepest < depth {
                return Part { own: false, ..part.clone() };
            }
            Part { dir: part.dir.join(name), own: true, version: part.version }
        };
        Self { parts: self.parts.iter().zip(depths).map(deepen).collect(), at: self.at }
    }

    /// The folders that are this group's own.
    pub fn own_dirs(&self) -> impl DoubleEndedIterator<Item = &Path> {
        self.parts.iter().filter(|part| part.own).map(|part| part.dir.as_path())
    }

    /// The files into which a process with a single thread writes 0 to join. On version 1 that is `tasks`: a thread that moves itself
    /// need not wait until every processor has seen the move.
    pub fn join_files(&self) -> Vec<PathBuf> {
        let file = |version| match version {
            Version::V1 => "tasks",
            Version::V2 => "cgroup.procs",
        };
        self.parts.iter().map(|part| part.dir.join(file(part.version))).collect()
    }
}

/// The groups directly below a folder.
pub(crate) fn children(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    // Where folders count their links, one without folders in it has two: itself and its name. Most groups are such.
    if fs::metadata(dir)?.nlink() == 2 {
        return Ok(found);
    }
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// A folder and all groups below it, parents first.
pub(crate) fn subtree(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = vec![dir.to_owned()];
    let mut next = 0;
    while let Some(dir) = all.get(next) {
        let below = match children(dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && next > 0 => Vec::new(),
            found => found?,
        };
        all.extend(below);
        next += 1;
    }
    Ok(all)
}

/// The processes in a folder and in all groups below it.
pub(crate) fn pids(dir: &Path) -> io::Result<Vec<i32>> {
    let mut found = Vec::new();
    for dir in subtree(dir)? {
        match super::knob::read(&dir, "cgroup.procs") {
            Ok(text) => found.extend(text.lines().filter_map(|line| line.parse::<i32>().ok())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
