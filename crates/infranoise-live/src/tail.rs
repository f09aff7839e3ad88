//! The tail of a file that another process writes: whole lines only, in bounded steps.
//!
//! A torn last line is simply not whole yet: it is read again when there is more. A file that shrank below what was taken, or is
//! another one by now, begins anew.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// What one step reads at most, unless a single line is longer.
const CHUNK: u64 = 1 << 20;

/// A line that is longer is no line of ours.
const LONGEST: u64 = 64 << 20;

/// What a step found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing new.
    Same,
    /// New whole lines, each with its end.
    Lines(Vec<u8>),
    /// The file is another one, or was cut: what was taken no longer counts. The next step begins anew.
    Anew,
    /// There is no such file.
    Missing,
    /// A line is too long to be one; nothing more is read.
    TooLong,
}

/// A place in a file.
#[derive(Debug)]
pub(crate) struct Tail {
    path: PathBuf,
    /// Where the next line begins.
    at: u64,
    /// How long the file was when nothing whole was left in it.
    known_len: u64,
    identity: Option<(u64, u64)>,
}

impl Tail {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, at: 0, known_len: 0, identity: None }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads on.
    pub(crate) fn step(&mut self) -> io::Result<Step> {
        let metadata = match std::fs::metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Step::Missing),
            Err(error) => return Err(error),
        };
        let identity = (metadata.dev(), metadata.ino());
        if self.identity.is_some_and(|known| known != identity) || metadata.len() < self.at {
            (self.at, self.known_len, self.identity) = (0, 0, None);
            return Ok(Step::Anew);
        }
        self.identity = Some(identity);
        if metadata.len() == self.known_len {
            return Ok(Step::Same);
        }
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Step::Missing),
            Err(error) => return Err(error),
        };
        let waiting = metadata.len() - self.at;
        let mut want = CHUNK.min(waiting);
        loop {
            let mut bytes = read_at(&file, self.at, want)?;
            if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
                bytes.truncate(end + 1);
                self.at += bytes.len() as u64;
                self.known_len = 0;
                return Ok(Step::Lines(bytes));
            }
            if want >= LONGEST {
                return Ok(Step::TooLong);
            }
            if want >= waiting {
                self.known_len = metadata.len();
                return Ok(Step::Same);
            }
            want = (want * 8).min(waiting).min(LONGEST);
        }
    }
}

fn read_at(file: &File, at: u64, want: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(want).unwrap_or(usize::MAX)];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn lines(tail: &mut Tail) -> String {
        let mut text = String::new();
        loop {
            match tail.step().expect("reads") {
                Step::Lines(bytes) => text.push_str(&String::from_utf8(bytes).expect("text")),
                Step::Same => return text,
                other => return format!("{text}{other:?}"),
            }
        }
    }

    #[test]
    fn a_torn_line_is_taken_when_it_is_whole_and_a_cut_file_begins_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut tail = Tail::new(path.clone());
        assert_eq!(lines(&mut tail), "Missing");
        let mut file = File::create(&path).expect("a file");
        file.write_all(b"one\ntw").expect("writes");
        assert_eq!(lines(&mut tail), "one\n");
        assert_eq!(lines(&mut tail), "", "torn");
        file.write_all(b"o\n").expect("writes");
        assert_eq!(lines(&mut tail), "two\n");
        file.write_all(b"torn").expect("writes");
        assert_eq!(lines(&mut tail), "");
        // The next writer cuts a torn line off and writes its own.
        file.set_len(8).expect("cuts");
        assert_eq!(lines(&mut tail), "");
        std::fs::write(&path, "one\ntwo\nthree\n").expect("writes");
        assert_eq!(lines(&mut tail), "three\n");
        std::fs::write(&path, "1\n").expect("writes");
        assert_eq!(lines(&mut tail), "Anew");
        assert_eq!(lines(&mut tail), "1\n");
        std::fs::remove_file(&path).expect("removes");
        assert_eq!(lines(&mut tail), "Missing");
    }

    #[test]
    fn long_lines_and_many_lines_come_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let long = "x".repeat(3 << 20) + "\n";
        std::fs::write(&path, long.repeat(3)).expect("writes");
        let mut tail = Tail::new(path);
        assert_eq!(lines(&mut tail), long.repeat(3));
    }
}
