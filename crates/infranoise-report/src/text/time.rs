//! Durations and dates in words.

/// A duration, as in `850 ms`, `4.2 s`, `3 min 05 s`, `2 h 10 min`.
#[must_use]
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{:.1} s", ms as f64 / 1000.0),
        60_000..3_600_000 => format!("{} min {:02} s", ms / 60_000, ms / 1000 % 60),
        _ => format!("{} h {:02} min", ms / 3_600_000, ms / 60_000 % 60),
    }
}

/// A moment in UTC, as in `2026-02-05 14:30 UTC`.
#[must_use]
pub fn moment(ms_since_1970: u64) -> String {
    let minutes = ms_since_1970 / 60_000;
    let (year, month, day) = date(minutes / 1440);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60 % 24, minutes % 60)
}

/// Year, month and day from days since 1970-01-01, by walking through years and months.
fn date(days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // 400 years are 146,097 days, so that a hostile number cannot keep the walk busy.
    let (mut year, mut rest) = (1970 + days / 146_097 * 400, days % 146_097);
    while rest >= 365 + u64::from(leap(year)) {
        rest -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_utc() {
        let cases = [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_770_301_800_000, "2026-02-05 14:30 UTC"),
            (1_735_689_599_000, "2024-12-31 23:59 UTC"),
        ];
        for (ms, expected) in cases {
            assert_eq!(moment(ms), expected);
        }
        assert!(moment(u64::MAX).ends_with("UTC"));
    }

    #[test]
    fn durations_have_the_unit_that_fits() {
        let cases = [(850, "850 ms"), (4_210, "4.2 s"), (185_000, "3 min 05 s"), (7_800_000, "2 h 10 min")];
        for (ms, expected) in cases {
            assert_eq!(duration(ms), expected);
        }
    }
}
