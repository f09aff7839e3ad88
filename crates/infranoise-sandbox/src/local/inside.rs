//! Files of a sandbox, reached from the host without believing anything that is in there.
//!
//! Every path is resolved beneath the sandbox's root by the kernel (`openat2`): links and `..` that somebody planted inside lead to
//! places inside. Only regular files and folders are read, never pipes, devices or the kernel's own files.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, FileType, Mode, OFlags, ResolveFlags, fchmod, fstat, fstatfs, mkdirat, open, openat2};

/// At most so many bytes are fetched at once, so that no sandbox fills the host's disk.
const MOST_BYTES: u64 = 4 << 30;
/// At most so many files and folders, and so deep.
const MOST_ENTRIES: u32 = 200_000;
const MOST_DEPTH: u32 = 64;

/// File systems that are the kernel talking: proc, sysfs, both control groups, and others of their kind.
const NOT_FILES: [i64; 7] =
    [0x9fa0, 0x6265_6572, 0x0027_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673];

/// The root of a sandbox.
#[derive(Debug)]
pub(crate) struct Inside {
    root: OwnedFd,
}

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
    /// The root of the process with this id on the host.
    pub(crate) fn of(pid: i32) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { root: open(format!("/proc/{pid}/root"), flags, Mode::empty())? })
    }

    fn open(&self, at: impl AsFd, path: &Path, flags: OFlags, mode: u32) -> io::Result<OwnedFd> {
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        // Somebody inside may be renaming folders at this moment: the kernel then asks to try again.
        for _ in 0..16 {
            match openat2(&at, path, flags | OFlags::CLOEXEC, Mode::from_raw_mode(mode), resolve) {
                Err(rustix::io::Errno::AGAIN) => {}
                opened => return Ok(opened?),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Opens a folder, making it and those above it if they are not there.
    pub(crate) fn make_folder(&self, path: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        match self.open(&self.root, path, flags, 0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let above = self.make_folder(parent)?;
        match mkdirat(&above, name, Mode::from_raw_mode(0o755)) {
            Err(error) if error != rustix::io::Errno::EXIST => return Err(error.into()),
            Ok(()) | Err(_) => {}
        }
        self.open(&self.root, path, flags, 0)
    }

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
        if let Some(parent) = to.parent() {
            drop(self.make_folder(parent)?);
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NONBLOCK;
        let target = self.open(&self.root, to, flags, 0o600)?;
        regular(&target)?;
        let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777;
        fchmod(&target, Mode::from_raw_mode(mode))?;
        io::copy(&mut File::open(from)?, &mut File::from(target)).map(drop)
    }

    /// Copies a file or a folder from inside to the host.
    pub(crate) fn get(&self, from: &Path, to: &Path) -> io::Result<Fetched> {
        let mut fetched = Fetched::default();
        let source = self.open(&self.root, from, OFlags::RDONLY | OFlags::NONBLOCK, 0)?;
        let mut left = MOST_ENTRIES;
        self.fetch(source, to, MOST_DEPTH, &mut left, &mut fetched)?;
        Ok(fetched)
    }

    fn fetch(
        &self,
        source: OwnedFd,
        to: &Path,
        depth: u32,
        left: &mut u32,
        done: &mut Fetched,
    ) -> io::Result<()> {
        *left = left.checked_sub(1).ok_or_else(|| unfit("holds too many files"))?;
        match kind(&source)? {
            FileType::RegularFile => {
                regular(&source)?;
                let room = MOST_BYTES - done.bytes;
                let mut limited = File::from(source).take(room + 1);
                done.bytes += io::copy(&mut limited, &mut File::create(to)?)?;
                done.files += 1;
                if done.bytes > MOST_BYTES { Err(unfit("is too large")) } else { Ok(()) }
            }
            FileType::Directory => {
                let depth = depth.checked_sub(1).ok_or_else(|| unfit("is too deep"))?;
                regular_system(&source)?;
                fs::create_dir_all(to)?;
                for entry in Dir::read_from(&source)? {
                    let entry = entry?;
                    let name = Path::new(OsStr::from_bytes(entry.file_name().to_bytes()));
                    if name == Path::new(".") || name == Path::new("..") {
                        continue;
                    }
                    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW;
                    match self.open(&source, name, flags, 0) {
                        Ok(below) => self.fetch(below, &to.join(name), depth, left, done)?,
                        // A link, a socket, or gone by now.
                        Err(_) => done.left_out.push(to.join(name)),
                    }
                }
                Ok(())
            }
            _ => {
                done.left_out.push(to.to_owned());
                Ok(())
            }
        }
    }

    /// The content of a small regular file; `None` if there is none of that name.
    pub(crate) fn read_small(&self, path: &Path, limit_bytes: u64) -> io::Result<Option<Vec<u8>>> {
        let file = match self.open(&self.root, path, OFlags::RDONLY | OFlags::NONBLOCK, 0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
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

fn kind(file: &OwnedFd) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(file)?.st_mode))
}

/// Refuses what is not a regular file of a real file system.
fn regular(file: &OwnedFd) -> io::Result<()> {
    if kind(file)? != FileType::RegularFile {
        return Err(unfit("is not a regular file"));
    }
    regular_system(file)
}

fn regular_system(file: &OwnedFd) -> io::Result<()> {
    let system = fstatfs(file)?.f_type;
    if NOT_FILES.contains(&system) { Err(unfit("is a file of the kernel's own")) } else { Ok(()) }
}

fn unfit(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
