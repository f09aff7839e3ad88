//! From inside to the host, within bounds: whatever lies in a sandbox, fetching it neither fills the host's disk nor goes on for ever,
//! and nothing half copied stays.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Dir, FileType, OFlags, SeekFrom, seek};

use super::super::clock::Clock;
use super::{Inside, kind, open_beneath, real_system, regular, unfit};

/// What one fetch may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes, by the sizes that the files claim.
    pub(crate) bytes: u64,
    /// Files and folders.
    pub(crate) entries: u32,
    /// Folders in folders.
    pub(crate) depth: u32,
    /// Time.
    pub(crate) time: Duration,
}

/// What logs and artifacts may take.
pub(crate) const BOUNDS: Bounds =
    Bounds { bytes: 1 << 30, entries: 100_000, depth: 64, time: Duration::from_secs(60) };

/// So much is copied between two looks at the clock.
const CHUNK_BYTES: u64 = 8 << 20;

/// What was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Regular files that were copied.
    pub files: u32,
    /// Their bytes, holes not counted.
    pub bytes: u64,
    /// What was left out, since it is neither a regular file nor a folder.
    pub left_out: Vec<PathBuf>,
    /// What was left out, since the fetch would have taken too much space, time or depth. A folder stands for what is in it.
    pub beyond: Vec<PathBuf>,
}

impl Inside {
    /// Copies a file or a folder from inside to the host.
    pub(crate) fn get(&self, from: &Path, to: &Path, bounds: Bounds) -> io::Result<Fetched> {
        let source = self.open(from, OFlags::RDONLY | OFlags::NONBLOCK)?;
        let alone = kind(&source)? == FileType::RegularFile;
        let room = Bounds { entries: bounds.entries.saturating_add(1), ..bounds };
        let mut fetch = Fetch { done: Fetched::default(), room, clock: Clock::start() };
        fetch.take(source, to, bounds.depth)?;
        if alone && !fetch.done.beyond.is_empty() {
            return Err(unfit("is too large"));
        }
        Ok(fetch.done)
    }
}

/// How the copy of one file ended.
enum Copied {
    Whole(u64),
    OutOfTime,
}

struct Fetch {
    done: Fetched,
    /// What is left.
    room: Bounds,
    clock: Clock,
}

impl Fetch {
    fn take(&mut self, source: OwnedFd, to: &Path, depth: u32) -> io::Result<()> {
        let kind = kind(&source)?;
        let entry = self.room.entries.checked_sub(1).filter(|_| self.in_time());
        let Some(entries) = entry.filter(|_| kind != FileType::Directory || depth > 0) else {
            self.done.beyond.push(to.to_owned());
            return Ok(());
        };
        self.room.entries = entries;
        match kind {
            FileType::RegularFile => self.file(source, to),
            FileType::Directory => self.folder(&source, to, depth - 1),
            _ => {
                self.done.left_out.push(to.to_owned());
                Ok(())
            }
        }
    }

    fn in_time(&self) -> bool {
        self.clock.elapsed() < self.room.time
    }

    fn file(&mut self, source: OwnedFd, to: &Path) -> io::Result<()> {
        regular(&source)?;
        let source = File::from(source);
        let size = source.metadata()?.len();
        if size > self.room.bytes {
            self.done.beyond.push(to.to_owned());
            return Ok(());
        }
        match self.copy(&source, to, size) {
            Ok(Copied::Whole(bytes)) => {
                self.room.bytes -= size;
                self.done.bytes += bytes;
                self.done.files += 1;
                Ok(())
            }
            Ok(Copied::OutOfTime) => {
                self.done.beyond.push(to.to_owned());
                fs::remove_file(to)
            }
            Err(error) => {
                // A part of a file would pass for the file; the error itself is what is reported.
                let _ = fs::remove_file(to);
                Err(error)
            }
        }
    }

