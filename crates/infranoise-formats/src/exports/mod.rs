//! A sweep in other people's tools: tables, a database, test reports, masks for training.
//!
//! Every export is one entry of [`EXPORTS`] and is derived from plan and records: it can be deleted and written again. The tables (CSV,
//! JSON Lines, Parquet, SQLite) have one row for each recorded attempt and share one list of [`columns`], with units in the names; what
//! is not known is `null` or empty, never 0. Planned trials without a record have no row; the plan says how many there are.
//!
//! Deliberately absent: scores and statistics (they need the whole sweep and a rule), and reading back (an importer does that).

mod cell;
mod column;
mod columns;
mod csv;
mod error;
mod exporter;
mod jsonl;
mod junit;
mod mask;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod records;
mod reference;
#[cfg(feature = "sqlite")]
mod sqlite;
mod sweep;
#[cfg(test)]
mod tests;
mod word;
mod xml;

pub use column::{Column, Kind};
pub use columns::{GROUPS, Group, columns};
pub use error::ExportError;
pub use exporter::{EXPORTS, Exporter, exporter, exporter_for};
pub use mask::{Mask, MaskSummary, Masked, mask, mask_summary};
pub use options::ExportOptions;
pub use reference::column_reference;
pub use sweep::{Row, Sweep};

pub(crate) use columns::infra;
pub(crate) use word::word;
