//! Where on the disk new sandboxes go.
//!
//! ext4 keeps a folder's folders close to it, in one block group, and looking for a free inode there passes over all that were deleted
//! within the last minute, one by one: at some tens of sandboxes a second this was a third of their time. A folder that is marked as
//! the top of a tree has its folders spread over the whole disk instead, each in the emptiest group.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};

/// Makes the folder of a sandbox; where the one above it is not there yet, that is made too, as one whose folders are spread.
pub(super) fn make_spread(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        made => return made,
    }
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above)?;
        // File systems that know no such mark need none.
        let _ = mark(above);
    }
    fs::create_dir(folder)
}

fn mark(folder: &Path) -> io::Result<()> {
    let folder = File::open(folder)?;
    Ok(ioctl_setflags(&folder, ioctl_getflags(&folder)? | IFlags::TOPDIR)?)
}
