//! Moments as harnesses write them.

use jiff::civil::DateTime;
use jiff::{Timestamp, tz::Offset};

/// What a moment without an offset means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::results) enum Zone {
    /// The text named its offset.
    Named,
    /// It did not; it was read as UTC, and may be off by the offset of the machine that wrote it.
    Guessed,
}

/// Milliseconds since 1970 of `2026-11-29T13:34:46.342965Z`, with an offset, or with none; also `2025-08-15__19-28-24`.
pub(in crate::results) fn moment_ms(text: &str) -> Option<(u64, Zone)> {
    let text = text.trim();
    let (at, zone) = match text.parse::<Timestamp>() {
        Ok(at) => (at, Zone::Named),
        Err(_) => {
            let civil: DateTime =
                text.parse().or_else(|_| DateTime::strptime("%Y-%m-%d__%H-%M-%S", text)).ok()?;
            (Offset::UTC.to_timestamp(civil).ok()?, Zone::Guessed)
        }
    };
    u64::try_from(at.as_millisecond()).ok().map(|ms| (ms, zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_with_and_without_an_offset() {
        let cases = [
            ("1970-01-01T00:00:01.5Z", Some((1_500, Zone::Named))),
            ("1970-01-01T01:00:01+01:00", Some((1_000, Zone::Named))),
            ("1970-01-01T00:00:01.000001", Some((1_000, Zone::Guessed))),
            ("1970-01-01 00:00:01", Some((1_000, Zone::Guessed))),
            ("1970-01-01__00-00-02", Some((2_000, Zone::Guessed))),
            ("1969-12-31T23:59:59Z", None),
            ("yesterday", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(moment_ms(text), expected, "{text}");
        }
    }
}
