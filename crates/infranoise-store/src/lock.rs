//! One writer per sweep, known by pid and boot.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StoreError;

/// Who holds, or last held, a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// The process.
    pub pid: u32,
    /// The boot that it ran in; empty where the system does not say.
    pub boot_id: String,
}

impl LockHolder {
    /// This process.
    #[must_use]
    pub fn this_process() -> Self {
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        Self { pid: std::process::id(), boot_id: boot_id.trim().to_owned() }
    }
}

/// The right to write a sweep; gone with the process, however it ends.
#[derive(Debug)]
pub struct WriteLock {
    _file: File,
    /// Who held it before, if that one left without ending the sweep.
    pub previous: Option<LockHolder>,
}

impl WriteLock {
    /// Takes the lock, without waiting.
    ///
    /// # Errors
    /// If another process holds it, or the file cannot be written.
    pub fn take(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("lock");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(StoreError::io("create", &path))?;
        let mut text = String::new();
        let holder = |text: &str| serde_json::from_str::<LockHolder>(text).ok();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let _ = file.read_to_string(&mut text);
                let pid = holder(&text).map_or(0, |holder| holder.pid);
                return Err(StoreError::Locked { path: folder.to_owned(), pid });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("write", &path)(error)),
        }
        let _ = file.read_to_string(&mut text);
        let previous = holder(&text);
        let this = serde_json::to_vec(&LockHolder::this_process()).unwrap_or_default();
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(&this))
            .map_err(StoreError::io("write", &path))?;
        Ok(Self { _file: file, previous })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_refused_with_the_pid_of_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = WriteLock::take(folder.path()).expect("takes");
        assert_eq!(first.previous, None);
        let refused = WriteLock::take(folder.path()).expect_err("is refused");
        assert!(refused.to_string().contains(&std::process::id().to_string()), "{refused}");
        drop(first);
        let again = WriteLock::take(folder.path()).expect("takes");
        assert_eq!(again.previous, Some(LockHolder::this_process()));
    }
}
