//! Where the reference data lie.

use std::io::Write;
use std::path::PathBuf;

/// A file of the reference data, or `None` with a line that says aloud that a test is skipped.
#[expect(clippy::disallowed_methods, reason = "tests find the reference data by this variable")]
pub fn reference_file(path: &str) -> Option<PathBuf> {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into();
    let file = PathBuf::from(std::env::var("INFRANOISE_REFERENCE").unwrap_or_else(|_| beside())).join(path);
    if file.exists() {
        return Some(file);
    }
    // Past the test harness, which would keep the line to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no reference data at {}", file.display());
    None
}