    /// Copies what is not a hole, up to the size that the file had: somebody inside may be writing to it.
    fn copy(&self, mut source: &File, to: &Path, size: u64) -> io::Result<Copied> {
        let mut target = File::create(to)?;
        let (mut at, mut bytes) = (0, 0);
        while at < size {
            let (begins, ends) = match extent(source, at) {
                Some(extent) => extent?,
                None => break,
            };
            at = begins.min(size);
            let ends = ends.min(size);
            source.seek(io::SeekFrom::Start(at))?;
            target.seek(io::SeekFrom::Start(at))?;
            while at < ends {
                if !self.in_time() {
                    return Ok(Copied::OutOfTime);
                }
                let copied = io::copy(&mut source.take(CHUNK_BYTES.min(ends - at)), &mut target)?;
                if copied == 0 {
                    // It has become shorter.
                    return Ok(Copied::Whole(bytes));
                }
                at += copied;
                bytes += copied;
            }
        }
        target.set_len(size)?;
        Ok(Copied::Whole(bytes))
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
            if self.room.entries == 0 || !self.in_time() {
                self.done.beyond.push(to.to_owned());
                return Ok(());
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

/// Where the next bytes that are there begin and end; `None` if only a hole follows. A file system that knows no holes has one extent.
fn extent(file: &File, from: u64) -> Option<io::Result<(u64, u64)>> {
    match seek(file, SeekFrom::Data(from)) {
        Ok(begins) => {
            Some(seek(file, SeekFrom::Hole(begins)).map(|ends| (begins, ends)).map_err(io::Error::from))
        }
        Err(rustix::io::Errno::NXIO) => None,
        Err(rustix::io::Errno::INVAL) => Some(Ok((from, u64::MAX))),
        Err(error) => Some(Err(error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{Mode, open};
    use std::os::unix::fs::{FileExt, MetadataExt};

    fn inside(folder: &Path) -> Inside {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Inside { root: open(folder, flags, Mode::empty()).expect("open") }
    }

    fn names(paths: &[PathBuf]) -> Vec<String> {
        let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut names: Vec<String> = paths.iter().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_beyond_the_bounds_leaves_nothing_half_copied() {
        let place = tempfile::tempdir().expect("a folder");
        let (root, to) = (place.path().join("root"), place.path().join("to"));
        fs::create_dir_all(root.join("out/a/b/c")).expect("folders");
        fs::write(root.join("out/small"), "small").expect("write");
        fs::write(root.join("out/a/b/c/deep"), "deep").expect("write");
        let huge = File::create(root.join("out/huge")).expect("create");
        huge.set_len(1 << 40).expect("a hole");
        let sparse = File::create(root.join("out/sparse")).expect("create");
        sparse.write_all_at(b"end", (64 << 20) - 3).expect("write");
        let get = |bounds, to: &str| inside(&root).get(Path::new("/out"), &place.path().join(to), bounds);
        let fetched = get(Bounds { depth: 2, ..BOUNDS }, "to").expect("get");
        assert_eq!(names(&fetched.beyond), ["b", "huge"], "{fetched:?}");
        assert_eq!((fetched.files, to.join("huge").exists(), to.join("a/b").exists()), (2, false, false));
        let copy = to.join("sparse").metadata().expect("metadata");
        assert_eq!(copy.len(), 64 << 20);
        assert!(copy.blocks() * 512 < 1 << 20, "holes stay holes: {} blocks", copy.blocks());
        assert!(fetched.bytes < 1 << 20, "{fetched:?}");
        let late = get(Bounds { time: Duration::ZERO, ..BOUNDS }, "late").expect("get");
        assert_eq!((late.files, names(&late.beyond)), (0, vec!["late".to_owned()]));
        let few = get(Bounds { entries: 1, ..BOUNDS }, "few").expect("get");
        assert!(few.files <= 1 && !few.beyond.is_empty(), "{few:?}");
        let alone = inside(&root).get(Path::new("/out/huge"), &place.path().join("alone"), BOUNDS);
        assert_eq!(alone.expect_err("too large").to_string(), "is too large");
        assert!(!place.path().join("alone").exists());
    }
}
