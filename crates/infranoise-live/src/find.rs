//! Which sweep is meant: a folder of one, or the newest in a folder of several.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use infranoise_core::SweepId;
use infranoise_store::{PlanFile, sweeps_in};

use crate::LiveError;

/// What lies at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// One sweep.
    One(PathBuf),
    /// A folder with sweeps.
    Many(PathBuf, Vec<SweepId>),
}

/// Looks what lies at a path.
///
/// # Errors
/// If there is no sweep, or the folder cannot be read.
pub fn place(path: &Path) -> Result<Place, LiveError> {
    if path.join(PlanFile::NAME).is_file() {
        return Ok(Place::One(path.to_owned()));
    }
    let sweeps = sweeps_in(path)?;
    if sweeps.is_empty() {
        return Err(LiveError::NothingThere { path: path.to_owned() });
    }
    Ok(Place::Many(path.to_owned(), sweeps))
}

/// The sweep at a path, or the one in it that was written last.
///
/// # Errors
/// As [`place`].
pub fn newest(path: &Path) -> Result<PathBuf, LiveError> {
    match place(path)? {
        Place::One(path) => Ok(path),
        Place::Many(root, sweeps) => {
            let newest =
                sweeps.into_iter().map(|name| root.join(name.as_str())).max_by_key(|path| written(path));
            newest.ok_or(LiveError::NothingThere { path: root })
        }
    }
}

/// When a sweep was last written.
#[must_use]
pub fn written(sweep: &Path) -> Option<SystemTime> {
    let modified =
        |name: &str| std::fs::metadata(sweep.join(name)).and_then(|metadata| metadata.modified()).ok();
    modified("journal.jsonl").max(modified(PlanFile::NAME))
}
