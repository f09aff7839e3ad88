//! From the host into a sandbox.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, fchmod, mkdirat, renameat};
use rustix::io::Errno;

use super::{Inside, TRIES, open_beneath, unfit};

/// What stands in the way is given this name, with a number.
const ASIDE: &str = ".moved-aside-by-infranoise";

impl Inside {
    /// Copies a file or a folder of the host to a path inside. Links on the host are copied as what they point at.
    pub(crate) fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        let metadata = fs::metadata(from)?;
        if metadata.is_dir() {
            drop(self.make_folder(to)?);
            for entry in fs::read_dir(from)? {
                let entry = entry?;
                self.put(&entry.path(), &to.join(entry.file_name()))?;
            }
            return Ok(());
        }
        if !metadata.is_file() {
            return Err(unfit("is neither a file nor a folder"));
        }
        let (Some(parent), Some(name)) = (to.parent(), to.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let target = new_file(&self.make_folder(parent)?, name)?;
        fchmod(&target, Mode::from_raw_mode(metadata.permissions().mode() & 0o7777))?;
        io::copy(&mut File::open(from)?, &mut File::from(target)).map(drop)
    }

    /// Opens a folder, making it and those above it if they are not there. What is there and is no folder is moved aside.
    pub(crate) fn make_folder(&self, path: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        match self.open(path, flags) {
            Err(error) if in_the_way(&error) => {}
            opened => return opened,
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let above = self.make_folder(parent)?;
        for _ in 0..TRIES {
            match mkdirat(&above, name, Mode::from_raw_mode(0o755)) {
                Ok(()) => {}
                Err(Errno::EXIST) => move_aside(&above, name)?,
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
