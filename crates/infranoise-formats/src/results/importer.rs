//! The importers, and how a path finds its own.

use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use super::collect::Collector;
use super::import::ImportError;
use super::{harbor, inspect, miniswe, openhands, swebench, table, tb1};

/// Reads one kind of foreign result.
pub struct Importer {
    /// Its name, stable across versions.
    pub id: &'static str,
    /// What it reads, in a few words.
    pub what: &'static str,
    /// By what it knows its own, in one sentence: shown when nothing was recognised.
    pub looks_for: &'static str,
    pub(in crate::results) detect: fn(&Candidate) -> Detection,
    pub(in crate::results) read: fn(&[Found], &mut Collector<'_>),
}

/// Whether a path is what an importer reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It is, and what exactly.
    Is(&'static str),
    /// It is not.
    No,
}

/// Every importer, in the order of reading: side files before what they complete. No two claim the same path; a test walks the list.
pub const IMPORTERS: &[Importer] = &[
    harbor::IMPORTER,
    tb1::IMPORTER,
    inspect::IMPORTER,
    miniswe::IMPORTER,
    swebench::IMPORTER,
    openhands::IMPORTER,
    table::IMPORTER,
];

/// A path that an importer claims.
#[derive(Clone)]
pub struct Found {
    /// The folder or file.
    pub path: PathBuf,
    /// What it is, in a few words.
    pub what: &'static str,
    /// Who reads it.
    pub importer: &'static Importer,
    /// The same path, relative to what was imported: how losses and records name it.
    pub(in crate::results) shown: String,
}

/// Folders are searched so deep for results.
const DEEPEST: usize = 8;
/// At most so many folders are searched.
const MOST_FOLDERS: usize = 200_000;

/// Finds out what a path is: a result of one kind, or a tree that holds some.
///
/// # Errors
/// If it cannot be read, nothing in it is recognised (with what was looked for), or two importers claim the same path.
pub fn detect_any(path: &Path) -> Result<Vec<Found>, ImportError> {
    let mut search = Search { root: path, found: Vec::new(), folders: 0 };
    let top = std::fs::metadata(path)
        .and_then(|_| Candidate::new(path))
        .map_err(|source| ImportError::Unreadable { path: path.to_owned(), source })?;
    search.look(&top, 0)?;
    if search.found.is_empty() {
        return Err(ImportError::nothing_recognised(path));
    }
    Ok(search.found)
}

struct Search<'p> {
    root: &'p Path,
    found: Vec<Found>,
    folders: usize,
}

impl Search<'_> {
    fn look(&mut self, candidate: &Candidate, depth: usize) -> Result<(), ImportError> {
        let claims: Vec<(&'static Importer, &'static str)> = IMPORTERS
            .iter()
            .filter_map(|importer| match (importer.detect)(candidate) {
                Detection::Is(what) => Some((importer, what)),
                Detection::No => None,
            })
            .collect();
        match claims.as_slice() {
            [] => self.go_in(candidate, depth),
            [(importer, what)] => {
                let path = candidate.path().to_owned();
                let shown = self.shown(&path);
                self.found.push(Found { path, what, importer, shown });
                Ok(())
            }
            [(first, _), (second, _), ..] => Err(ImportError::Ambiguous {
                path: candidate.path().to_owned(),
                first: first.id,
                second: second.id,
            }),
        }
    }

    fn go_in(&mut self, candidate: &Candidate, depth: usize) -> Result<(), ImportError> {
        let Some(folder) = candidate.folder() else { return Ok(()) };
        if depth == DEEPEST {
            return Ok(());
        }
        for path in folder.files.iter().chain(&folder.folders) {
            self.folders += 1;
            if self.folders > MOST_FOLDERS {
                return Err(ImportError::TooMany { path: self.root.to_owned(), most: MOST_FOLDERS });
            }
            // A folder that cannot be listed is one of many: the others are still read.
            if let Ok(inner) = Candidate::new(path) {
                self.look(&inner, depth + 1)?;
            }
        }
        Ok(())
    }

    fn shown(&self, path: &Path) -> String {
        let relative = path.strip_prefix(self.root).unwrap_or(path);
        if relative.as_os_str().is_empty() {
            return path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        relative.to_string_lossy().into_owned()
    }
}
