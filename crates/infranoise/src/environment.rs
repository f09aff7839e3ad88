//! The one place that reads the environment.

use std::ffi::OsString;
use std::path::PathBuf;

#[expect(clippy::disallowed_methods, reason = "this module owns the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A variable of the host, for tasks that ask for one by name.
#[must_use]
pub fn host(name: &str) -> Option<String> {
    variable(name)
}

/// Whether colours are unwanted.
#[must_use]
pub fn no_colour() -> bool {
    variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb")
}

/// The width of the terminal, where the shell says so.
#[must_use]
pub fn columns() -> Option<usize> {
    variable("COLUMNS")?.parse().ok()
}

/// Where engines keep what outlives a process: writable layers and what the next start has to clear up. Each user has a folder.
#[must_use]
pub fn state_dir() -> PathBuf {
    variable("INFRANOISE_STATE").map_or_else(
        || match infranoise_sandbox::rootless::owner() {
            None => PathBuf::from("/var/tmp/infranoise"),
            Some(user) => PathBuf::from(format!("/var/tmp/infranoise-{user}")),
        },
        PathBuf::from,
    )
}

/// This program's file.
///
/// # Errors
/// If `/proc` does not say.
pub fn program() -> std::io::Result<PathBuf> {
    std::env::current_exe()
}

/// What this process was started with, its own name left out.
#[must_use]
pub fn arguments() -> Vec<OsString> {
    std::env::args_os().skip(1).collect()
}
