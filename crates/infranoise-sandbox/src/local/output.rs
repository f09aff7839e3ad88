//! A command's output on its way to a file: kept up to a limit, counted and dropped beyond it.
//!
//! The pipe is always drained, so that nobody inside waits for ever on a full one; beyond the limit it is drained slowly, so that a
//! command that prints without end costs the host next to nothing.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rustix::pipe::{PipeFlags, pipe_with};

/// What one read takes: the kernel's usual pipe size.
const CHUNK_BYTES: usize = 64 << 10;

/// The reading end of a command's output.
#[derive(Debug)]
pub(crate) struct Output {
    pipe: File,
    sink: Mutex<Sink>,
}

#[derive(Debug)]
struct Sink {
    file: File,
    room_bytes: u64,
    dropped_bytes: u64,
    failure: Option<io::Error>,
}

/// What a drain found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drained {
    /// Everything was taken; more may come.
    Empty,
    /// More is waiting.
    More,
    /// More may be waiting, but the limit was passed: there is no hurry.
    Beyond,
    /// Every writer is gone.
    Closed,
}

impl Output {
    /// A pipe into a file; gives the writing end for the command.
    pub(crate) fn open(path: &Path, limit_bytes: u64) -> io::Result<(Self, OwnedFd)> {
        let file = File::options().create(true).append(true).open(path)?;
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        // Only our end: the command expects writes to wait.
        rustix::io::ioctl_fionbio(&read, true)?;
        let sink = Sink { file, room_bytes: limit_bytes, dropped_bytes: 0, failure: None };
        Ok((Self { pipe: File::from(read), sink: Mutex::new(sink) }, write))
    }

    /// Takes at most one chunk.
    pub(crate) fn drain(&self) -> Drained {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let mut chunk = [0; CHUNK_BYTES];
        match (&self.pipe).read(&mut chunk) {
            Ok(0) => Drained::Closed,
            Ok(length) => {
                sink.take(&chunk[..length]);
                let beyond = sink.room_bytes == 0;
                if beyond { Drained::Beyond } else { Drained::More }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Drained::Empty,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Drained::More,
            Err(_) => Drained::Closed,
        }
    }

    /// Takes everything that was written before this call. Daemons may go on writing: that is not waited for.
    pub(crate) fn flush(&self) {
        // What a command wrote before its end is in the pipe by now, and a pipe holds no more than this many chunks.
        let chunks =
            rustix::pipe::fcntl_getpipe_size(&self.pipe).unwrap_or(CHUNK_BYTES).div_ceil(CHUNK_BYTES) + 1;
        for _ in 0..chunks {
            if matches!(self.drain(), Drained::Empty | Drained::Closed) {
                return;
            }
        }
    }

    /// How many bytes were dropped, and whether the file refused some.
    pub(crate) fn losses(&self) -> (u64, Option<String>) {
        let sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        (sink.dropped_bytes, sink.failure.as_ref().map(ToString::to_string))
    }
}

impl AsFd for Output {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

impl Sink {
    fn take(&mut self, bytes: &[u8]) {
        let room = usize::try_from(self.room_bytes).unwrap_or(usize::MAX).min(bytes.len());
        let (kept, dropped) = bytes.split_at(room);
        self.room_bytes -= kept.len() as u64;
        self.dropped_bytes += dropped.len() as u64;
        if let Err(error) = self.file.write_all(kept) {
            self.dropped_bytes += kept.len() as u64;
            self.failure.get_or_insert(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_limit_is_counted_and_dropped() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("log");
        let (output, write) = Output::open(&path, 10).expect("open");
        File::from(write).write_all(b"0123456789abcdef").expect("write");
        output.flush();
        assert_eq!(std::fs::read(&path).expect("read"), b"0123456789");
        assert_eq!(output.losses(), (6, None));
        assert_eq!(output.drain(), Drained::Closed);
    }

    #[test]
    fn a_second_command_appends() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("log");
        for _ in 0..2 {
            let (output, write) = Output::open(&path, 100).expect("open");
            File::from(write).write_all(b"line\n").expect("write");
            output.flush();
        }
        assert_eq!(std::fs::read(&path).expect("read"), b"line\nline\n");
    }
}
