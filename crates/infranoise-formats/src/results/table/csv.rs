//! CSV as in RFC 4180, and its sister with tabs: one record at a time, each bounded.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::results::read::{Unread, open};

/// A record has no more bytes.
const LONGEST: usize = 16 << 20;

/// One field; an empty one that stood in quotes is an empty text and no null.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// A record, or why it is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Record {
    Cells(Vec<Cell>),
    TooLong,
}

/// Reads records.
pub(super) struct Csv<R> {
    reader: R,
    separator: u8,
    next: Option<u8>,
}

/// Opens a file; a name that ends in `.tsv` has tabs.
pub(super) fn open_csv(path: &Path) -> Result<Csv<BufReader<impl Read + use<>>>, Unread> {
    let (file, _) = open(path)?;
    let tabs = path.extension().is_some_and(|extension| extension == "tsv");
    let mut reader = BufReader::with_capacity(256 << 10, file);
    // A spreadsheet's mark of UTF-8.
    if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    Ok(Csv { reader, separator: if tabs { b'\t' } else { b',' }, next: None })
}

impl<R: BufRead> Csv<R> {
    fn byte(&mut self) -> io::Result<Option<u8>> {
        if let Some(byte) = self.next.take() {
            return Ok(Some(byte));
        }
        let byte = self.reader.fill_buf()?.first().copied();
        if byte.is_some() {
            self.reader.consume(1);
        }
        Ok(byte)
    }

    /// The next record; `None` at the end. Empty lines are no records.
    pub(super) fn record(&mut self) -> io::Result<Option<Record>> {
        let mut record = Building::default();
        while let Some(byte) = self.byte()? {
            match byte {
                b'"' if record.inside => {
                    // Two quotes are one; one is the end.
                    match self.byte()? {
                        Some(b'"') => record.push(b'"'),
                        other => {
                            record.inside = false;
                            self.next = other;
                        }
                    }
                }
                b'"' if record.field.is_empty() && !record.quoted => {
                    record.inside = true;
                    record.quoted = true;
                }
                byte if record.inside => record.push(byte),
                b'\n' if record.is_empty() => {}
                b'\n' => return Ok(Some(record.finish())),
                b'\r' => {}
                byte if byte == self.separator => record.end_field(),
                byte => record.push(byte),
            }
        }
        Ok(if record.is_empty() { None } else { Some(record.finish()) })
    }
}

#[derive(Default)]
struct Building {
    cells: Vec<Cell>,
    field: Vec<u8>,
    quoted: bool,
    inside: bool,
    length: usize,
}

impl Building {
    fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.field.is_empty() && !self.quoted
    }

    fn push(&mut self, byte: u8) {
        self.length += 1;
        if self.length <= LONGEST {
            self.field.push(byte);
        }
    }

    fn end_field(&mut self) {
        self.length += 1;
        if self.length <= LONGEST {
            let text = String::from_utf8_lossy(&self.field).into_owned();
            self.cells.push(Cell { text, quoted: self.quoted });
        }
        self.field.clear();
        self.quoted = false;
    }

    fn finish(mut self) -> Record {
        self.end_field();
        if self.length > LONGEST { Record::TooLong } else { Record::Cells(self.cells) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<Vec<String>> {
        let mut csv = Csv { reader: text.as_bytes(), separator: b',', next: None };
        let mut all = Vec::new();
        while let Some(record) = csv.record().expect("read") {
            let Record::Cells(cells) = record else { panic!("too long") };
            all.push(
                cells
                    .into_iter()
                    .map(|cell| if cell.quoted { format!("\"{}\"", cell.text) } else { cell.text })
                    .collect(),
            );
        }
        all
    }

    #[test]
    fn quotes_separators_and_ends_of_line() {
        let cases: [(&str, &[&[&str]]); 8] = [
            ("a,b\n1,2\n", &[&["a", "b"], &["1", "2"]]),
            ("a,b\r\n1,\r\n", &[&["a", "b"], &["1", ""]]),
            ("\"x,y\",\"say \"\"hi\"\"\"", &[&["\"x,y\"", "\"say \"hi\"\""]]),
            ("\"two\nlines\",b\n", &[&["\"two\nlines\"", "b"]]),
            ("\"\",\n", &[&["\"\"", ""]]),
            ("\n\na\n", &[&["a"]]),
            ("a\"b,c", &[&["a\"b", "c"]]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(records(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_record_without_end_does_not_fill_the_memory() {
        let endless = io::repeat(b'x').take(LONGEST as u64 + 100).chain(&b"\nnext\n"[..]);
        let mut csv = Csv { reader: BufReader::new(endless), separator: b',', next: None };
        assert_eq!(csv.record().expect("read"), Some(Record::TooLong));
        assert!(matches!(csv.record().expect("read"), Some(Record::Cells(cells)) if cells[0].text == "next"));
    }
}
