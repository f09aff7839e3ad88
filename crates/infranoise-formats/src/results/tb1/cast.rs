//! Recordings of terminals: the header says when one began, the last event how long it went on.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::results::read::read_ends;

/// A header or a last line is no longer.
const END: u64 = 64 << 10;

#[derive(Deserialize)]
struct Header {
    timestamp: u64,
}

/// When a recording began and when its last event came, in milliseconds since 1970.
pub(super) fn times_ms(path: &Path) -> Option<(u64, Option<u64>)> {
    let kept = read_ends(path, END).ok()?;
    let header: Header = serde_json::from_str(kept.head.lines().next()?).ok()?;
    let started = header.timestamp.checked_mul(1000)?;
    let seconds = kept.end().lines().rev().find_map(|line| {
        let event: Value = serde_json::from_str(line).ok()?;
        event.get(0)?.as_f64()
    });
    let last = seconds.filter(|s| *s >= 0.0).and_then(|s| started.checked_add((s * 1000.0) as u64));
    Some((started, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_give_times_and_other_files_do_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agent.cast");
        let check = |text: &str, expected| {
            std::fs::write(&path, text).expect("written");
            assert_eq!(times_ms(&path), expected, "{text}");
        };
        let header = r#"{"version":2,"width":160,"height":40,"timestamp":1757186185,"env":{}}"#;
        check(
            &format!("{header}\n[0.5,\"o\",\"x\"]\n[2.25,\"i\",\"y\"]\n"),
            Some((1_757_186_185_000, Some(1_757_186_187_250))),
        );
        check(header, Some((1_757_186_185_000, None)));
        check(&format!("{header}\n[2.25,\"o\",\"torn"), Some((1_757_186_185_000, None)));
        // Found by fuzzing: a moment beyond all years.
        check(&format!("{header}\n[5e300]\n"), Some((1_757_186_185_000, None)));
        check("not a recording", None);
        check("", None);
    }
}
