//! The columns of every table, in groups. To add one: an entry in its group; `docs/exports.md` is tested against the list.
//!
//! The first names are the smallest table that an importer understands: `task`, `arm`, `repeat`, `pass`, `infra`.

mod host;
mod identity;
mod measured;
mod origin;
mod resources;
mod time;
mod usage;
mod verdict;

use super::column::Column;
pub(crate) use verdict::infra;

/// Columns that belong together.
pub struct Group {
    /// What they are about.
    pub title: &'static str,
    /// The columns.
    pub columns: &'static [Column],
}

/// Every group, in the order of the tables.
pub const GROUPS: &[Group] = &[
    Group { title: "Which trial", columns: identity::COLUMNS },
    Group { title: "What became of it", columns: verdict::COLUMNS },
    Group { title: "When and how long", columns: time::COLUMNS },
    Group { title: "Resources that it was given", columns: resources::COLUMNS },
    Group { title: "Resources that it used", columns: measured::COLUMNS },
    Group { title: "The host meanwhile", columns: host::COLUMNS },
    Group { title: "Tokens and money", columns: usage::COLUMNS },
    Group { title: "Where it comes from", columns: origin::COLUMNS },
];

/// Every column, in the order of the tables.
pub fn columns() -> impl Iterator<Item = &'static Column> {
    GROUPS.iter().flat_map(|group| group.columns)
}
