//! Lines that fit a terminal.

use crate::text::clean;

/// A text in lines of at most `width` columns; the first begins with `lead`, the others are indented as far.
#[must_use]
pub fn wrap(text: &str, width: usize, lead: &str) -> Vec<String> {
    let indent = clean::columns(lead);
    let room = width.saturating_sub(indent).max(20);
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in clean::short(text, 2_000).split_whitespace() {
        for piece in pieces(word, room) {
            let length = clean::columns(&piece);
            let Some(line) = lines.last_mut() else { break };
            if used == 0 {
                line.push_str(&piece);
                used = length;
            } else if used + 1 + length <= room {
                line.push(' ');
                line.push_str(&piece);
                used += 1 + length;
            } else {
                lines.push(piece);
                used = length;
            }
        }
    }
    let blank = " ".repeat(indent);
    lines
        .into_iter()
        .enumerate()
        .map(|(i, line)| format!("{}{line}", if i == 0 { lead } else { &blank }))
        .collect()
}

/// A word in pieces that each fit.
fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in word.chars() {
        let columns = clean::columns_of(c);
        if used + columns > room {
            pieces.push(String::new());
            used = 0;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
        used += columns;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_and_indented() {
        assert_eq!(wrap("one two three four five", 22, "- "), ["- one two three four", "  five"]);
        assert_eq!(wrap("", 40, "! "), ["! "]);
        let long = "x".repeat(45);
        assert_eq!(wrap(&long, 24, "").iter().map(String::len).collect::<Vec<_>>(), [24, 21]);
    }
}
