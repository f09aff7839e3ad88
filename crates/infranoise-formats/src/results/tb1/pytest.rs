//! The last line of pytest: how many tests passed, failed, were skipped.

/// What the summary counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::results) struct Summary {
    pub(in crate::results) passed: u32,
    pub(in crate::results) failed: u32,
    pub(in crate::results) errors: u32,
    pub(in crate::results) skipped: u32,
}

impl Summary {
    /// Whether every test that ran passed, and at least one did.
    pub(in crate::results) fn all_passed(self) -> bool {
        self.passed > 0 && self.failed == 0 && self.errors == 0
    }
}

/// The last summary in a text, with its line number counted from 1 and the line.
pub(in crate::results) fn last_summary(text: &str) -> Option<(usize, &str, Summary)> {
    let lines: Vec<&str> = text.lines().collect();
    lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(place, line)| summary(line).map(|summary| (place + 1, *line, summary)))
}

/// `===== 1 failed, 6 passed, 1 warning in 6.75s =====`
fn summary(line: &str) -> Option<Summary> {
    let line = line.trim();
    let inner = line.strip_prefix("===")?.trim_matches('=').trim();
    let (counts, time) = inner.rsplit_once(" in ")?;
    time.split_whitespace().next()?.strip_suffix('s')?.parse::<f64>().ok()?;
    let mut found = Summary::default();
    for part in counts.split(", ") {
        let (number, what) = part.split_once(' ')?;
        let number: u32 = number.parse().ok()?;
        match what {
            "passed" => found.passed = number,
            "failed" => found.failed = number,
            "error" | "errors" => found.errors = number,
            "skipped" => found.skipped = number,
            _ => {}
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read_and_other_lines_are_not() {
        let counts = |passed, failed, errors, skipped| Some(Summary { passed, failed, errors, skipped });
        let cases = [
            ("==== 1 failed, 6 passed, 1 warning in 6.75s ====", counts(6, 1, 0, 0)),
            ("===== 4 passed in 0.32s =====", counts(4, 0, 0, 0)),
            ("==== 1 passed, 4 skipped in 51.15s ====", counts(1, 0, 0, 4)),
            ("=== 1 error in 0.08s ===", counts(0, 0, 1, 0)),
            ("=== 3 passed in 75.10s (0:01:15) ===", counts(3, 0, 0, 0)),
            ("===== test session starts =====", None),
            ("4 passed in 0.32s", None),
            ("=== passed in flight ===", None),
        ];
        for (line, expected) in cases {
            assert_eq!(summary(line), expected, "{line}");
        }
        let text = "=== 1 failed in 1.0s ===\nmore\n=== 2 passed in 1.0s ===\n$ ";
        assert_eq!(
            last_summary(text).map(|(line, _, summary)| (line, summary.all_passed())),
            Some((3, true))
        );
    }
}
