//! `journal.jsonl`: append-only events, one a line, each with its version, number and checksum.
//!
//! A line is `{"v":1,"seq":7,"crc":"1c291ca3","event":{…}}`; the checksum (CRC-32, IEEE) covers `<seq>:<event as written>`. A torn last
//! line is what a crash leaves: it is cut off when the next writer opens the journal. A torn line in the middle is damage: it is
//! reported, and every whole line around it is still read.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use infranoise_core::{Event, JOURNAL_VERSION};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::StoreError;

#[derive(Deserialize)]
struct Line<'j> {
    v: u32,
    seq: u64,
    crc: String,
    #[serde(borrow)]
    event: &'j RawValue,
}

fn checksum(seq: u64, event: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(seq.to_string().as_bytes());
    hasher.update(b":");
    hasher.update(event);
    format!("{:08x}", hasher.finalize())
}

/// One event with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its number, counted from 0.
    pub seq: u64,
    /// What happened.
    pub event: Event,
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its line number, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
    /// Whether it is the last line without its end: what a crash in mid-write leaves, harmless.
    pub torn_tail: bool,
}

/// A journal as read: every whole line, and what could not be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// The events, in order.
    pub entries: Vec<Entry>,
    /// Lines that could not be read.
    pub damage: Vec<Damage>,
    /// Events of kinds that this program does not know, from a newer one.
    pub unknown_events: u64,
}

/// Reads lines of a journal that may still grow: feeds on bytes, keeps a part of a line for the next time.
#[derive(Debug, Default)]
pub struct JournalReader {
    rest: Vec<u8>,
    lines: u64,
    next_seq: u64,
    read: u64,
}

impl JournalReader {
    /// A reader at the beginning.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes consumed so far, a part of a line included.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.read
    }

    /// Takes more bytes and returns what became whole.
    pub fn feed(&mut self, bytes: &[u8]) -> Journal {
        self.read += bytes.len() as u64;
        self.rest.extend_from_slice(bytes);
        let mut journal = Journal::default();
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return journal };
        let whole: Vec<u8> = self.rest.drain(..=end).collect();
        for line in whole.split_inclusive(|byte| *byte == b'\n') {
            self.lines += 1;
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let expected = self.next_seq;
            let damage = |why| Damage { line: self.lines, why, torn_tail: false };
            match parse(line) {
                Ok((seq, event)) => {
                    if seq != expected {
                        let why = format!("event {seq} where {expected} was expected: lines are missing");
                        journal.damage.push(damage(why));
                    }
                    self.next_seq = seq + 1;
                    match event {
                        Some(event) => journal.entries.push(Entry { seq, event }),
                        None => journal.unknown_events += 1,
                    }
                }
                Err((seq, why)) => {
                    journal.damage.push(damage(why));
                    self.next_seq = seq.unwrap_or(expected + 1);
                }
            }
        }
        journal
    }

    /// Says what remains when no more will come.
    #[must_use]
    pub fn finish(self) -> Option<Damage> {
        (!self.rest.is_empty()).then(|| Damage {
            line: self.lines + 1,
            why: format!("{} bytes without an end of line", self.rest.len()),
            torn_tail: true,
        })
    }
}

/// One line: its number, and its event if this program knows the kind; or the number after it, if known, and what is wrong.
fn parse(line: &[u8]) -> Result<(u64, Option<Event>), (Option<u64>, String)> {
    let parsed: Line<'_> = serde_json::from_slice(line).map_err(|error| (None, error.to_string()))?;
    let expected = checksum(parsed.seq, parsed.event.get().as_bytes());
    if parsed.crc != expected {
        return Err((None, format!("checksum {} where the content gives {expected}", parsed.crc)));
    }
    match serde_json::from_str::<Event>(parsed.event.get()) {
        Ok(event) => Ok((parsed.seq, Some(event))),
        Err(_) if parsed.v > JOURNAL_VERSION.0 || !known_kind(parsed.event.get()) => Ok((parsed.seq, None)),
        Err(error) => Err((Some(parsed.seq + 1), error.to_string())),
    }
}

/// Whether an event that does not parse is of a kind that this program should have understood.
fn known_kind(event: &str) -> bool {
    serde_json::from_str::<KindOnly>(event).is_ok_and(|event| KNOWN_KINDS.contains(&event.kind.as_str()))
}

