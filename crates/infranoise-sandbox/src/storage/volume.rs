//! The space of one trial: an ext4 file system in a file that nobody can name, on a loop device, mounted nowhere on the host.
//!
//! The file is unlinked and the device set to clear itself: when the last hold on the mount goes (the sandbox's mount namespace and our
//! descriptor), the kernel takes all of it away, also after this process was killed.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_flag, fsconfig_set_string,
    fsmount, fsopen,
};

use super::geometry::{Geometry, MOST_BYTES};
use super::image;
use crate::linux::loops::{self, LoopDevice};

/// For the folders of the layers themselves, so that the trial finds all of what it was promised.
const OUR_OWN: u64 = 256 << 10;

/// What a file system says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Bytes that can still be written.
    pub free_bytes: u64,
    /// Files and folders that can still be made.
    pub free_inodes: u64,
}

/// A mounted file system of a trial's own.
#[derive(Debug)]
pub(crate) struct Volume {
    mount: OwnedFd,
    device: (u32, u32),
    at_first: Room,
}

/// Reads the use of a volume: one call, however many files there are.
#[derive(Debug)]
pub(crate) struct Gauge {
    mount: OwnedFd,
    at_first: Room,
}

impl Gauge {
    /// What is free now.
    pub(crate) fn room(&self) -> Option<Room> {
        room(&self.mount).ok()
    }

    /// What was free before anything was written.
    pub(super) fn at_first(&self) -> Room {
        self.at_first
    }

    /// Bytes in use now.
    pub(crate) fn used_bytes(&self) -> Option<u64> {
        Some(self.at_first.free_bytes.saturating_sub(self.room()?.free_bytes))
    }
}

/// Which step failed, and what the system said.
#[derive(Debug, thiserror::Error)]
#[error("{step}: {source}")]
pub(crate) struct VolumeError {
    pub(crate) step: String,
    pub(crate) source: io::Error,
}

fn at(step: impl Into<String>) -> impl FnOnce(io::Error) -> VolumeError {
    move |source| VolumeError { step: step.into(), source }
}

impl Volume {
    /// Makes one with so many bytes free. `folder` is where its file lies, unseen; `label` is what `losetup` shows.
    pub(crate) fn make(folder: &Path, bytes: u64, label: &str) -> Result<Self, VolumeError> {
        let geometry = Geometry::with_free(bytes.saturating_add(OUR_OWN)).ok_or_else(|| {
            at(format!("{bytes} bytes, of at most {MOST_BYTES}"))(io::ErrorKind::InvalidInput.into())
        })?;
        let file = unnamed(folder).map_err(at("make the image"))?;
        image::write(&file, &geometry).map_err(at("write the image"))?;
        let device = LoopDevice::attach(&file, label).map_err(at("no loop device"))?;
        let number = device.number().map_err(at("no loop device"))?;
        let mount = mount(&device).map_err(at(format!("mount ext4 on {}", device.path().display())))?;
        let at_first = room(&mount).map_err(at("read the space"))?;
        Ok(Self { mount, device: number, at_first })
    }

    /// The mount, attached nowhere yet.
    pub(crate) fn mount(&self) -> BorrowedFd<'_> {
        self.mount.as_fd()
    }

    /// Its root as a path for this process.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.mount.as_raw_fd()))
    }

    /// The device's number, major and minor.
    pub(crate) fn device(&self) -> (u32, u32) {
        self.device
    }

    /// Something that reads its use, also in other threads. It holds the file system.
    pub(crate) fn gauge(&self) -> io::Result<Gauge> {
        Ok(Gauge { mount: rustix::io::fcntl_dupfd_cloexec(&self.mount, 0)?, at_first: self.at_first })
    }

    /// Bytes that a trial finds free: what was asked for.
    pub(crate) fn free_bytes(&self) -> u64 {
        self.at_first.free_bytes.saturating_sub(OUR_OWN)
    }

    /// What was free before anything was written.
    pub(crate) fn at_first(&self) -> Room {
        self.at_first
    }

    /// Throws the content away: what is not on the disk yet is never written. The last hold takes the rest away.
    pub(crate) fn discard(&self) {
        // Where that cannot be done (an old kernel), it is written and then thrown away.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        if let Ok(root) = openat(&self.mount, ".", flags, Mode::empty()) {
            drop(loops::shut_down(root.as_fd()));
        }
    }
}

/// A file without a name in a folder.
fn unnamed(folder: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    if let Ok(file) = rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR) {
        return Ok(File::from(file));
    }
    // A file system that cannot do that: with a name, for a moment.
    let path = folder.join("image");
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

fn mount(device: &LoopDevice) -> io::Result<OwnedFd> {
    let system = fsopen("ext4", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(&system, "source", device.path())?;
    // Nothing here outlives the trial: no flushes, no background work on tables.
    for flag in ["nobarrier", "noinit_itable"] {
        fsconfig_set_flag(&system, flag)?;
    }
    fsconfig_create(&system)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NODEV | MountAttrFlags::MOUNT_ATTR_NOATIME;
    Ok(fsmount(&system, FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

fn room(mount: &OwnedFd) -> io::Result<Room> {
    let said = rustix::fs::fstatvfs(mount)?;
    Ok(Room { free_bytes: said.f_bavail * said.f_frsize, free_inodes: said.f_favail })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_kernel_gives_what_was_asked_for_and_no_more() {
        if !rustix::process::geteuid().is_root() {
            return eprintln!("SKIPPED: loop devices need root");
        }
        let folder = tempfile::tempdir().expect("a folder");
        for bytes in [1 << 20, 60 << 20, 300 << 20, 10 << 30] {
            let volume = Volume::make(folder.path(), bytes, "infranoise test").expect("a volume");
            assert_eq!(volume.at_first().free_bytes, bytes + OUR_OWN);
            if bytes < 1 << 30 {
                let mut file = File::create(volume.path().join("large")).expect("create");
                let error = std::iter::repeat_with(|| file.write_all(&[7; 1 << 16])).find_map(Result::err);
                assert_eq!(error.map(|error| error.kind()), Some(io::ErrorKind::StorageFull));
                let gauge = volume.gauge().expect("a gauge");
                let used = gauge.used_bytes().expect("used");
                assert!(used > bytes && gauge.room().expect("room").free_bytes < 1 << 16, "{used}");
            }
            volume.discard();
        }
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 0);
    }
}
