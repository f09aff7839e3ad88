//! Text made harmless inside HTML, SVG, a JSON data block and Markdown.

use super::clean;

/// Text for HTML and SVG, between tags and inside quoted attributes alike.
#[must_use]
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in clean::line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON for a data block inside HTML: nothing in it can end the block or begin a comment.
#[must_use]
pub fn json_block(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            c => out.push(c),
        }
    }
    out
}

/// Running text for Markdown: no mark-up, no HTML, nobody mentioned, safe inside a table.
#[must_use]
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in clean::line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            // A word joiner keeps forges from taking the word for a person.
            '@' => out.push_str("@\u{2060}"),
            c => out.push(c),
        }
    }
    out
}

/// A name or a reading for Markdown, as code, safe inside a table.
#[must_use]
pub fn markdown_code(text: &str) -> String {
    let text = clean::line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</script><img src=x onerror=alert(1)>'\"&\u{1b}[2J";

    #[test]
    fn nothing_in_a_text_becomes_markup() {
        let shown = markup(HOSTILE);
        assert_eq!(shown, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&quot;&amp;␛[2J");
        let block = json_block(&serde_json::to_string(HOSTILE).expect("a string"));
        assert!(!block.contains(['<', '>', '&']), "{block}");
        let back: String = serde_json::from_str(&block).expect("still JSON");
        assert_eq!(back, HOSTILE);
    }

    #[test]
    fn markdown_stays_text() {
        assert_eq!(markdown("a|b *c* <d> @e"), "a\\|b \\*c\\* &lt;d&gt; @\u{2060}e");
        assert_eq!(markdown_code("bn-fit"), "`bn-fit`");
        assert_eq!(markdown_code("a`b``c"), "```a`b``c```");
        assert_eq!(markdown_code("`x|"), "`` `x\\| ``");
    }
}
