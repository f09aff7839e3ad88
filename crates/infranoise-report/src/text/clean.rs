//! Foreign text made harmless to look at: no control characters, escape sequences, direction marks or endless lines.
//!
//! Task names, logs and readings were written by programs that may be hostile. Nothing is dropped silently: what cannot be shown is
//! shown as its code.

use std::fmt::Write;

/// The longest line that is shown in full, in characters.
pub const LONGEST: usize = 600;

/// What a character does to the text around it.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// One character as it is shown in a line.
fn push(out: &mut String, c: char) {
    match c {
        '\n' => out.push('⏎'),
        '\t' | '\r' => out.push(' '),
        '\u{0}'..='\u{1F}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}')),
        '\u{7F}' => out.push('\u{2421}'),
        '\u{80}'..='\u{9F}' => out.push('\u{FFFD}'),
        c if is_hidden(c) => {
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
        }
        c => out.push(c),
    }
}

/// Foreign text as one harmless line of at most [`LONGEST`] characters.
#[must_use]
pub fn line(text: &str) -> String {
    short(text, LONGEST)
}

/// Foreign text as one harmless line of at most `most` characters; what is left out is counted.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most * 2));
    for (taken, (at, c)) in text.char_indices().enumerate() {
        if taken == most {
            let _ = write!(out, "… ({} more bytes)", text.len() - at);
            break;
        }
        push(&mut out, c);
    }
    out
}

/// How many columns of a terminal a character takes, roughly: 0 for combining marks, 2 for wide scripts and emoji.
#[must_use]
pub fn columns_of(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F => 0,
        0x1100..=0x115F
        | 0x2E80..=0x303E
        | 0x3041..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1F64F
        | 0x1F680..=0x1F9FF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// How many columns of a terminal a clean line takes.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_is_shown_as_its_code() {
        let cases = [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m", "␛[31mred␛[0m"),
            ("a\0b", "a␀b"),
            ("two\nlines\r\n", "two⏎lines ⏎"),
            ("\u{202E}gnp.exe", "⟨U+202E⟩gnp.exe"),
            ("zero\u{200B}width", "zero⟨U+200B⟩width"),
            ("\u{9b}31m", "\u{FFFD}31m"),
            ("\u{E0041}tag", "⟨U+E0041⟩tag"),
            ("grüße 漢字", "grüße 漢字"),
        ];
        for (text, shown) in cases {
            assert_eq!(line(text), shown);
        }
    }

    #[test]
    fn a_line_of_a_megabyte_is_cut_and_counted() {
        let long = "x".repeat(1 << 20);
        let shown = short(&long, 10);
        assert_eq!(shown, format!("xxxxxxxxxx… ({} more bytes)", (1 << 20) - 10));
        assert_eq!(short("exactly ten", 11), "exactly ten");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("漢字"), 4);
        assert_eq!(columns("e\u{0301}"), 1);
        assert_eq!(columns("▲●"), 2);
    }
}
