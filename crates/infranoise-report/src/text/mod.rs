//! Words and numbers: cleaned, escaped, formatted. Everything that comes from a record passes through here.

pub mod clean;
pub mod escape;
pub mod number;
pub mod time;
pub mod words;
