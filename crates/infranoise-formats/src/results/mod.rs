//! Results of trials in the formats of other harnesses.
//!
//! [`import`] finds out what a path is, reads what can be read and lists what was lost; from there everything works as on our own
//! trials. Each format is one folder or file with one entry in [`IMPORTERS`]. [`harbor_result`] writes the other way.
//!
//! An importer turns what a source left behind into facts and clues; whom a failure is to be blamed on is decided by
//! [`infranoise_core::classify()`] alone. Deliberately absent: scores, clocks, our own disk.

mod arms;
mod atif;
mod candidate;
mod collect;
mod defects;
mod draft;
pub mod harbor;
mod harbor_write;
mod import;
mod importer;
mod inspect;
mod loss;
mod miniswe;
mod name;
mod openhands;
mod planned;
mod read;
mod side;
mod swebench;
mod table;
mod tb1;
mod unpacked;

pub use defects::TaskDefects;
pub use harbor_write::harbor_result;
pub use import::{ImportError, ImportEvent, ImportOptions, Imported, import, import_each, import_with};
pub use importer::{Detection, Found, IMPORTERS, Importer, detect_any};
pub use loss::{Loss, Losses};
pub use table::COLUMNS as TABLE_COLUMNS;
