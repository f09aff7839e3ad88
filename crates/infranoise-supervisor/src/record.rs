//! What outlives a kill: one record per finished command, and a black box that is rewritten in place.
//!
//! The folder is on the host and known here only as a descriptor, so that nothing inside the sandbox can forge a record.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::message::Ending;

/// The black box never grows beyond this.
pub const BLACK_BOX_BYTES: usize = 4096;
/// Its name in the records folder.
pub const BLACK_BOX: &str = "blackbox";

/// The records of one sandbox.
pub(crate) struct Records {
    folder: OwnedFd,
    black_box: File,
    beats: u64,
}

impl Records {
    pub(crate) fn open(folder: OwnedFd) -> io::Result<Self> {
        let black_box = File::create(beneath(&folder, BLACK_BOX))?;
        Ok(Self { folder, black_box, beats: 0 })
    }

    /// Writes the record of a finished command; it is there whole or not at all.
    pub(crate) fn finished(&self, id: u32, started_ms: u64, ending: Ending) -> io::Result<()> {
        let how = match ending {
            Ending::Code(code) => format!("\"code\":{code}"),
            Ending::Signal(signal) => format!("\"signal\":{signal}"),
        };
        let text = format!("{{\"id\":{id},{how},\"started_ms\":{started_ms},\"ended_ms\":{}}}\n", now_ms());
        let unfinished = beneath(&self.folder, &format!("e{id}.new"));
        File::create(&unfinished)?.write_all(text.as_bytes())?;
        fs::rename(unfinished, beneath(&self.folder, &format!("e{id}.json")))
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
        self.black_box.write_all_at(&page, 0)
    }
}

fn beneath(folder: &OwnedFd, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{name}", folder.as_raw_fd()))
}

/// Milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the supervisor is a program of its own and owns its clock")]
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
