//! Loop devices whose file lay in a folder that is to be removed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::linux::loops;

/// Takes the files below a folder off their devices; says what could not be done.
pub(crate) fn detach_all(folder: &Path) -> Vec<String> {
    let detach = |device: PathBuf| match loops::detach(&device) {
        // It has gone by itself meanwhile.
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) => None,
        Err(error) => Some(format!("{}: {error}", device.display())),
        Ok(()) => None,
    };
    devices(folder).into_iter().filter_map(detach).collect()
}

/// The devices whose file lies, or lay, below a folder.
fn devices(folder: &Path) -> Vec<PathBuf> {
    let blocks = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let on_loop = |block: fs::DirEntry| {
        let file = fs::read_to_string(block.path().join("loop/backing_file")).ok()?;
        Path::new(file.trim_end()).starts_with(folder).then(|| Path::new("/dev").join(block.file_name()))
    };
    blocks.filter_map(on_loop).collect()
}
