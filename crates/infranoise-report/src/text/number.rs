//! Numbers as they are printed. Shares become percentages, differences become points; the sign is a real minus.

use infranoise_analysis::doc::Estimate;
use infranoise_core::Bytes;

/// The sign of a number that is printed without it.
const MINUS: char = '\u{2212}';

/// A fixed number of decimals, with a real minus, `∞` for what has no end and `?` for what is no number.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "?".to_owned();
    }
    let digits = if value.is_infinite() { "∞".to_owned() } else { format!("{:.decimals$}", value.abs()) };
    let is_zero = digits.chars().all(|c| c == '0' || c == '.');
    if value < 0.0 && !is_zero { format!("{MINUS}{digits}") } else { digits }
}

/// A share in per cent without its sign, as in `40.0`.
#[must_use]
pub fn percent(share: f64) -> String {
    fixed(share * 100.0, 1)
}

/// A difference of shares in points, with its sign, as in `+1.4`.
#[must_use]
pub fn points(share: f64) -> String {
    let digits = fixed(share * 100.0, 1);
    let is_zero = digits.chars().all(|c| c == '0' || c == '.');
    if digits.starts_with(MINUS) || is_zero || digits == "?" { digits } else { format!("+{digits}") }
}

/// Two ends of an interval, as in `[29.3, 51.7]`.
fn interval(low: &str, high: &str) -> String {
    format!("[{low}, {high}]")
}

/// The interval of a share, in per cent.
#[must_use]
pub fn percent_interval(estimate: &Estimate) -> String {
    interval(&percent(estimate.low), &percent(estimate.high))
}

/// A share with its interval, in per cent: `40.0 [29.3, 51.7]`.
#[must_use]
pub fn percent_estimate(estimate: &Estimate) -> String {
    format!("{} {}", percent(estimate.value), percent_interval(estimate))
}

/// The interval of a difference, in points.
#[must_use]
pub fn points_interval(estimate: &Estimate) -> String {
    interval(&points(estimate.low), &points(estimate.high))
}

/// A difference with its interval, in points: `+1.4 [−3.0, +5.8]`.
#[must_use]
pub fn points_estimate(estimate: &Estimate) -> String {
    format!("{} {}", points(estimate.value), points_interval(estimate))
}

/// A text padded at its left with spaces as wide as a digit, so that numbers in a column stand beneath each other.
fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{}{text}", "\u{2007}".repeat(missing))
}

/// As [`percent_estimate`], aligned for a table.
#[must_use]
pub fn percent_cell(estimate: &Estimate) -> String {
    let [low, high] = [estimate.low, estimate.high].map(|end| padded(&percent(end), 4));
    format!("{} {}", percent(estimate.value), interval(&low, &high))
}

/// As [`points_estimate`], aligned for a table.
#[must_use]
pub fn points_cell(estimate: &Estimate) -> String {
    let [low, high] = [estimate.low, estimate.high].map(|end| padded(&points(end), 5));
    format!("{} {}", points(estimate.value), interval(&low, &high))
}

/// A ratio with its interval: `0.12 [0.01, 0.48]`.
#[must_use]
pub fn ratio_estimate(estimate: &Estimate) -> String {
    format!("{} {}", fixed(estimate.value, 2), interval(&fixed(estimate.low, 2), &fixed(estimate.high, 2)))
}

/// A p-value for a column of them, as in `0.40` or `< 0.001`. Print it only beside its effect and interval.
#[must_use]
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 0.001 => "< 0.001".to_owned(),
        p if p < 0.1 => format!("{p:.3}"),
        p => format!("{p:.2}"),
    }
}

/// A count with commas between thousands.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A count with its noun, as in `1 trial`, `5,340 trials` or `2 processes`.
#[must_use]
pub fn plural(n: u64, noun: &str) -> String {
    let ending = match (n, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{ending}", count(n))
}

/// A multiple, as in `14.2x`.
#[must_use]
pub fn multiple(value: f64) -> String {
    let decimals = match value {
        value if value >= 10.0 => 0,
        value if value >= 1.0 => 2,
        _ => 3,
    };
    let digits = fixed(value, decimals);
    let trimmed =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{trimmed}x")
}

/// An amount of memory.
#[must_use]
pub fn bytes(n: u64) -> String {
    Bytes(n).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_people_read_them() {
        assert_eq!(percent(0.4), "40.0");
        assert_eq!(points(0.0137), "+1.4");
        assert_eq!(points(-0.03), "−3.0");
        assert_eq!(points(-0.0001), "0.0", "no minus before a zero");
        assert_eq!(fixed(f64::INFINITY, 2), "∞");
        assert_eq!(fixed(f64::NAN, 2), "?");
        assert_eq!(p_value(0.0001), "< 0.001");
        assert_eq!(p_value(0.0456), "0.046");
        assert_eq!(p_value(0.4), "0.40");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "trial"), "1 trial");
        assert_eq!(multiple(14.17), "14x");
        assert_eq!(multiple(1.5), "1.5x");
        assert_eq!(multiple(0.0625), "0.062x");
        assert_eq!(multiple(0.25), "0.25x");
        assert_eq!(multiple(3.0), "3x");
        assert_eq!(multiple(1234.4), "1234x");
    }
}
