//! What can go wrong on our own disk.

use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be stored or read. If a record cannot be written, the sweep stops: the record is the result.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{doing} `{}`: {source}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A document is not what it should be.
    #[error("read `{}`: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where known.
        why: String,
    },
    /// A document was written by a newer program.
    #[error("read `{}`: it has format version {found}, this program knows up to {known}; use a newer infranoise", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version that this program knows.
        known: u32,
    },
    /// The plan is not the one that the journal was begun with.
    #[error(
        "`{}` was changed after the sweep began (sha256 is {found}, the journal was begun with {expected}); restore it, or start a new sweep under another name",
        path.display()
    )]
    PlanChanged {
        /// The plan.
        path: PathBuf,
        /// The hash that the journal names.
        expected: String,
        /// The hash that the file has.
        found: String,
    },
    /// It holds what others did.
    #[error("`{}` holds imported results: its trials ran elsewhere, and none of it can be started here", path.display())]
    Imported {
        /// The sweep's folder.
        path: PathBuf,
    },
    /// Another process is writing.
    #[error("`{}` is being written by another infranoise (pid {pid}); wait for it, or stop it", path.display())]
    Locked {
        /// The sweep's folder.
        path: PathBuf,
        /// The process.
        pid: u32,
    },
    /// There is no sweep at that place.
    #[error("`{}` is no sweep: it has no plan.json", path.display())]
    NoSweep {
        /// The folder.
        path: PathBuf,
    },
}

impl StoreError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// Whether the system refused to write: the disk is full, read-only or not ours.
    #[must_use]
    pub fn not_writable(&self) -> bool {
        matches!(self, Self::Io { doing, .. } if doing.starts_with("write") || doing.starts_with("create"))
    }
}
