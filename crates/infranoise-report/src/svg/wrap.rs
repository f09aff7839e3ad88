//! How wide a text will be, roughly: the writer has no font, so it errs to the wide side.

use crate::text::clean;

/// The width of a text at a font size, for a common sans-serif font.
#[must_use]
pub fn width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '(' | ')' | '[' | ']' => {
            0.33
        }
        'f' | 't' | 'r' | '-' | '/' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '→' | '−' | '…' => 0.88,
        c if c.is_ascii_uppercase() => 0.68,
        c => 0.56 * clean::columns_of(c) as f64,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// A text cut so that it fits, with an ellipsis where something is missing.
#[must_use]
pub fn fit(text: &str, size: f64, most: f64) -> String {
    let text = clean::line(text);
    if width(&text, size) <= most {
        return text;
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept, size) + 0.9 * size > most {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// A text in lines no wider than `most`, broken at spaces.
#[must_use]
pub fn lines(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in clean::line(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fit(word, size, most)),
        }
    }
    lines
}

/// Moves labels apart that would overlap, keeping their order and moving each as little as a simple sweep can.
#[must_use]
pub fn spread(places: &[f64], gap: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let mut moved = places.to_vec();
    for _ in 0..50 {
        for pair in order.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            let missing = gap - (moved[high] - moved[low]);
            if missing > 0.0 {
                moved[low] -= missing / 2.0;
                moved[high] += missing / 2.0;
            }
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_fit_wrap_and_keep_apart() {
        assert_eq!(fit("short", 12.0, 100.0), "short");
        assert_eq!(fit("a-very-long-name-of-a-task", 12.0, 80.0), "a-very-long…");
        assert_eq!(lines("one two three", 10.0, 45.0), ["one two", "three"]);
        let moved = spread(&[10.0, 12.0, 100.0], 14.0);
        assert!(moved[1] - moved[0] > 13.9 && moved[2] == 100.0, "{moved:?}");
    }
}
