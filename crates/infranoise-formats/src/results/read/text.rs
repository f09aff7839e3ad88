//! Text from terminals and logs.

/// The beginning of a text on one line, at most so many characters.
pub(in crate::results) fn excerpt(text: &str, most: usize) -> String {
    let mut short = String::new();
    for (count, c) in text.trim().chars().enumerate() {
        if count == most {
            short.push('…');
            break;
        }
        short.push(if c.is_control() { ' ' } else { c });
    }
    short
}

/// A text without terminal escapes (`ESC [ … letter`, `ESC ] … BEL`) and without carriage returns.
pub(in crate::results) fn without_escapes(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = memchr::memchr2(0x1b, b'\r', rest.as_bytes()) {
        clean.push_str(&rest[..place]);
        rest = after_escape(&rest[place..]);
    }
    clean.push_str(rest);
    clean
}

/// What follows the escape sequence or the carriage return at the beginning.
fn after_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some('\u{1b}'), Some('[')) => {
            chars.next();
            while chars.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {}
        }
        (Some('\u{1b}'), Some(']')) => while chars.next().is_some_and(|c| c != '\u{7}' && c != '\u{1b}') {},
        (Some('\u{1b}'), Some(_)) => {
            chars.next();
        }
        _ => {}
    }
    chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_text_stays() {
        let cases = [
            ("\u{1b}[1;31mred\u{1b}[0m\r\n", "red\n"),
            ("\u{1b}]0;title\u{7}prompt$ ", "prompt$ "),
            ("plain", "plain"),
            ("\u{1b}[", ""),
            ("\u{1b}", ""),
            ("a\u{1b}(Bb", "aBb"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_escapes(text), expected, "{text:?}");
        }
        assert_eq!(excerpt("  one\ntwo three ", 7), "one two…");
    }
}
