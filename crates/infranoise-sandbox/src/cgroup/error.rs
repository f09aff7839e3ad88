//! Why control groups could not be used.

use std::io;
use std::path::{Path, PathBuf};

/// Something about control groups failed that no trial can go on without. A knob that cannot be set is no error: it is recorded
/// in the `Enforcement` of the trial.
#[derive(Debug, thiserror::Error)]
pub enum CgroupError {
    /// There is nothing to make groups in.
    #[error("no control groups are mounted (`{path}` names none); {way_out}")]
    Missing {
        /// The list of mounts that was looked in.
        path: PathBuf,
        /// What the person can do.
        way_out: &'static str,
    },
    /// There are control groups, but this user may not make any.
    #[error("no control group can be made in `{path}`: {source}; {way_out}")]
    NotWritable {
        /// Where it was tried last.
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
        /// What the person can do.
        way_out: &'static str,
    },
    /// A group could not be made.
    #[error("make the control group `{path}`: {source}")]
    Make {
        /// The group.
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// A file could not be read.
    #[error("read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// A file that everything depends on could not be written.
    #[error("write `{value}` to `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What should have been written.
        value: String,
        /// What the kernel said.
        source: io::Error,
    },
    /// Processes of a group do not die.
    #[error("processes in `{path}` do not end after {tries} kills: {pids:?}")]
    Undying {
        /// The group.
        path: PathBuf,
        /// How often they were killed.
        tries: u32,
        /// Who is left.
        pids: Vec<i32>,
    },
    /// A group could not be removed.
    #[error("remove the control group `{path}`: {source} (tried {tries} times)")]
    Remove {
        /// The group.
        path: PathBuf,
        /// How often it was tried.
        tries: u32,
        /// What the kernel said the last time.
        source: io::Error,
    },
}

impl CgroupError {
    /// For `map_err` on making a group.
    pub(crate) fn make(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Make { path: path.to_owned(), source }
    }

    /// For `map_err` on reading a file.
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    /// For `map_err` on writing a file of a group.
    pub(crate) fn write<'p>(
        dir: &'p Path,
        knob: &'p str,
        value: &'p str,
    ) -> impl FnOnce(io::Error) -> Self + 'p {
        move |source| Self::Write { path: dir.join(knob), value: value.to_owned(), source }
    }

    /// The same as an error of the operating system, for those who pass those on.
    #[must_use]
    pub fn into_io(self) -> io::Error {
        let kind = match &self {
            Self::Missing { .. } => io::ErrorKind::NotFound,
            Self::Undying { .. } => io::ErrorKind::TimedOut,
            Self::NotWritable { source, .. }
            | Self::Make { source, .. }
            | Self::Read { source, .. }
            | Self::Write { source, .. }
            | Self::Remove { source, .. } => source.kind(),
        };
        io::Error::new(kind, self)
    }
}
