//! From inside to the host.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, FileType, OFlags};

use super::{Inside, kind, open_beneath, real_system, regular, unfit};

/// At most so many bytes are fetched at once, so that no sandbox fills the host's disk.
const MOST_BYTES: u64 = 4 << 30;
/// At most so many files and folders, and so deep.
const MOST_ENTRIES: u32 = 200_000;
const MOST_DEPTH: u32 = 64;

/// What was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Regular files that were copied.
    pub files: u32,
    /// Their bytes.
    pub bytes: u64,
    /// What was left out, since it is neither a regular file nor a folder.
    pub left_out: Vec<PathBuf>,
}

impl Inside {
    /// Copies a file or a folder from inside to the host.
    pub(crate) fn get(&self, from: &Path, to: &Path) -> io::Result<Fetched> {
        let source = self.open(from, OFlags::RDONLY | OFlags::NONBLOCK)?;
        let mut fetch = Fetch { done: Fetched::default(), entries_left: MOST_ENTRIES };
        fetch.take(source, to, MOST_DEPTH)?;
        Ok(fetch.done)
    }
}

struct Fetch {
    done: Fetched,
    entries_left: u32,
}

impl Fetch {
    fn take(&mut self, source: OwnedFd, to: &Path, depth: u32) -> io::Result<()> {
        self.entries_left = self.entries_left.checked_sub(1).ok_or_else(|| unfit("holds too many files"))?;
        match kind(&source)? {
            FileType::RegularFile => self.file(source, to),
            FileType::Directory => {
                self.folder(&source, to, depth.checked_sub(1).ok_or_else(|| unfit("is too deep"))?)
            }
            _ => {
                self.done.left_out.push(to.to_owned());
                Ok(())
            }
        }
    }

    fn file(&mut self, source: OwnedFd, to: &Path) -> io::Result<()> {
        regular(&source)?;
        let room = MOST_BYTES - self.done.bytes;
        let copied = io::copy(&mut File::from(source).take(room + 1), &mut File::create(to)?)?;
        if copied > room {
            return Err(unfit("is too large"));
        }
        self.done.bytes += copied;
        self.done.files += 1;
        Ok(())
    }

    fn folder(&mut self, source: &OwnedFd, to: &Path, depth: u32) -> io::Result<()> {
        real_system(source)?;
        fs::create_dir_all(to)?;
        for entry in Dir::read_from(source)? {
            let entry = entry?;
            // A single name: the kernel lets none hold a slash.
            let name = Path::new(OsStr::from_bytes(entry.file_name().to_bytes()));
            if name == Path::new(".") || name == Path::new("..") {
                continue;
            }
            match open_beneath(source, name, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW, 0) {
                Ok(below) => self.take(below, &to.join(name), depth)?,
                // A link, a socket, or gone by now.
                Err(_) => self.done.left_out.push(to.join(name)),
            }
        }
        Ok(())
    }
}
