//! One sample, and the file that samples are kept in.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::reader::SampleReader;

/// What was read at one moment. Sizes are as they were, all else counts from the beginning of the trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// When, in milliseconds since sampling began.
    pub at_ms: u32,
    /// The readings in the order of [`COLUMNS`], without the first.
    pub values: [Option<u64>; COLUMNS.len() - 1],
}

/// The names of the columns, with their units.
pub const COLUMNS: [&str; 14] = [
    "at_ms",
    "memory_bytes",
    "nonreclaimable_bytes",
    "cpu_us",
    "throttled_us",
    "cpu_some_us",
    "memory_full_us",
    "io_some_us",
    "pids",
    "disk_read_bytes",
    "disk_written_bytes",
    "network_received_bytes",
    "network_sent_bytes",
    "storage_used_bytes",
];

impl Sample {
    /// Memory now, page cache included.
    #[must_use]
    pub fn memory_bytes(&self) -> Option<u64> {
        self.values[0]
    }

    /// Memory now that cannot be reclaimed; read once a second.
    #[must_use]
    pub fn nonreclaimable_bytes(&self) -> Option<u64> {
        self.values[1]
    }

    /// A column by its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<u64> {
        match COLUMNS.iter().position(|column| *column == name)? {
            0 => Some(u64::from(self.at_ms)),
            place => self.values[place - 1],
        }
    }
}

/// The version of the telemetry file.
///
/// * 1: a header as a JSON object, then one JSON array for each sample: the difference of each column to the last reading of that
///   column (to 0 at first), `null` where there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TelemetryVersion(pub u32);

/// The version that is written.
pub const TELEMETRY_VERSION: TelemetryVersion = TelemetryVersion(1);

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) telemetry_version: TelemetryVersion,
    pub(super) interval_ms: u32,
    pub(super) columns: Vec<String>,
}

/// Why a telemetry file could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryFileError {
    /// The system said no.
    #[error("telemetry file `{path}`: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what we write.
    #[error("telemetry file `{path}`, line {line}: {why}")]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// Writes the lines of a telemetry file in order; remembers what the next one differs from.
#[derive(Debug, Default)]
pub(super) struct LineWriter {
    last: [u64; COLUMNS.len()],
}

impl LineWriter {
    /// The first line.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub(super) fn header(&mut self, interval_ms: u32) -> io::Result<Vec<u8>> {
        let columns = COLUMNS.map(str::to_owned).to_vec();
        let header = Header { telemetry_version: TELEMETRY_VERSION, interval_ms, columns };
        let mut line = serde_json::to_vec(&header)?;
        line.push(b'\n');
        Ok(line)
    }

    /// A sample as a line.
    pub(super) fn line(&mut self, sample: &Sample, out: &mut Vec<u8>) {
        out.push(b'[');
        for (place, value) in row(sample).into_iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            // Writing to memory cannot fail.
            let _ = match value {
                Some(value) => {
                    let difference = i128::from(value) - i128::from(self.last[place]);
                    self.last[place] = value;
                    write!(out, "{comma}{difference}")
                }
                None => write!(out, "{comma}null"),
            };
        }
        out.extend_from_slice(b"]\n");
    }
}

/// Writes samples to a file, under another name first: whoever reads meanwhile sees the old file or the new one.
///
/// # Errors
/// If the file cannot be written.
pub fn write_samples(path: &Path, interval_ms: u32, samples: &[Sample]) -> Result<(), TelemetryFileError> {
    let write = || -> io::Result<()> {
        let mut writer = LineWriter::default();
        let mut bytes = writer.header(interval_ms)?;
        for sample in samples {
            writer.line(sample, &mut bytes);
        }
        let whole = path.with_extension("whole");
        std::fs::write(&whole, bytes)?;
        std::fs::rename(&whole, path)
    };
    write().map_err(|source| TelemetryFileError::Io { path: path.to_owned(), source })
}

fn row(sample: &Sample) -> [Option<u64>; COLUMNS.len()] {
    let mut row = [Some(u64::from(sample.at_ms)); COLUMNS.len()];
    row[1..].copy_from_slice(&sample.values);
    row
}

/// Reads samples from a file, with their intended interval in milliseconds. Columns that are not known here are skipped.
///
/// # Errors
/// If the file cannot be read, is of a later version, or has a line that is no sample.
pub fn read_samples(path: &Path) -> Result<(u32, Vec<Sample>), TelemetryFileError> {
    let fail = |source| TelemetryFileError::Io { path: path.to_owned(), source };
    let bytes = std::fs::read(path).map_err(fail)?;
    let mut reader = SampleReader::default();
    let mut samples = Vec::new();
    let whole = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    for (index, line) in whole.split(|byte| *byte == b'\n').enumerate() {
        let odd = |why| TelemetryFileError::Format { path: path.to_owned(), line: index + 1, why };
        samples.extend(reader.line(line).map_err(odd)?);
    }
    Ok((reader.interval_ms(), samples))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("telemetry.jsonl");
        let mut samples = vec![Sample::default(); 3];
        for (step, sample) in samples.iter_mut().enumerate() {
            sample.at_ms = 100 * step as u32;
            sample.values[0] = Some(u64::MAX - 7 * step as u64);
            sample.values[2] = (step != 1).then_some(5 * step as u64);
        }
        write_samples(&path, 100, &samples).expect("is written");
        assert_eq!(read_samples(&path).expect("is read"), (100, samples));
    }

    #[test]
    fn a_file_of_a_later_version_or_with_garbage_is_refused_by_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("telemetry.jsonl");
        let header = r#"{"telemetry_version":1,"interval_ms":100,"columns":["at_ms","colour"]}"#;
        let cases = [
            (header.replace(":1,", ":2,"), "line 1: version 2 is later"),
            (format!("{header}\n[1,2]\nx"), "line 3"),
            (format!("{header}\n[-1,2]"), "line 2: -1 is out of range"),
            (String::new(), "line 1"),
        ];
        for (text, expected) in cases {
            std::fs::write(&path, &text).expect("is written");
            let error = read_samples(&path).expect_err("refused").to_string();
            assert!(error.contains(expected), "{error}");
        }
        std::fs::write(&path, format!("{header}\n[1,2]\n[1,null]\n")).expect("is written");
        let (_, samples) = read_samples(&path).expect("unknown columns are skipped");
        assert_eq!(samples.iter().map(|sample| sample.at_ms).collect::<Vec<_>>(), [1, 2]);
    }
}
