//! The exporters, and how one of them writes.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::options::ExportOptions;
use super::sweep::Sweep;

/// Writes one format.
pub struct Exporter {
    /// Its name, stable across versions.
    pub id: &'static str,
    /// What it writes, in a few words.
    pub what: &'static str,
    /// How its files end, without the dot.
    pub extension: &'static str,
    pub(super) to: Target,
}

/// Where a format can be written to.
pub(super) enum Target {
    /// Row by row to anything.
    Stream(fn(&Sweep<'_>, ExportOptions, &mut (dyn Write + Send)) -> Result<(), ExportError>),
    /// Into a file that does not exist yet.
    #[cfg_attr(
        not(feature = "sqlite"),
        expect(dead_code, reason = "the database is the only one that needs a file")
    )]
    File(fn(&Sweep<'_>, &Path) -> Result<(), ExportError>),
}

/// Every export. A test walks the list.
pub const EXPORTS: &[Exporter] = &[
    super::csv::EXPORTER,
    super::jsonl::EXPORTER,
    #[cfg(feature = "parquet")]
    super::parquet::EXPORTER,
    #[cfg(feature = "sqlite")]
    super::sqlite::EXPORTER,
    super::junit::EXPORTER,
    super::mask::EXPORTER,
    super::records::EXPORTER,
];

/// The exporter of this name.
#[must_use]
pub fn exporter(id: &str) -> Option<&'static Exporter> {
    EXPORTS.iter().find(|exporter| exporter.id == id)
}

/// The exporter whose ending the file's name has; the longest one, since `.mask.jsonl` is also `.jsonl`.
#[must_use]
pub fn exporter_for(path: &Path) -> Option<&'static Exporter> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let ends = |exporter: &&Exporter| name.ends_with(&format!(".{}", exporter.extension));
    EXPORTS.iter().filter(ends).max_by_key(|exporter| exporter.extension.len())
}

impl Exporter {
    /// Whether it can be written to a file only.
    #[must_use]
    pub fn needs_file(&self) -> bool {
        matches!(self.to, Target::File(_))
    }

    /// Writes to a stream.
    ///
    /// # Errors
    /// If the stream refuses, or the format is a database.
    pub fn write_to(
        &self,
        sweep: &Sweep<'_>,
        options: ExportOptions,
        out: &mut (dyn Write + Send),
    ) -> Result<(), ExportError> {
        match self.to {
            Target::Stream(write) => write(sweep, options, out),
            Target::File(_) => Err(ExportError::NeedsFile { id: self.id }),
        }
    }

    /// Writes a file. It appears under its name only when it is whole; one that was there before is replaced.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub fn write_file(
        &self,
        sweep: &Sweep<'_>,
        options: ExportOptions,
        path: &Path,
    ) -> Result<(), ExportError> {
        let partial = partial(path);
        let written = self
            .write_partial(sweep, options, &partial)
            .and_then(|()| fs::rename(&partial, path).map_err(|source| ExportError::file(path, source)));
        if written.is_err() {
            // The error that matters is the first one.
            let _ = fs::remove_file(&partial);
        }
        written
    }

    fn write_partial(
        &self,
        sweep: &Sweep<'_>,
        options: ExportOptions,
        partial: &Path,
    ) -> Result<(), ExportError> {
        let failed = |source| ExportError::file(partial, source);
        match self.to {
            Target::Stream(write) => {
                let mut out = BufWriter::new(File::create(partial).map_err(failed)?);
                write(sweep, options, &mut out)?;
                out.flush().map_err(failed)
            }
            Target::File(write) => {
                if partial.exists() {
                    fs::remove_file(partial).map_err(failed)?;
                }
                write(sweep, partial)
            }
        }
    }
}

/// The name of a file that is not whole yet: in the same folder, so that it can be renamed.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
}
