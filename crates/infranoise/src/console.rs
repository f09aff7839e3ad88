//! The one place that prints: people's text to stderr, data to stdout.

use std::io::{IsTerminal as _, Write as _};

use crate::environment;
use crate::error::CommandError;

/// Prints a line for people.
pub fn say(text: &str) {
    // A closed stderr is no reason to stop working.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints data; a reader that has gone away (`| head`) is no error.
///
/// # Errors
/// If stdout cannot be written otherwise, as on a full disk: then the data is lost, and an exit code of 0 would hide it.
pub fn data(text: &str) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end)).and_then(|()| out.flush());
    written.or_else(unwritten)
}

/// What to make of a write to stdout that failed.
///
/// # Errors
/// Unless it failed because the reader has gone away.
pub fn unwritten(error: std::io::Error) -> Result<(), CommandError> {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return Ok(());
    }
    Err(CommandError::new(crate::exit::Exit::NotWritable, format!("write the output to stdout: {error}"))
        .hint("what was recorded is safe; send stdout somewhere with room and ask again"))
}

/// Prints data that is no text; a reader that has gone away is no error.
///
/// # Errors
/// If stdout cannot be written otherwise.
pub fn bytes(bytes: &[u8]) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).or_else(unwritten)
}

/// Prints a document as JSON.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn json(document: &impl serde::Serialize) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| CommandError::new(crate::exit::Exit::Unexpected, format!("write JSON: {error}")))?;
    data(&text)
}

/// Prints an error and its hints.
pub fn error(error: &CommandError) {
    let (red, off) = if colour() { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
    say(&format!("{red}error:{off} {}", error.what()));
    for hint in error.hints() {
        say(&format!("  hint: {hint}"));
    }
}

/// Prints warnings, each on its line.
pub fn warnings<W: std::fmt::Display>(warnings: impl IntoIterator<Item = W>) {
    let (yellow, off) = if colour() { ("\x1b[33m", "\x1b[0m") } else { ("", "") };
    for warning in warnings {
        say(&format!("{yellow}warning:{off} {warning}"));
    }
}

/// Whether colours belong on stderr.
#[must_use]
pub fn colour() -> bool {
    !environment::no_colour() && std::io::stderr().is_terminal()
}

/// Whether colours belong on stdout.
#[must_use]
pub fn colour_out() -> bool {
    !environment::no_colour() && std::io::stdout().is_terminal()
}

/// The width of tables.
#[must_use]
pub fn width() -> usize {
    environment::columns().unwrap_or(100).clamp(60, 160)
}
