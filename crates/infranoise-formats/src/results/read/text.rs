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
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\u{1b}', Some('[')) => {
                chars.next();
                while chars.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {}
            }
            ('\u{1b}', Some(']')) => while chars.next().is_some_and(|c| c != '\u{7}' && c != '\u{1b}') {},
            ('\u{1b}', Some(_)) => {
                chars.next();
            }
            ('\r', _) | ('\u{1b}', None) => {}
            _ => clean.push(c),
        }
    }
    clean
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
