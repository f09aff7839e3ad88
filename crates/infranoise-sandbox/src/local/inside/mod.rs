//! Files of a sandbox, reached from the host without believing anything that is in there.
//!
//! Every path is resolved beneath the sandbox's root by the kernel (`openat2`): links and `..` that somebody planted inside lead to
//! places inside. Only regular files and folders are read, never pipes, devices or the kernel's own files. Whatever stands in the way
//! of something that is put in is moved aside: a task cannot make its own grading fail as if the engine had.

mod get;
mod put;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, fstatfs, open, openat2};

pub(crate) use get::BOUNDS;
pub use get::Fetched;
pub(crate) use put::Obstacle;

/// File systems that are the kernel talking: proc, sysfs, both control groups, and others of their kind.
const NOT_FILES: [i64; 7] =
    [0x9fa0, 0x6265_6572, 0x0027_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673];

/// How often something is tried again while somebody inside moves things about.
const TRIES: u32 = 16;

/// The root of a sandbox.
#[derive(Debug)]
pub(crate) struct Inside {
    root: OwnedFd,
}

impl Inside {
    /// The root of the process with this id on the host.
    pub(crate) fn of(pid: i32) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { root: open(format!("/proc/{pid}/root"), flags, Mode::empty())? })
    }

    /// Opens a path as it is seen from the root.
    fn open(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        open_beneath(&self.root, path, flags, 0)
    }

    /// The content of a small regular file; `None` if there is none of that name.
    pub(crate) fn read_small(&self, path: &Path, limit_bytes: u64) -> io::Result<Option<Vec<u8>>> {
        let file = match self.open(path, OFlags::RDONLY | OFlags::NONBLOCK) {
            Ok(file) => file,
            Err(error) => {
                return match error.raw_os_error() {
                    Some(libc::ENOENT | libc::ENOTDIR) => Ok(None),
                    Some(libc::ELOOP) => Err(unfit("is a loop of links")),
                    // What a socket says that is opened as a file.
                    Some(libc::ENXIO) => Err(unfit("is not a regular file")),
                    _ => Err(error),
                };
            }
        };
        regular(&file)?;
        let mut content = Vec::new();
        File::from(file).take(limit_bytes + 1).read_to_end(&mut content)?;
        if content.len() as u64 > limit_bytes {
            return Err(unfit("is larger than it may be"));
        }
        Ok(Some(content))
    }
}

/// Opens a path that cannot lead out of a folder.
fn open_beneath(folder: impl AsFd, path: &Path, flags: OFlags, mode: u32) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    // Somebody inside may be renaming folders at this moment: the kernel then asks to try again.
    for _ in 0..TRIES {
        match openat2(&folder, path, flags | OFlags::CLOEXEC, Mode::from_raw_mode(mode), resolve) {
            Err(rustix::io::Errno::AGAIN) => {}
            opened => return Ok(opened?),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

fn kind(file: &OwnedFd) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(file)?.st_mode))
}

/// Refuses what is not a regular file of a real file system.
fn regular(file: &OwnedFd) -> io::Result<()> {
    if kind(file)? != FileType::RegularFile {
        return Err(unfit("is not a regular file"));
    }
    real_system(file)
}

/// Refuses what is the kernel's own.
fn real_system(file: &OwnedFd) -> io::Result<()> {
    let system = fstatfs(file)?.f_type;
    if NOT_FILES.contains(&system) { Err(unfit("is a file of the kernel's own")) } else { Ok(()) }
}

fn unfit(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
