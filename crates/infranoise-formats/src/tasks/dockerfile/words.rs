//! Words of an instruction: quotes, escapes and variables.

use std::collections::BTreeMap;

/// Variables known at some line.
pub(super) type Known = BTreeMap<String, String>;

/// What `$PATH` is in nearly every image.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Splits a text at blanks, honouring quotes and backslashes. `None` if a quote is not closed.
pub(super) fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        end if end == c => break,
                        '\\' if c == '"' => word.extend(chars.next()),
                        other => word.push(other),
                    }
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// Replaces `$NAME`, `${NAME}`, `${NAME:-default}` and `${NAME:+other}`, as a Dockerfile does. What is not known is empty.
pub(super) fn expand(text: &str, known: &Known) -> String {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '\\']) {
        expanded.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        if rest[at..].starts_with("\\$") {
            expanded.push('$');
            rest = &tail[1..];
        } else if rest[at..].starts_with('\\') {
            expanded.push('\\');
            rest = tail;
        } else {
            let (value, after) = reference(tail, known);
            expanded.push_str(&value);
            rest = after;
        }
    }
    expanded.push_str(rest);
    expanded
}

/// The value of a reference, and what follows it; `tail` begins behind the dollar sign.
fn reference<'t>(tail: &'t str, known: &Known) -> (String, &'t str) {
    if let Some((inner, after)) = tail.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        let end = inner.find(':').unwrap_or(inner.len());
        let (name, operator) = inner.split_at(end);
        let value = lookup(name, known);
        let value = match (operator.get(..2), value) {
            (Some(":-"), None) => expand(&operator[2..], known),
            (Some(":+"), Some(_)) => expand(&operator[2..], known),
            (Some(":+"), None) => String::new(),
            (_, value) => value.unwrap_or_default(),
        };
        return (value, after);
    }
    let end = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
    if end == 0 {
        return ("$".to_owned(), tail);
    }
    (lookup(&tail[..end], known).unwrap_or_default(), &tail[end..])
}

fn lookup(name: &str, known: &Known) -> Option<String> {
    let usual = (name == "PATH").then(|| USUAL_PATH.to_owned());
    known.get(name).cloned().or(usual).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_honour_quotes() {
        let cases: [(&str, Option<&[&str]>); 6] = [
            ("a  b", Some(&["a", "b"])),
            ("a\\ b 'c d' \"e \\\" f\"", Some(&["a b", "c d", "e \" f"])),
            ("k=\"v 1\" l='v 2'", Some(&["k=v 1", "l=v 2"])),
            ("''", Some(&[""])),
            ("", Some(&[])),
            ("a 'b", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|words| words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
            assert_eq!(split(text), expected, "{text}");
        }
    }

    #[test]
    fn variables_expand_as_in_a_dockerfile() {
        let known = Known::from([("A".to_owned(), "one".to_owned()), ("E".to_owned(), String::new())]);
        for (text, expected) in [
            ("x$A/y", "xone/y"),
            ("${A}2", "one2"),
            ("${B:-two}${B:-$A}", "twoone"),
            ("${A:+set}${B:+set}", "set"),
            ("${E:-empty}", "empty"),
            ("\\$A $ 5$", "$A $ 5$"),
            ("$B|", "|"),
            ("/opt:$PATH", "/opt:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            ("${A", "${A"),
        ] {
            assert_eq!(expand(text, &known), expected, "{text}");
        }
    }
}
