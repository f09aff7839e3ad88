//! A stream of lines, judged one by one.

use std::io::{self, BufRead, Read, Write};

use serde_json::json;

use super::line::{Failure, judge};
use crate::exports::ExportOptions;

/// Longer lines are passed over.
const LONGEST_LINE_BYTES: u64 = 16 << 20;

/// What went through a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamSummary {
    /// Lines that were judged.
    pub judged: u64,
    /// Lines that could not be read.
    pub unread: u64,
}

/// Judges every line of a stream: one line out for each line in, written before the next one is read. A line that cannot be read gives
/// `{"error": …}` with its number.
///
/// # Errors
/// If the stream itself breaks, in or out.
pub fn classify_stream(
    mut input: impl BufRead,
    mut out: impl Write,
    options: ExportOptions,
) -> io::Result<StreamSummary> {
    let mut summary = StreamSummary::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(LONGEST_LINE_BYTES).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(summary);
        }
        let number = summary.judged + summary.unread + 1;
        let whole = line.ends_with(b"\n") || (read as u64) < LONGEST_LINE_BYTES;
        let answer = if whole {
            answer(&line, options)
        } else {
            pass_over(&mut input)?;
            Err(Failure::unreadable(format!("it is longer than {LONGEST_LINE_BYTES} bytes")))
        };
        match answer {
            Ok(verdict) => {
                summary.judged += 1;
                writeln!(out, "{verdict}")?;
            }
            Err(failure) => {
                summary.unread += 1;
                writeln!(out, "{}", json!({ "line": number, "id": failure.id, "error": failure.says }))?;
            }
        }
        out.flush()?;
    }
}

fn answer(line: &[u8], options: ExportOptions) -> Result<String, Failure> {
    let text = std::str::from_utf8(line).map_err(|error| Failure::unreadable(error.to_string()))?;
    judge(text, options)
}

/// Reads on to the end of a line that is too long, without keeping it.
fn pass_over(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (read, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(place) => (place + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(read);
        if ended {
            return Ok(());
        }
    }
}
