//! Lines of a file, one at a time, each bounded.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::Unread;
use super::files::open;

/// A line, or why it is none.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::results) enum Line {
    /// Its bytes, without the end of line.
    Whole(Vec<u8>),
    /// Longer than what is read; it was skipped.
    TooLong,
}

/// Reads lines.
pub(in crate::results) struct Lines {
    reader: BufReader<File>,
    most: u64,
}

impl Lines {
    /// Opens a regular file; each line may have so many bytes.
    pub(in crate::results) fn open(path: &Path, most: u64) -> Result<Self, Unread> {
        let (file, _) = open(path)?;
        Ok(Self { reader: BufReader::with_capacity(256 << 10, file), most })
    }

    /// The next line; `None` at the end.
    pub(in crate::results) fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let read = (&mut self.reader).take(self.most + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(Line::Whole(line)));
        }
        if read as u64 <= self.most {
            return Ok(Some(Line::Whole(line)));
        }
        self.skip_line()?;
        Ok(Some(Line::TooLong))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_the_next_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines");
        let long = "x".repeat(1 << 20);
        std::fs::write(&path, format!("one\r\n{long}\n\ntwo")).expect("written");
        let mut lines = Lines::open(&path, 10).expect("opened");
        let whole = |text: &str| Some(Line::Whole(text.into()));
        let expected = [whole("one"), Some(Line::TooLong), whole(""), whole("two"), None];
        for line in expected {
            assert_eq!(lines.next_line().expect("read"), line);
        }
    }
}
