//! One input as several files: a byte that no text holds, the number of a file, its content.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// Begins a file; the next byte, modulo the number of files, says which.
pub const MARK: u8 = 0xff;

/// A folder that lives in memory where the system has one.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder")
}

/// Writes a file and the folders above it.
pub fn put(root: &Path, name: &str, content: &[u8]) {
    let path = root.join(name);
    if let Some(above) = path.parent() {
        fs::create_dir_all(above).expect("made");
    }
    fs::write(path, content).expect("written");
}

/// Writes the files that an input stands for; of two of one name the last counts. What comes before the first mark is the first file.
pub fn lay_out(root: &Path, names: &[&str], data: &[u8]) {
    for (place, part) in data.split(|byte| *byte == MARK).enumerate() {
        let (name, content) = match (place, part) {
            (0, []) => continue,
            (0, content) => (names[0], content),
            (_, [number, content @ ..]) => (names[usize::from(*number) % names.len()], content),
            (_, []) => continue,
        };
        put(root, name, content);
    }
}
