//! Tasks inside the binary, and how they become folders.

use std::fs;
use std::io;
use std::path::Path;

/// A task that the binary carries.
#[derive(Clone, Copy, Debug)]
pub struct BundledTask {
    /// The name of its folder, and of the task.
    pub name: &'static str,
    /// Whether it belongs to the demonstration.
    pub in_demo: bool,
    /// Its files: path inside the folder, and content.
    pub files: &'static [(&'static str, &'static [u8])],
    /// The truth table: kill scope, ceiling, verdict.
    pub(crate) expected: &'static [(&'static str, &'static str, &'static str)],
    /// What a specimen shows: key and value.
    pub(crate) expect: &'static [(&'static str, &'static str)],
}

/// Writes tasks as folders that any reader of Harbor tasks can read. Files that are there already are written over.
///
/// # Errors
/// If a folder or file cannot be written.
pub fn materialise(tasks: &[BundledTask], folder: &Path) -> io::Result<()> {
    for task in tasks {
        for (name, content) in task.files {
            let path = folder.join(task.name).join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, content)?;
            if name.ends_with(".sh") {
                make_executable(&path)?;
            }
        }
    }
    Ok(())
}

/// Writes the probe program to a file and makes it executable.
///
/// # Errors
/// If the file cannot be written.
pub fn write_program(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, crate::PROBE_PROGRAM)?;
    make_executable(path)
}

fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}
