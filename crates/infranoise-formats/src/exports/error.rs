//! Why an export could not be written.

use std::path::{Path, PathBuf};

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The stream or the file refused.
    #[error("write the export: {0}")]
    Write(#[from] std::io::Error),
    /// The file could not be made, or not be put in its place.
    #[error("write `{}`: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The format's own library refused.
    #[error("write {what}: {source}")]
    Library {
        /// The format.
        what: &'static str,
        /// What it said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A database cannot be written to a stream.
    #[error("`{id}` is written to a file, not to a stream: name one")]
    NeedsFile {
        /// The exporter.
        id: &'static str,
    },
}

impl ExportError {
    pub(super) fn file(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), source }
    }

    #[cfg(any(feature = "parquet", feature = "sqlite"))]
    pub(super) fn library(
        what: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Library { what, source: source.into() }
    }
}
