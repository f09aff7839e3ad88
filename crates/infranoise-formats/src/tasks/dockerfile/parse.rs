//! A Dockerfile as a list of instructions with their lines.

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// The line that it begins on, from 1.
    pub(super) line: u32,
    /// The keyword in upper case.
    pub(super) keyword: String,
    /// What follows it, continued lines joined by spaces.
    pub(super) rest: String,
    /// Whether it goes on in a here-document.
    pub(super) heredoc: bool,
}

/// Splits a Dockerfile: comments and empty lines dropped, continued lines joined, here-documents skipped.
pub(super) fn parse(text: &str) -> Vec<Instruction> {
    let escape = escape_character(text);
    let mut lines = (1u32..).zip(text.trim_start_matches('\u{feff}').lines());
    let mut instructions = Vec::new();
    while let Some((line, first)) = lines.next() {
        if is_comment(first) || first.trim().is_empty() {
            continue;
        }
        let mut whole = String::new();
        let mut part = first;
        loop {
            let trimmed = part.trim();
            match trimmed.strip_suffix(escape) {
                Some(head) => whole.push_str(head),
                None => {
                    whole.push_str(trimmed);
                    break;
                }
            }
            whole.push(' ');
            let mut rest = lines.by_ref().map(|(_, text)| text);
            match rest.find(|text| !is_comment(text) && !text.trim().is_empty()) {
                Some(next) => part = next,
                None => break,
            }
        }
        let (keyword, rest) = whole.split_once(char::is_whitespace).unwrap_or((&whole, ""));
        let keyword = keyword.to_ascii_uppercase();
        let terminator = heredoc(&keyword, rest);
        if let Some(end) = &terminator {
            lines.by_ref().find(|(_, text)| text.trim() == end);
        }
        let rest = rest.trim().to_owned();
        instructions.push(Instruction { line, keyword, rest, heredoc: terminator.is_some() });
    }
    instructions
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The character that continues a line: a backslash, unless the first comment says otherwise.
fn escape_character(text: &str) -> char {
    let comments = text.lines().take_while(|line| is_comment(line));
    let directive = comments.filter_map(|line| {
        let (name, value) = line.trim().trim_start_matches('#').split_once('=')?;
        name.trim().eq_ignore_ascii_case("escape").then(|| value.trim() == "`")
    });
    if directive.into_iter().next() == Some(true) { '`' } else { '\\' }
}

/// The word that ends a here-document, if the instruction opens one.
fn heredoc(keyword: &str, rest: &str) -> Option<String> {
    if !["RUN", "COPY", "ADD"].contains(&keyword) {
        return None;
    }
    let (_, after) = rest.split_once("<<")?;
    let word = after.trim_start_matches('-').split_whitespace().next()?;
    let word = word.trim_matches(['"', '\'']);
    let named = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    named.then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u32, &str, &str)]) {
        let got: Vec<(u32, String, String)> =
            parse(text).into_iter().map(|one| (one.line, one.keyword, one.rest)).collect();
        let expected: Vec<(u32, String, String)> = expected
            .iter()
            .map(|(line, word, rest)| (*line, (*word).to_owned(), (*rest).to_owned()))
            .collect();
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn instructions_keep_the_line_that_they_begin_on() {
        check(
            "# hi\nfrom a\n\nRUN b && \\\n  # why\n\n  c\nCMD d",
            &[(2, "FROM", "a"), (4, "RUN", "b &&  c"), (8, "CMD", "d")],
        );
        check("# escape=`\nRUN a `\n b\nRUN c \\", &[(2, "RUN", "a  b"), (4, "RUN", "c \\")]);
        check("RUN <<EOF\nFROM x\nEOF\nCMD y", &[(1, "RUN", "<<EOF"), (4, "CMD", "y")]);
        check("RUN a \\", &[(1, "RUN", "a")]);
        check("", &[]);
    }
}
