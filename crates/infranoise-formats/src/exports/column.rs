//! One column of the tables.

use infranoise_core::Observed;

use super::cell::Cell;
use super::sweep::Row;

/// What kind of values a column holds, besides null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// Whole numbers of 64 bits.
    Whole,
    /// Numbers in double precision.
    Number,
    /// UTF-8 text.
    Text,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Bool => "bool",
            Self::Whole => "int",
            Self::Number => "float",
            Self::Text => "text",
        })
    }
}

/// One column: its name with the unit in it, what it holds, and how it follows from a record.
pub struct Column {
    /// Its name, stable across versions.
    pub name: &'static str,
    /// What kind of values it holds.
    pub kind: Kind,
    /// What it says, in one sentence.
    pub says: &'static str,
    of: Of,
}

enum Of {
    /// It follows from the record.
    Value(for<'r> fn(&Row<'r>) -> Cell<'r>),
    /// It was measured, so that it may be missing for a reason or hold only a part.
    Reading(for<'r> fn(&Row<'r>) -> Observed<Cell<'r>>),
}

impl Column {
    pub(super) const fn new(
        name: &'static str,
        kind: Kind,
        says: &'static str,
        of: for<'r> fn(&Row<'r>) -> Cell<'r>,
    ) -> Self {
        Self { name, kind, says, of: Of::Value(of) }
    }

    pub(super) const fn measured(
        name: &'static str,
        kind: Kind,
        says: &'static str,
        of: for<'r> fn(&Row<'r>) -> Observed<Cell<'r>>,
    ) -> Self {
        Self { name, kind, says, of: Of::Reading(of) }
    }

    /// The value in a row.
    pub(super) fn cell<'r>(&self, row: &Row<'r>) -> Cell<'r> {
        match self.of {
            Of::Value(of) => of(row),
            Of::Reading(of) => match of(row) {
                Observed::Observed(cell) | Observed::Partial(cell) => cell,
                Observed::Unavailable(_) | Observed::Unsupported(_) => Cell::Null,
            },
        }
    }

    /// The reading in a row, if the column holds measurements.
    pub(super) fn reading<'r>(&self, row: &Row<'r>) -> Option<Observed<Cell<'r>>> {
        match self.of {
            Of::Value(_) => None,
            Of::Reading(of) => Some(of(row)),
        }
    }
}
