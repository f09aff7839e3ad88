//! Rollouts, line by line.

use infranoise_formats::exports::ExportOptions;
use infranoise_formats::rollouts::classify_stream;

/// A stream: one line out for each line in, each of them JSON.
pub fn stream(data: &[u8]) {
    let mut out = Vec::new();
    let summary = classify_stream(data, &mut out, ExportOptions::default()).expect("memory does not break");
    let mut lines = 0;
    for line in out.split_inclusive(|byte| *byte == b'\n') {
        let answer: serde_json::Value = serde_json::from_slice(line).expect("each answer is JSON");
        assert!(answer.is_object(), "an answer that is no object");
        lines += 1;
    }
    assert_eq!(lines, summary.judged + summary.unread, "one line out for each line in");
}
