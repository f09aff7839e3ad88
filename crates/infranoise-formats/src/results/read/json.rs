//! JSON as it lies about: with bare `NaN`, in other encodings, with keys by which a document is known.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Field;

/// Reads a document. What JSON does not allow and Python writes all the same (`NaN`, `Infinity`, other encodings) is read too.
pub(in crate::results) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let first = match serde_json::from_slice(bytes) {
        Ok(document) => return Ok(document),
        Err(error) => error,
    };
    let Some(mended) = mended(bytes) else { return Err(first.to_string()) };
    serde_json::from_slice(&mended).map_err(|_| first.to_string())
}

/// The same bytes as UTF-8 without a mark, and with `null` for what is no number; `None` if nothing had to be mended.
fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = decoded(bytes);
    let source = text.as_deref().unwrap_or(bytes);
    let numbers = without_nan(source);
    numbers.or(text)
}

fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        Some(String::from_utf16_lossy(&units).into_bytes())
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Some(String::from_utf8_lossy(rest).into_owned().into_bytes()),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ if std::str::from_utf8(bytes).is_err() => {
            Some(String::from_utf8_lossy(bytes).into_owned().into_bytes())
        }
        _ => None,
    }
}

/// `NaN`, `Infinity` and `-Infinity` outside of strings become `null`.
fn without_nan(bytes: &[u8]) -> Option<Vec<u8>> {
    const WORDS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];
    let mut mended = Vec::with_capacity(bytes.len());
    let (mut place, mut inside, mut found) = (0, false, false);
    while place < bytes.len() {
        let byte = bytes[place];
        if inside {
            if byte == b'\\' {
                mended.extend_from_slice(&bytes[place..(place + 2).min(bytes.len())]);
                place += 2;
                continue;
            }
            inside = byte != b'"';
        } else if let Some(word) = WORDS.iter().find(|word| bytes[place..].starts_with(word)) {
            mended.extend_from_slice(b"null");
            place += word.len();
            found = true;
            continue;
        } else {
            inside = byte == b'"';
        }
        mended.push(byte);
        place += 1;
    }
    found.then_some(mended)
}

/// The keys of a document's top level, without its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::results) struct Keys(Vec<String>);

impl Keys {
    /// Whether every one of these is there.
    pub(in crate::results) fn all(&self, wanted: &[&str]) -> bool {
        wanted.iter().all(|key| self.0.iter().any(|found| found == key))
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Keys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Keys::default();
                while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                    keys.0.push(key);
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(Names)
    }
}

/// The top-level keys of a document, if it is an object.
pub(in crate::results) fn top_keys(bytes: &[u8]) -> Option<Keys> {
    parse(bytes).ok()
}

/// The keys of the first member of a list or an object, if that is an object itself.
pub(in crate::results) fn first_member_keys(bytes: &[u8]) -> Option<Keys> {
    parse::<FirstMember>(bytes).ok()?.0
}

struct FirstMember(Option<Keys>);

impl<'de> Deserialize<'de> for FirstMember {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First;
        impl<'de> Visitor<'de> for First {
            type Value = FirstMember;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FirstMember, A::Error> {
                let first = map.next_entry::<IgnoredAny, Field<Keys>>()?;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(FirstMember(first.and_then(|(_, keys)| keys.get().cloned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<FirstMember, A::Error> {
                let first = seq.next_element::<Field<Keys>>()?;
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(FirstMember(first.and_then(|keys| keys.get().cloned())))
            }
        }
        deserializer.deserialize_any(First)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn what_python_writes_is_read() {
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("{\"a\":1}".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let cases: [(&[u8], Value); 6] = [
            (br#"{"a": NaN, "b": [-Infinity, Infinity]}"#, json!({"a": null, "b": [null, null]})),
            (br#"{"a": "NaN \" NaN", "b": NaN}"#, json!({"a": "NaN \" NaN", "b": null})),
            (b"\xef\xbb\xbf{\"a\":1}", json!({"a": 1})),
            (&utf16, json!({"a": 1})),
            (b"{\"a\":\"caf\xe9\"}", json!({"a": "caf\u{fffd}"})),
            (b"[1]", json!([1])),
        ];
        for (bytes, expected) in cases {
            assert_eq!(parse::<Value>(bytes), Ok(expected), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_is_no_document_says_where() {
        assert!(parse::<Value>(b"{\"a\": }").expect_err("broken").contains("column"));
        let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
        assert!(parse::<Value>(&deep).expect_err("too deep").contains("recursion"));
        assert_eq!(top_keys(b"[1]"), None);
        let keys = top_keys(br#"{"a": {"b": 1}, "c": 2}"#).expect("an object");
        assert!(keys.all(&["a", "c"]) && !keys.all(&["b"]));
        for first in [r#"[{"a": 1}, 2]"#, r#"{"x": {"a": 1}, "y": 2}"#] {
            assert!(first_member_keys(first.as_bytes()).is_some_and(|keys| keys.all(&["a"])), "{first}");
        }
        assert_eq!(first_member_keys(b"[1]"), None);
    }
}
