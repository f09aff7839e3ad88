//! How does it look? Figures, HTML, Markdown and terminal tables from an Analysis.
pub mod figures;
mod find;
mod html;
mod markdown;
pub mod svg;
pub mod table;
mod tables;
mod terminal;
pub mod text;
mod trial;
mod what;

pub use html::{SCRIPT, SCRIPT_SHA256, html};
pub use markdown::markdown;
pub use terminal::terminal;
pub use trial::trial;
