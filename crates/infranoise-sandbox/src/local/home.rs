//! What an engine leaves on disk about itself and its sandboxes, so that another can clear up after it.
//!
//! ```text
//! <state>/engines/<name>/lock             held as long as the engine lives; the kernel lets go of it whatever happens
//!                       /owner.json       who that was: process, its start, boot
//!                       /sandboxes/<id>   sweep and folder of each sandbox that is not cleared up
//!                       /roots/           skeletons and unpacked roots
//! ```

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use infranoise_core::{SandboxId, SweepId};
use serde::{Deserialize, Serialize};

/// The folder of one engine.
#[derive(Debug)]
pub(crate) struct Home {
    folder: PathBuf,
    /// The lock is in this open file.
    _lock: File,
}

/// Who owns an engine's folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub(crate) pid: u32,
    /// Field 22 of `/proc/<pid>/stat`: clock ticks since boot.
    pub(crate) started_ticks: u64,
    pub(crate) boot_id: String,
}

/// One sandbox that may have to be cleared up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) sandbox: SandboxId,
    pub(crate) sweep: SweepId,
    pub(crate) scratch: PathBuf,
}

impl Home {
    /// Makes the folder of a new engine under a state folder.
    pub(crate) fn make(state_dir: &Path) -> io::Result<Self> {
        let owner = Owner::this_process()?;
        let engines = engines(state_dir);
        fs::create_dir_all(&engines)?;
        let folder = (0..)
            .map(|number: u32| engines.join(format!("{}-{}-{number}", owner.pid, owner.started_ticks)))
            .find_map(|folder| match fs::create_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                made => Some(made.map(|()| folder)),
            })
            .unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
        let lock = File::create(folder.join("lock"))?;
        lock.try_lock()?;
        fs::write(folder.join("owner.json"), serde_json::to_vec(&owner)?)?;
        fs::create_dir(folder.join("sandboxes"))?;
        fs::create_dir(folder.join("roots"))?;
        Ok(Self { folder, _lock: lock })
    }

    /// Where roots are kept.
    pub(crate) fn roots(&self) -> PathBuf {
        self.folder.join("roots")
    }

    /// Takes note of a sandbox, before anything of it is made.
    pub(crate) fn note(&self, entry: &Entry) -> io::Result<()> {
        fs::write(self.entry(&entry.sandbox), serde_json::to_vec(entry)?)
    }

    /// The note of a sandbox.
    pub(crate) fn entry(&self, sandbox: &SandboxId) -> PathBuf {
        self.folder.join("sandboxes").join(sandbox.as_str())
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // With sandboxes left, the folder stays for whoever clears up.
        let empty = fs::remove_dir(self.folder.join("sandboxes")).is_ok();
        if empty {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Owner {
    fn this_process() -> io::Result<Self> {
        let pid = std::process::id();
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_owned();
        let started_ticks = started_ticks(pid).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Self { pid, started_ticks, boot_id })
    }
}

fn started_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in brackets and may hold anything.
    let (_, after_name) = stat.rsplit_once(") ")?;
    after_name.split(' ').nth(19)?.parse().ok()
}

/// The folder of all engines.
pub(crate) fn engines(state_dir: &Path) -> PathBuf {
    state_dir.join("engines")
}

/// Takes the folder of an engine whose owner is gone; `None` if it lives.
pub(crate) fn take_over(folder: &Path) -> io::Result<Option<File>> {
    // An engine that was killed before it locked its folder has made nothing else.
    let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// The notes that an engine left.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, Option<Entry>)>> {
    let sandboxes = match fs::read_dir(folder.join("sandboxes")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    let mut all = Vec::new();
    for file in sandboxes {
        let path = file?.path();
        // A torn note was written before anything was made.
        let entry = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        all.push((path, entry));
    }
    Ok(all)
}
