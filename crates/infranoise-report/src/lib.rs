//! How does it look? Figures, HTML, Markdown and terminal tables from an Analysis.
//!
//! Everything here is made from one [`Analysis`](infranoise_analysis::Analysis) document (or, for [`trial()`], one record): the same
//! numbers in every rendering, each with its interval, its unit and its denominator. What is not observable is said to be so and
//! never becomes 0 %; where a difference is not shown, the words are "can't tell".
//!
//! * [`terminal()`]: the first thing that people see. [`markdown()`]: for pull requests. [`html()`]: one file that asks for nothing.
//! * [`latex()`]: tables for papers. `png()` (feature `png`): a figure in pixels.
//! * [`figures`]: one file for each, behind one list; a drawing, a caption and a table that says the same.
//! * [`svg`]: a small writer of our own. Colours are classes, outcomes differ by shape, pattern and letter before they do by colour.
//! * [`text`]: every name, reading and log line passes through here, since all of them may be hostile.
//!
//! Deliberately absent: files, clocks, the size of the terminal, the environment. Statistics are made in `infranoise-analysis`;
//! nothing is computed here but places in a drawing and counts of rows.

pub mod extras;
pub mod figures;
mod find;
mod html;
mod latex;
mod markdown;
#[cfg(feature = "png")]
mod png;
pub mod svg;
pub mod table;
mod tables;
mod terminal;
pub mod text;
mod trial;
mod what;

pub use html::{SCRIPT, SCRIPT_SHA256, html, html_with, printable};
pub use latex::{latex, latex_table};
pub use markdown::{markdown, markdown_with};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use terminal::terminal;
pub use trial::trial;