#[derive(Deserialize)]
struct KindOnly {
    kind: String,
}

const KNOWN_KINDS: [&str; 6] =
    ["sweep_started", "trial_started", "phase_started", "trial_ended", "trial_lost", "sweep_stopped"];

/// Reads a journal; a missing file is an empty journal.
///
/// # Errors
/// If the file is there and cannot be read. Damaged lines are no error: they are listed.
pub fn read_journal(path: &Path) -> Result<Journal, StoreError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Journal::default()),
        Err(error) => return Err(StoreError::io("read", path)(error)),
    };
    let mut reader = JournalReader::new();
    let mut journal = reader.feed(&bytes);
    journal.damage.extend(reader.finish());
    Ok(journal)
}

/// The one writer of a journal.
#[derive(Debug)]
pub struct JournalWriter {
    file: File,
    path: PathBuf,
    next_seq: u64,
}

impl JournalWriter {
    /// Opens a journal for appending; cuts off a torn last line. Returns what is already there as well.
    ///
    /// # Errors
    /// If the file cannot be opened, read or cut.
    pub fn open(path: &Path) -> Result<(Self, Journal), StoreError> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .map_err(StoreError::io("create", path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(StoreError::io("read", path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut reader = JournalReader::new();
        let mut journal = reader.feed(&bytes);
        let next_seq = reader.next_seq;
        if let Some(torn) = reader.finish() {
            journal.damage.push(torn);
            file.set_len(whole as u64).map_err(StoreError::io("write", path))?;
            file.seek(SeekFrom::End(0)).map_err(StoreError::io("write", path))?;
        }
        Ok((Self { file, path: path.to_owned(), next_seq }, journal))
    }

    /// Appends an event; results and ends of a process are forced to the disk before this returns.
    ///
    /// # Errors
    /// If it cannot be written whole. What was written of it is cut off again, so that the journal stays readable.
    pub fn append(&mut self, event: &Event) -> Result<u64, StoreError> {
        let seq = self.next_seq;
        let sync = match event {
            Event::TrialEnded { .. } | Event::SweepStarted { .. } | Event::SweepStopped { .. } => true,
            Event::TrialStarted { .. } | Event::PhaseStarted { .. } | Event::TrialLost { .. } => false,
        };
        let mut line = Vec::new();
        self.put_line(&mut line, &mut Vec::new(), seq, event)?;
        self.write(&line, sync)?;
        self.next_seq += 1;
        Ok(seq)
    }

    /// Appends many events at once and forces them to the disk together, as an import does.
    ///
    /// # Errors
    /// If they cannot be written whole; none of them is then in the journal.
    pub fn append_all(&mut self, events: &[Event]) -> Result<(), StoreError> {
        let (mut bytes, mut scratch) = (Vec::new(), Vec::new());
        for (seq, event) in (self.next_seq..).zip(events) {
            self.put_line(&mut bytes, &mut scratch, seq, event)?;
        }
        self.write(&bytes, true)?;
        self.next_seq += events.len() as u64;
        Ok(())
    }

    /// Adds the line of an event. The checksum stands before what it covers, so that the event is written aside first.
    fn put_line(
        &self,
        bytes: &mut Vec<u8>,
        scratch: &mut Vec<u8>,
        seq: u64,
        event: &Event,
    ) -> Result<(), StoreError> {
        scratch.clear();
        serde_json::to_writer(&mut *scratch, event).map_err(|error| StoreError::Malformed {
            path: self.path.clone(),
            why: format!("an event cannot be written as JSON: {error}"),
        })?;
        let crc = checksum(seq, scratch);
        let head = format!("{{\"v\":{},\"seq\":{seq},\"crc\":\"{crc}\",\"event\":", JOURNAL_VERSION.0);
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(scratch);
        bytes.extend_from_slice(b"}\n");
        Ok(())
    }

    fn write(&mut self, bytes: &[u8], sync: bool) -> Result<(), StoreError> {
        let before = self.file.metadata().map_err(StoreError::io("write", &self.path))?.len();
        let written =
            self.file.write_all(bytes).and_then(|()| if sync { self.file.sync_data() } else { Ok(()) });
        written.map_err(|error| {
            let _ = self.file.set_len(before);
            StoreError::io("write", &self.path)(error)
        })
    }
}

#[cfg(test)]
mod tests;
