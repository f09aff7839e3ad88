//! What an import could not read: each with its file, its field and the reason.

use serde::Serialize;

/// Something that was in the source and is not in the result, or that a reader would expect and the source does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// The file, relative to what was imported.
    pub file: String,
    /// The field, or the part of the file.
    pub field: String,
    /// Why it was lost.
    pub reason: String,
}

/// The losses of an import. Beyond [`Losses::MOST`] they are only counted, so that a broken tree cannot fill the memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Losses {
    /// The first ones, in the order of reading.
    pub kept: Vec<Loss>,
    /// How many there are in all.
    pub total: u64,
}

impl Losses {
    /// How many are kept.
    pub const MOST: usize = 10_000;

    /// Adds what was lost elsewhere, behind what is here.
    pub(in crate::results) fn join(&mut self, others: Self) {
        self.total += others.total;
        let room = Self::MOST.saturating_sub(self.kept.len());
        self.kept.extend(others.kept.into_iter().take(room));
    }

    pub(in crate::results) fn add(
        &mut self,
        file: impl Into<String>,
        field: impl Into<String>,
        reason: impl Into<String>,
    ) {
        self.total += 1;
        if self.kept.len() < Self::MOST {
            self.kept.push(Loss { file: file.into(), field: field.into(), reason: reason.into() });
        }
    }
}
