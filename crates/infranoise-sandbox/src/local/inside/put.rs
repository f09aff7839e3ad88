//! From the host into a sandbox.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, fchmod, mkdirat, open, renameat, symlinkat};
use rustix::io::Errno;

use super::{Inside, TRIES, open_beneath, unfit};

/// What stands in the way is given this name, with a number.
const ASIDE: &str = ".moved-aside-by-infranoise";

/// What happens to something that stands where a folder must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A running trial may have put it there, and must not keep the tests out.
    MovedAside,
    /// Nothing has run yet: the task itself is wrong, and does not start.
    Refused,
}

impl Inside {
    /// Copies a file or a folder of the host to a path inside, whatever the trial put in the way.
    pub(crate) fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        if fs::symlink_metadata(from)?.is_symlink() {
            return Err(unfit("is a link, and links of the host are not followed"));
        }
        self.lay(from, to, Obstacle::MovedAside)
    }

    /// The same for links as well. They are never followed, since whoever wrote a task could point one at the host's secrets: they are
    /// made again as links, which then lead to places inside.
    pub(crate) fn lay(&self, from: &Path, to: &Path, obstacle: Obstacle) -> io::Result<()> {
        let metadata = fs::symlink_metadata(from)?;
        if metadata.is_dir() {
            drop(self.make_folder(to, obstacle)?);
            for entry in fs::read_dir(from)? {
                let entry = entry?;
                self.lay(&entry.path(), &to.join(entry.file_name()), obstacle)?;
            }
            return Ok(());
        }
        let (Some(parent), Some(name)) = (to.parent(), to.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let folder = self.make_folder(parent, obstacle)?;
        if metadata.is_symlink() {
            return new_link(&fs::read_link(from)?, &folder, name);
        }
        if !metadata.is_file() {
            return Err(unfit("is neither a file nor a folder nor a link"));
        }
        // Opened so that a link put there since it was looked at is refused.
        let source = open(from, OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
        let target = new_file(&folder, name)?;
        fchmod(&target, Mode::from_raw_mode(metadata.permissions().mode() & 0o7777))?;
        io::copy(&mut File::from(source), &mut File::from(target)).map(drop)
    }

    /// Opens a folder, making it and those above it if they are not there.
    pub(crate) fn make_folder(&self, path: &Path, obstacle: Obstacle) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        match self.open(path, flags) {
            Err(error) if in_the_way(&error) => {}
            opened => return opened,
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let above = self.make_folder(parent, obstacle)?;
        for _ in 0..TRIES {
            match mkdirat(&above, name, Mode::from_raw_mode(0o755)) {
                Ok(()) => {}
                Err(Errno::EXIST) if obstacle == Obstacle::MovedAside => move_aside(&above, name)?,
                Err(Errno::EXIST) => return Err(unfit("is to be laid where something is that is no folder")),
                Err(error) => return Err(error.into()),
            }
            match self.open(path, flags) {
                Err(error) if in_the_way(&error) => {}
                opened => return opened,
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}

/// Nothing is there, or something that is no folder.
fn in_the_way(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR | libc::ELOOP))
}

/// A file that was not there before; what had its name is moved aside, whatever it is.
fn new_file(folder: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    for _ in 0..TRIES {
        match open_beneath(folder, Path::new(name), flags, 0o600) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => move_aside(folder, name)?,
            opened => return opened,
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// A link that was not there before.
fn new_link(leads_to: &Path, folder: &OwnedFd, name: &OsStr) -> io::Result<()> {
    for _ in 0..TRIES {
        match symlinkat(leads_to, folder, name) {
            Err(Errno::EXIST) => move_aside(folder, name)?,
            made => return Ok(made?),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// One rename, however large or deep it is. A mount cannot be moved, and then what is mounted there stays.
fn move_aside(folder: &OwnedFd, name: &OsStr) -> io::Result<()> {
    for number in 0..u32::MAX {
        let mut aside = name.to_owned();
        aside.push(format!("{ASIDE}-{number}"));
        match rustix::fs::statat(folder, &aside, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => {}
            Err(_) => {
                return match renameat(folder, name, folder, &aside) {
                    // Gone by itself.
                    Err(Errno::NOENT) => Ok(()),
                    moved => Ok(moved?),
                };
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
