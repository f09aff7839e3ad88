//! Where the reference data lies.

use std::path::{Path, PathBuf};

use infranoise_core::TrialRecord;
use infranoise_formats::results::{Imported, import};

/// A folder of the reference data, if it is at hand; says aloud that a test is skipped, if not.
#[expect(clippy::print_stdout, reason = "a test that is skipped must say so aloud")]
pub fn reference(inner: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("INFRANOISE_REFERENCE").map_or(beside, PathBuf::from);
    let path = root.join("data").join(inner);
    if !path.exists() {
        println!("SKIPPED: no reference data at {}", path.display());
        return None;
    }
    Some(path)
}

/// Imports one path, or says why not.
#[track_caller]
pub fn imported(path: &Path) -> Imported {
    import(&[path], None, 0).unwrap_or_else(|error| panic!("{error}"))
}

/// `blame/cause/rule` of a record.
pub fn words(record: &TrialRecord) -> String {
    let said = &record.classification;
    format!("{}/{}/{}", said.blame, said.cause, said.rule.0)
}
