//! What outlives a kill: one file that begins with a black box, rewritten in place, and goes on with one line per finished command.
//!
//! The file is on the host and known here only as a descriptor, so that nothing inside the sandbox can forge a record. Each line is one
//! write: it is there whole, or its last part is missing and it does not count.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::message::Ending;

/// The black box takes the first so many bytes of the file; the lines come after it.
pub const BLACK_BOX_BYTES: usize = 4096;

/// The records of one sandbox.
pub(crate) struct Records {
    file: File,
    end: u64,
    beats: u64,
}

impl Records {
    /// Takes over an empty file.
    pub(crate) fn new(file: OwnedFd) -> Self {
        Self { file: File::from(file), end: BLACK_BOX_BYTES as u64, beats: 0 }
    }

    /// Writes the record of a finished command.
    pub(crate) fn finished(&mut self, id: u32, started_ms: u64, ending: Ending) -> io::Result<()> {
        let how = match ending {
            Ending::Code(code) => format!("\"code\":{code}"),
            Ending::Signal(signal) => format!("\"signal\":{signal}"),
        };
        let line = format!("{{\"id\":{id},{how},\"started_ms\":{started_ms},\"ended_ms\":{}}}\n", now_ms());
        self.file.write_all_at(line.as_bytes(), self.end)?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Rewrites the black box: a beat, the time, what is running and what ended last.
    pub(crate) fn beat(
        &mut self,
        running: impl Iterator<Item = u32>,
        last_ended: Option<u32>,
    ) -> io::Result<()> {
        self.beats += 1;
        let last = last_ended.map_or_else(|| "null".to_owned(), |id| id.to_string());
        let running: Vec<String> = running.take(64).map(|id| id.to_string()).collect();
        let text = format!(
            "{{\"beats\":{},\"at_ms\":{},\"last_ended\":{last},\"running\":[{}]}}",
            self.beats,
            now_ms(),
            running.join(",")
        );
        let mut page = [b' '; BLACK_BOX_BYTES];
        page[BLACK_BOX_BYTES - 1] = b'\n';
        let length = text.len().min(BLACK_BOX_BYTES - 1);
        page[..length].copy_from_slice(&text.as_bytes()[..length]);
        self.file.write_all_at(&page, 0)
    }
}

/// Milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the supervisor is a program of its own and owns its clock")]
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
