//! The kernel log, shared by all sandboxes of an engine.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::kmsg::{KernelLog, OomKill};

/// The log, or why it cannot be read.
#[derive(Debug)]
pub(crate) struct SharedLog(Mutex<Result<KernelLog, String>>);

impl SharedLog {
    /// Opens the log at its end.
    pub(crate) fn open() -> Self {
        Self(Mutex::new(KernelLog::open(Path::new("/dev/kmsg")).map_err(|error| error.to_string())))
    }

    /// Reads what is new; once that fails, the log is not believed any more.
    pub(crate) fn refresh(&self) -> &Self {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(open) = log.as_mut()
            && let Err(error) = open.read_new()
        {
            *log = Err(error.to_string());
        }
        drop(log);
        self
    }

    /// The kills in a group, oldest first; its path has slashes at both ends.
    pub(crate) fn kills(&self, group: &str) -> Result<Vec<OomKill>, String> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Ok(log) => Ok(log.kills_in(group)),
            Err(why) => Err(why.clone()),
        }
    }

    /// Whether it can be read.
    pub(crate) fn readable(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_ok()
    }
}
