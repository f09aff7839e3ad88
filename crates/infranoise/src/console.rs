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
pub fn data(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = out.write_all(b"\n");
    }
    let _ = out.flush();
}

/// Prints a document as JSON.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn json(document: &impl serde::Serialize) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| CommandError::new(crate::exit::Exit::Unexpected, format!("write JSON: {error}")))?;
    data(&text);
    Ok(())
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
