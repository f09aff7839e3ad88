//! How fast a trial may read and write disks.
//!
//! Version 2 knows whose page is written back and holds all of it. Version 1 holds what a process waits for (reads past the page cache, direct
//! and synchronous writes); what is written back later is charged to nobody, and that is said.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use infranoise_core::{Bytes, Ceiling, DiskRate, Held};

use super::hierarchy::{Controller, Version};
use super::knob;
use super::trial::TrialGroup;

const NOT_BUFFERED: &str = "; writes from the page cache, which are charged to nobody, are not held";

impl TrialGroup {
    /// Holds a trial to a rate on each of these disks, given by their numbers.
    pub(crate) fn hold_disk_rate(&self, rate: DiskRate, disks: &[(u32, u32)]) -> Held {
        if rate.is_uncapped() {
            return Held::NotAsked;
        }
        let Some((version, dir)) = self.disk_dir() else {
            return knob::no_controller(Controller::Io.v1_name());
        };
        if disks.is_empty() {
            return Held::NotAtAll { why: "the trial's files lie on no disk that has a rate".to_owned() };
        }
        let set = |disk: &(u32, u32)| match version {
            Version::V2 => set_v2(dir, *disk, rate),
            Version::V1 => set_v1(dir, *disk, rate),
        };
        let knob = match version {
            Version::V2 => "io.max",
            Version::V1 => "blkio.throttle",
        };
        match disks.iter().map(set).collect::<io::Result<Vec<_>>>() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Held::NotAtAll { why: format!("this kernel has no {knob}") }
            }
            Err(error) => knob::not_held(knob, &error),
            Ok(values) => {
                let (knob, value) = (knob.to_owned(), values.join(", "));
                match (version, rate.written) {
                    (Version::V1, Ceiling::At(_)) => Held::BestEffort { knob, value: value + NOT_BUFFERED },
                    _ => Held::ByKernel { knob, value },
                }
            }
        }
    }
}

fn set_v2(dir: &Path, (major, minor): (u32, u32), rate: DiskRate) -> io::Result<String> {
    let number = |rate: Ceiling<Bytes>| rate.amount().map_or("max".to_owned(), |bytes| bytes.0.to_string());
    let disk = format!("{major}:{minor}");
    knob::write(dir, "io.max", &format!("{disk} rbps={} wbps={}", number(rate.read), number(rate.written)))?;
    line_of(dir, "io.max", &disk)
}

fn set_v1(dir: &Path, (major, minor): (u32, u32), rate: DiskRate) -> io::Result<String> {
    let disk = format!("{major}:{minor}");
    let mut said = Vec::new();
    for (file, rate) in
        [("blkio.throttle.read_bps_device", rate.read), ("blkio.throttle.write_bps_device", rate.written)]
    {
        if let Ceiling::At(bytes) = rate {
            knob::write(dir, file, &format!("{disk} {}", bytes.0))?;
            said.push(format!(
                "{} {}",
                file.trim_start_matches("blkio.throttle."),
                line_of(dir, file, &disk)?
            ));
        }
    }
    Ok(said.join(", "))
}

/// What the kernel says of one disk.
fn line_of(dir: &Path, file: &str, disk: &str) -> io::Result<String> {
    let text = knob::read(dir, file)?;
    let line = text.lines().find(|line| line.split(' ').next() == Some(disk));
    line.map(str::to_owned).ok_or_else(|| io::Error::other(format!("{file} does not say {disk}")))
}

/// The whole disk under a file or folder, by its number: partitions have no rates of their own. `None` where there is no disk, as under tmpfs.
pub(crate) fn disk_under(path: &Path) -> Option<(u32, u32)> {
    let device = fs::metadata(path).ok()?.dev();
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let place = fs::canonicalize(PathBuf::from(format!("/sys/dev/block/{major}:{minor}"))).ok()?;
    if !place.join("partition").exists() {
        return Some((major, minor));
    }
    let whole = fs::read_to_string(place.parent()?.join("dev")).ok()?;
    let (major, minor) = whole.trim().split_once(':')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
