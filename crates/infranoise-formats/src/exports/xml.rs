//! Text in XML 1.0: escaped, and without the characters that XML cannot hold.

/// Text as the content of an element or the value of an attribute in double quotes. What XML 1.0 forbids (control characters, escapes of
/// terminals, noncharacters) becomes U+FFFD; line breaks and tabs survive in attributes too.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            '\t' | '\n' | '\r' => safe.push_str(&format!("&#{};", u32::from(c))),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_ends_its_element_and_nothing_breaks_the_document() {
        let cases = [
            ("a < b & \"c\" > 'd'", "a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos;"),
            ("]]></failure>", "]]&gt;&lt;/failure&gt;"),
            ("\u{1b}[31mred\0\u{8}", "\u{fffd}[31mred\u{fffd}\u{fffd}"),
            ("one\r\n\ttwo", "one&#13;&#10;&#9;two"),
            ("\u{ffff}\u{85}😀é", "\u{fffd}\u{fffd}😀é"),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected, "{text:?}");
        }
    }
}
