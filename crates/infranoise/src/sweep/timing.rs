//! Spans and windows as people write them.

use infranoise_core::{Timing, Window};

use crate::error::CommandError;

const MINUTE_MS: u64 = 60_000;

/// When blocks may start.
///
/// # Errors
/// If a span or a window is none.
pub fn timing(spread: Option<&str>, windows: &[String]) -> Result<Timing, CommandError> {
    if let Some(spread) = spread {
        return Ok(Timing::Spread { over_ms: span_ms(spread)? });
    }
    if windows.is_empty() {
        return Ok(Timing::AtOnce);
    }
    windows.iter().map(|text| window(text)).collect::<Result<_, _>>().map(Timing::Windows)
}

/// A span such as `90m`, `12h`, `3d`.
fn span_ms(text: &str) -> Result<u64, CommandError> {
    let bad = || {
        CommandError::usage(format!("`{text}` is not a span of time: write for example `90m`, `12h` or `3d`"))
    };
    let (number, unit) = text.split_at(text.len().saturating_sub(1));
    let unit_ms = match unit {
        "m" => MINUTE_MS,
        "h" => 60 * MINUTE_MS,
        "d" => 24 * 60 * MINUTE_MS,
        _ => return Err(bad()),
    };
    let number: u64 = number.parse().map_err(|_| bad())?;
    number.checked_mul(unit_ms).filter(|ms| *ms > 0 && *ms < 366 * 24 * 60 * MINUTE_MS).ok_or_else(bad)
}

/// A window such as `02-06` or `22:30-04`.
fn window(text: &str) -> Result<Window, CommandError> {
    let bad = || {
        CommandError::usage(format!(
            "`{text}` is not a window of the day: write for example `02-06` (hours, UTC)"
        ))
    };
    let (from, to) = text.split_once('-').ok_or_else(bad)?;
    let minute = |text: &str| -> Option<u16> {
        let (hour, minute) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
        let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour <= 24 && minute < 60 && hour * 60 + minute <= 24 * 60).then_some(hour * 60 + minute)
    };
    let (from_minute, to_minute) = (minute(from).ok_or_else(bad)?, minute(to).ok_or_else(bad)?);
    if from_minute == to_minute {
        return Err(bad());
    }
    Ok(Window { from_minute: from_minute % (24 * 60), to_minute })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_windows() {
        assert_eq!(timing(Some("3d"), &[]).ok(), Some(Timing::Spread { over_ms: 3 * 86_400_000 }));
        let windows = ["02-06".to_owned(), "22:30-04".to_owned()];
        let expected = Timing::Windows(vec![
            Window { from_minute: 120, to_minute: 360 },
            Window { from_minute: 1350, to_minute: 240 },
        ]);
        assert_eq!(timing(None, &windows).ok(), Some(expected));
        for bad in ["3", "d", "-1h", "3w", "0m", ""] {
            assert!(timing(Some(bad), &[]).is_err(), "{bad}");
        }
        for bad in ["02", "25-26", "02-02", "a-b"] {
            assert!(timing(None, &[bad.to_owned()]).is_err(), "{bad}");
        }
    }
}
