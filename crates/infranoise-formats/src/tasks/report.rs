//! What a reader found out about a file besides its content: errors and warnings, each with its place.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place in a file. Lines and columns count from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The line, where one line can be named.
    pub line: Option<u32>,
    /// The column, where one can be named.
    pub column: Option<u32>,
}

impl Place {
    /// A whole file or folder.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), line: None, column: None }
    }

    /// One line of a file.
    #[must_use]
    pub fn line(path: impl Into<PathBuf>, line: u32) -> Self {
        Self { path: path.into(), line: Some(line), column: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        Ok(())
    }
}

/// Why a task cannot be used, and what a person can do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}; {way_out}")]
pub struct TaskError {
    /// Where.
    pub place: Place,
    /// What is wrong, or what is not supported.
    pub what: String,
    /// What to do.
    pub way_out: String,
}

/// Something about a task that a person should know, and that does not stop it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskWarning {
    /// Where.
    pub place: Place,
    /// What.
    pub says: String,
}

impl fmt::Display for TaskWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.says)
    }
}

/// Collects what is found out about a task while it is read: reading goes on after an error, so that all are told at once.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) errors: Vec<TaskError>,
    pub(super) warnings: Vec<TaskWarning>,
}

impl Report {
    pub(super) fn error(&mut self, place: Place, what: impl Into<String>, way_out: impl Into<String>) {
        self.errors.push(TaskError { place, what: what.into(), way_out: way_out.into() });
    }

    pub(super) fn warn(&mut self, place: Place, says: impl Into<String>) {
        self.warnings.push(TaskWarning { place, says: says.into() });
    }
}

/// The text of a file, for finding the line of a byte.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
}

impl Text<'_> {
    /// The place of a span of bytes; the whole file if there is none.
    pub(super) fn place(&self, span: Option<Range<usize>>) -> Place {
        let Some(span) = span else { return Place::file(self.path) };
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let narrow = |n: usize| u32::try_from(n).ok();
        Place { path: self.path.to_owned(), line: narrow(line), column: narrow(column) }
    }
}
