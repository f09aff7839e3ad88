//! Samples on the disk while the trial still runs, for whoever watches: the same file that is written whole at the end.
//!
//! A thread of its own writes, so that a slow disk never holds up sampling. What it cannot write is left out: the whole file at the end
//! is what counts, and says so if it fails.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::sample::{LineWriter, Sample};
use super::slot::Slot;

/// How often files grow.
const EVERY: Duration = Duration::from_secs(1);

/// The thread that lets files grow, until it is dropped.
#[derive(Debug)]
pub(super) struct Growing {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    new: Vec<Grown>,
    stop: bool,
}

/// One trial's file. It is opened once: the whole file at the end takes its name, and never meets a late line.
#[derive(Debug)]
struct Grown {
    slot: Arc<Mutex<Option<Slot>>>,
    file: File,
    writer: LineWriter,
}

impl Growing {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = Builder::new().name("telemetry-files".to_owned()).spawn(move || theirs.write_all())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Lets a file grow with what is sampled in a slot.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn add(&self, slot: &Arc<Mutex<Option<Slot>>>, path: &Path, interval_ms: u32) -> io::Result<()> {
        let mut file = File::create(path)?;
        let mut writer = LineWriter::default();
        file.write_all(&writer.header(interval_ms)?)?;
        if let Some(slot) = slot.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            slot.let_fresh_be_taken();
        }
        let grown = Grown { slot: Arc::clone(slot), file, writer };
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).new.push(grown);
        Ok(())
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).stop = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic in there has been reported already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn write_all(&self) {
        let mut files: Vec<Grown> = Vec::new();
        let mut fresh = Vec::new();
        loop {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.wake.wait_timeout_while(state, EVERY, |state| !state.stop);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.stop {
                return;
            }
            files.append(&mut state.new);
            drop(state);
            files.retain_mut(|grown| grown.grow(&mut fresh));
        }
    }
}

impl Grown {
    /// Writes what is new; false if there is no more to come.
    fn grow(&mut self, fresh: &mut Vec<Sample>) -> bool {
        fresh.clear();
        match self.slot.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(slot) => slot.take_fresh(fresh),
            None => return false,
        }
        let mut lines = Vec::with_capacity(fresh.len() * 48);
        for sample in fresh.iter() {
            self.writer.line(sample, &mut lines);
        }
        self.file.write_all(&lines).is_ok()
    }
}
