//! Files and folders of strangers: bounded, and never through a link.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub(in crate::results) enum Unread {
    /// It is not there.
    #[error("not there")]
    Missing,
    /// A link may lead anywhere.
    #[error("a symbolic link: not followed")]
    Link,
    /// A folder, a pipe, a device.
    #[error("not a regular file")]
    NotAFile,
    /// Larger than anything of its kind.
    #[error("{bytes} bytes, more than the {most} that are read")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        most: u64,
    },
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A regular file and its size; links are not followed, and a pipe is not waited for. One call opens, so that nobody can put a link in
/// place of the file between a look and the opening.
pub(in crate::results) fn open(path: &Path) -> Result<(File, u64), Unread> {
    let never = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let file = match OpenOptions::new().read(true).custom_flags(never).open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Err(Unread::Missing);
        }
        Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => return Err(Unread::Link),
        // What a socket and a device without a driver answer.
        Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
            return Err(Unread::NotAFile);
        }
        Err(error) => return Err(Unread::Io(error)),
    };
    let kind = file.metadata()?;
    if !kind.is_file() {
        return Err(Unread::NotAFile);
    }
    Ok((file, kind.len()))
}

/// So many bytes from here, or as many as there are.
fn take(mut file: &File, bytes: u64) -> io::Result<Vec<u8>> {
    let mut content = vec![0; usize::try_from(bytes).unwrap_or(0)];
    let mut read = 0;
    while read < content.len() {
        match file.read(&mut content[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    content.truncate(read);
    Ok(content)
}

/// Text, without a copy where it is text already.
fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A whole file, if it is a regular one of at most so many bytes.
pub(in crate::results) fn read_all(path: &Path, most: u64) -> Result<Vec<u8>, Unread> {
    let (file, bytes) = open(path)?;
    if bytes > most {
        return Err(Unread::TooLarge { bytes, most });
    }
    Ok(take(&file, bytes)?)
}

/// The first so many bytes of a text file; wrong encodings are replaced.
pub(in crate::results) fn read_lossy(path: &Path, most: u64) -> Option<String> {
    let (file, bytes) = open(path).ok()?;
    take(&file, bytes.min(most)).ok().map(lossy)
}

/// What was kept of a text file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::results) struct Kept {
    /// Its beginning, or all of it.
    pub(in crate::results) head: String,
    /// Its end, if the middle was left out.
    pub(in crate::results) tail: Option<String>,
}

impl Kept {
    /// The end of the file.
    pub(in crate::results) fn end(&self) -> &str {
        self.tail.as_deref().unwrap_or(&self.head)
    }
}

/// The beginning and the end of a text file, each at most so many bytes; wrong encodings are replaced.
pub(in crate::results) fn read_ends(path: &Path, each: u64) -> Result<Kept, Unread> {
    let (mut file, bytes) = open(path)?;
    if bytes <= 2 * each {
        return Ok(Kept { head: lossy(take(&file, bytes)?), tail: None });
    }
    let head = take(&file, each)?;
    file.seek(SeekFrom::Start(bytes - each))?;
    Ok(Kept { head: lossy(head), tail: Some(lossy(take(&file, each)?)) })
}

/// What is in a folder, by name. Links are listed apart and never entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::results) struct Folder {
    /// Regular files.
    pub(in crate::results) files: Vec<PathBuf>,
    /// Folders.
    pub(in crate::results) folders: Vec<PathBuf>,
    /// Symbolic links, pipes, devices.
    pub(in crate::results) others: Vec<PathBuf>,
}

impl Folder {
    /// Lists a folder, sorted.
    pub(in crate::results) fn list(path: &Path) -> io::Result<Self> {
        let mut folder = Self::default();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let list = if kind.is_file() {
                &mut folder.files
            } else if kind.is_dir() {
                &mut folder.folders
            } else {
                &mut folder.others
            };
            list.push(entry.path());
        }
        for list in [&mut folder.files, &mut folder.folders, &mut folder.others] {
            // By bytes: comparing paths part by part takes longer than reading them.
            list.sort_unstable_by(|one, other| one.as_os_str().cmp(other.as_os_str()));
        }
        Ok(folder)
    }

    /// Whether it has a regular file of this name.
    pub(in crate::results) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.file_name().is_some_and(|found| found == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_pipes_are_named_and_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "0123456789").expect("written");
        std::os::unix::fs::symlink("/etc/passwd", at("link")).expect("linked");
        fs::create_dir(at("folder")).expect("made");
        assert!(matches!(read_all(&at("link"), 10), Err(Unread::Link)));
        assert!(matches!(read_all(&at("folder"), 10), Err(Unread::NotAFile)));
        assert!(matches!(read_all(&at("none"), 10), Err(Unread::Missing)));
        assert!(matches!(read_all(&at("file"), 9), Err(Unread::TooLarge { bytes: 10, most: 9 })));
        assert_eq!(read_all(&at("file"), 10).expect("read"), b"0123456789");
        let listed = Folder::list(folder.path()).expect("listed");
        assert_eq!((listed.files.len(), listed.folders.len(), listed.others.len()), (1, 1, 1));
        let ends = read_ends(&at("file"), 3).expect("read");
        assert_eq!((ends.head.as_str(), ends.end()), ("012", "789"));
        assert_eq!(read_ends(&at("file"), 5).expect("read").end(), "0123456789");
    }
}
