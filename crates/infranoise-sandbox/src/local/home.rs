//! What an engine leaves on disk about itself and its sandboxes, so that another can clear up after it.
//!
//! ```text
//! <state>/engines/<name>/lock        held as long as the engine lives; the kernel lets go of it whatever happens
//!                       /owner.json  who that was: process, its start, boot
//!                       /sandboxes   one line when a sandbox is about to be made, one when nothing of it is left
//!                       /roots/      skeletons and unpacked roots
//!                       /mount/      an empty folder, over which each sandbox mounts its root in its own namespace
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use infranoise_core::{SandboxId, SweepId};
use serde::{Deserialize, Serialize};

/// How often, and with what pause, the lock of an engine whose process is gone is tried: half a second in all.
const LAST_CHILD_TRIES: u32 = 50;
const LAST_CHILD_PAUSE: Duration = Duration::from_millis(10);

/// The folder of one engine.
#[derive(Debug)]
pub(crate) struct Home {
    folder: PathBuf,
    /// The lock is in this open file.
    _lock: File,
    ledger: Mutex<Ledger>,
}

#[derive(Debug)]
struct Ledger {
    file: File,
    standing: BTreeMap<SandboxId, Entry>,
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
    /// Whether it has rules for its network.
    #[serde(default)]
    pub(crate) bridged: bool,
}

/// A line of the ledger.
#[derive(Debug, Serialize, Deserialize)]
enum Line {
    Made(Entry),
    Gone(SandboxId),
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
        let file = File::options().create_new(true).append(true).open(folder.join("sandboxes"))?;
        fs::create_dir(folder.join("roots"))?;
        fs::create_dir(folder.join("mount"))?;
        let ledger = Mutex::new(Ledger { file, standing: BTreeMap::new() });
        Ok(Self { folder, _lock: lock, ledger })
    }

    /// The folder itself, whose lock says that the engine lives.
    #[cfg(feature = "docker")]
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where roots are kept.
    pub(crate) fn roots(&self) -> PathBuf {
        self.folder.join("roots")
    }

    /// The empty folder.
    pub(crate) fn mount_point(&self) -> PathBuf {
        self.folder.join("mount")
    }

    /// Takes note of a sandbox, before anything of it is made. A name is taken until nothing of its sandbox is left.
    pub(crate) fn note(&self, entry: &Entry) -> io::Result<()> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        if ledger.standing.contains_key(&entry.sandbox) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        ledger.write(&Line::Made(entry.clone()))?;
        ledger.standing.insert(entry.sandbox.clone(), entry.clone());
        Ok(())
    }

    /// Nothing of this sandbox is left.
    pub(crate) fn forget(&self, sandbox: &SandboxId) {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        // Without the line, `reap` looks for things that are not there: no harm.
        let _ = ledger.write(&Line::Gone(sandbox.clone()));
        ledger.standing.remove(sandbox);
    }
}

impl Ledger {
    /// One line is one write.
    fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let ledger = self.ledger.get_mut().unwrap_or_else(PoisonError::into_inner);
        // With sandboxes standing, the folder stays for whoever clears up.
        if ledger.standing.is_empty() {
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
    // A child that an engine forked just before it was killed holds the lock until it executes its own program.
    for _ in 0..LAST_CHILD_TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(fs::TryLockError::WouldBlock) if owner_lives(folder) => return Ok(None),
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(LAST_CHILD_PAUSE),
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(None)
}

/// Whether the process that made this folder runs. One that has not yet written who it is counts as gone: its lock decides.
fn owner_lives(folder: &Path) -> bool {
    let Ok(text) = fs::read(folder.join("owner.json")) else { return false };
    let Ok(owner) = serde_json::from_slice::<Owner>(&text) else { return false };
    started_ticks(owner.pid) == Some(owner.started_ticks)
}

/// The sandboxes of an engine of which something may be left.
pub(crate) fn standing(folder: &Path) -> io::Result<Vec<Entry>> {
    let ledger = match fs::read_to_string(folder.join("sandboxes")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    Ok(replay(&ledger).into_values().collect())
}

/// Takes note, in the ledger of an engine that is gone, that a sandbox is gone too.
pub(crate) fn note_gone(folder: &Path, sandbox: &SandboxId) -> io::Result<()> {
    let mut file = File::options().append(true).open(folder.join("sandboxes"))?;
    // The last line may be torn.
    file.write_all(b"\n")?;
    Ledger { file, standing: BTreeMap::new() }.write(&Line::Gone(sandbox.clone()))
}

fn replay(ledger: &str) -> BTreeMap<SandboxId, Entry> {
    let mut standing = BTreeMap::new();
    // A torn line was written before anything was made.
    for line in ledger.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match line {
            Line::Made(entry) => drop(standing.insert(entry.sandbox.clone(), entry)),
            Line::Gone(sandbox) => drop(standing.remove(&sandbox)),
        }
    }
    standing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_and_is_not_gone_stands() {
        let ledger = r#"{"Made":{"sandbox":"a","sweep":"s","scratch":"/x/a"}}
{"Made":{"sandbox":"b","sweep":"s","scratch":"/x/b"}}
{"Gone":"a"}
{"Made":{"sandbox":"c","swe"#;
        let standing: Vec<String> = replay(ledger).into_keys().map(String::from).collect();
        assert_eq!(standing, ["b"]);
    }
}
