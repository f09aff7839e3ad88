//! The digest of a task's files, as Harbor computes the digest of a package: results can then be joined with tasks.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ignore::{Dialect, IgnoreList};

/// Files at the top that belong to a task.
const FILES: [&str; 4] = ["task.toml", "instruction.md", "README.md", "trajectory.json"];
/// Folders that belong to a task, with all that is in them.
const FOLDERS: [&str; 4] = ["environment", "tests", "solution", "steps"];

/// A file or folder that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("read `{path}`: {source}")]
pub struct Unreadable {
    /// Which.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// SHA-256 over one line per file, `path NUL sha256 LF`, in the order of the paths.
///
/// # Errors
/// If a file of the task cannot be read.
pub fn task_digest(root: &Path) -> Result<String, Unreadable> {
    let ignore = match fs::read_to_string(root.join(".gitignore")) {
        Ok(text) => IgnoreList::parse(&text, Dialect::Git),
        Err(_) => IgnoreList::parse("", Dialect::Git),
    };
    let mut files: Vec<String> =
        FILES.iter().filter(|name| root.join(name).is_file()).map(|&name| name.to_owned()).collect();
    for folder in FOLDERS {
        walk(root, folder, &mut files)?;
    }
    files.retain(|file| !ignore.ignores(file));
    files.sort_unstable();
    let mut whole = Sha256::new();
    for file in &files {
        whole.update(format!("{file}\0{}\n", sha256_file(&root.join(file))?));
    }
    Ok(hex(&whole.finalize()))
}

/// Adds every file below a folder, named relative to the root.
fn walk(root: &Path, folder: &str, files: &mut Vec<String>) -> Result<(), Unreadable> {
    let at = root.join(folder);
    if !at.is_dir() {
        return Ok(());
    }
    let unreadable = |source| Unreadable { path: at.clone(), source };
    for entry in fs::read_dir(&at).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        // Python's `rglob` lists files behind links, but does not go into linked folders.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(root, &name, files)?;
        } else if entry.path().is_file() {
            files.push(name);
        }
    }
    Ok(())
}

fn sha256_file(path: &Path) -> Result<String, Unreadable> {
    let unreadable = |source| Unreadable { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 64 << 10];
    loop {
        match file.read(&mut block).map_err(unreadable)? {
            0 => return Ok(hex(&hash.finalize())),
            n => hash.update(&block[..n]),
        }
    }
}

/// SHA-256 of bytes, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
