//! The loop of pid 1: take requests, reap the dead, report and record.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::ExitCode;

use crate::message::{CONTROL_FD, Ending, RECORDS_FD, Report, Request};
use crate::record::{Records, now_ms};
use crate::{command, sys};

/// How often the black box is rewritten when nothing happens.
const BEAT_MS: i32 = 5_000;

/// A command that was started and has not ended.
struct Running {
    id: u32,
    started_ms: u64,
}

struct Supervisor {
    control: OwnedFd,
    records: Records,
    /// By process id.
    running: BTreeMap<u32, Running>,
    last_ended: Option<u32>,
}

/// Supervises until the engine hangs up; with this process ends everything in its process namespace.
///
/// Without an argument it finds its descriptors open, as the launcher starts it. A container engine hands no descriptors down: there the
/// argument is the path of a socket at which the engine listens, and the file for the records comes with its first message.
#[must_use]
pub fn main() -> ExitCode {
    let done = sys::hide_from_tracers()
        .and_then(|()| match std::env::args_os().nth(1) {
            None => Ok((sys::adopt(CONTROL_FD)?, sys::adopt(RECORDS_FD)?)),
            Some(path) => called(path.as_encoded_bytes()),
        })
        .and_then(|(control, records)| supervise(control, records));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Calls the engine, and waits for the file for the records.
fn called(path: &[u8]) -> io::Result<(OwnedFd, OwnedFd)> {
    let control = sys::call(path)?;
    let greeting = sys::receive(control.as_fd())?;
    let records = greeting.and_then(|(_, mut descriptors)| descriptors.pop());
    records.map(|records| (control, records)).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

fn supervise(control: OwnedFd, records: OwnedFd) -> io::Result<()> {
    let records = Records::new(records);
    let deaths = sys::child_signals()?;
    let mut supervisor = Supervisor { control, records, running: BTreeMap::new(), last_ended: None };
    supervisor.report(&Report::Hello { gaps: command::oom_score_gap().into_iter().collect() })?;
    loop {
        let [asked, died] = sys::wait_readable([supervisor.control.as_fd(), deaths.as_fd()], BEAT_MS);
        if died {
            let mut signals = [0; 128];
            // How many signals were queued does not matter: all the dead are reaped below.
            drop(io::Read::read(&mut std::fs::File::from(deaths.try_clone()?), &mut signals));
        }
        supervisor.reap_all()?;
        if asked && !supervisor.serve()? {
            return Ok(());
        }
        supervisor.beat();
    }
}

impl Supervisor {
    fn report(&self, report: &Report) -> io::Result<()> {
        sys::send_message(self.control.as_fd(), &report.encode())
    }

    /// Takes one request; false when the engine is gone.
    fn serve(&mut self) -> io::Result<bool> {
        let Some((bytes, descriptors)) = sys::receive(self.control.as_fd())? else { return Ok(false) };
        let Request::Start(command) = Request::decode(&bytes).map_err(io::Error::other)?;
        let id = command.id;
        match command::start(&command, descriptors) {
            Ok(pid) => {
                self.running.insert(pid, Running { id, started_ms: now_ms() });
                self.report(&Report::Started { id, pid })?;
            }
            Err(error) => self.report(&Report::Refused { id, errno: error.raw_os_error().unwrap_or(0) })?,
        }
        Ok(true)
    }

    fn reap_all(&mut self) -> io::Result<()> {
        while let Some((pid, status)) = sys::reap() {
            let Some(Running { id, started_ms }) = self.running.remove(&pid) else { continue };
            let ending = ending(status);
            // A full host disk must not keep the engine from hearing of the end; the engine sees the missing record.
            drop(self.records.finished(id, started_ms, ending));
            self.last_ended = Some(id);
            self.report(&Report::Ended { id, ending })?;
        }
        Ok(())
    }

    fn beat(&mut self) {
        let running = self.running.values().map(|command| command.id);
        drop(self.records.beat(running, self.last_ended));
    }
}

/// Takes a raw wait status apart.
fn ending(status: i32) -> Ending {
    match status & 0x7f {
        0 => Ending::Code((status >> 8) & 0xff),
        signal => Ending::Signal(signal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_statuses_are_codes_or_signals() {
        let cases = [
            (0, Ending::Code(0)),
            (3 << 8, Ending::Code(3)),
            (255 << 8, Ending::Code(255)),
            (137 << 8, Ending::Code(137)),
            (9, Ending::Signal(9)),
            (11 | 0x80, Ending::Signal(11)),
        ];
        for (status, expected) in cases {
            assert_eq!(ending(status), expected, "{status:#x}");
        }
    }
}
