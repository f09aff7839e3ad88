//! Freezing on version 1, for hosts without a version 2 tree beside it.

use std::io;
use std::path::Path;

use super::knob;

/// Stops or continues every process of a group and of those below it. A frozen process does not die before it is thawed.
pub(crate) fn freeze(dir: &Path, frozen: bool) -> io::Result<()> {
    knob::write(dir, "freezer.state", if frozen { "FROZEN" } else { "THAWED" })
}

/// Whether every process has stopped.
pub(crate) fn frozen(dir: &Path) -> io::Result<bool> {
    Ok(knob::read(dir, "freezer.state")?.trim() == "FROZEN")
}
