//! Reading what the verifier left behind, as Harbor reads it.

use std::collections::BTreeMap;

use infranoise_core::Reward;
use serde_json::Value;

/// At most so many characters of a garbled reward are kept.
const EXCERPT_CHARS: usize = 120;

/// Files larger than this are no rewards.
const LARGEST_BYTES: usize = 1 << 20;

/// Reads a reward from the bytes of `reward.json` and `reward.txt`. The first goes before the second, even if it is garbled.
#[must_use]
pub fn read_reward(json: Option<&[u8]>, txt: Option<&[u8]>) -> Reward {
    let (source, bytes, parse): (&str, &[u8], fn(&str) -> Parsed) = match (json, txt) {
        (Some(bytes), _) => ("reward.json", bytes, parse_json),
        (None, Some(bytes)) => ("reward.txt", bytes, parse_text),
        (None, None) => return Reward::Missing,
    };
    let values = match decode(bytes) {
        Ok(text) => parse(text),
        Err(why) => Err(why),
    };
    match values {
        Ok(values) => Reward::Given { values, source: source.to_owned() },
        Err(why) => Reward::Garbled { why: format!("{source}: {why}"), excerpt: excerpt(bytes) },
    }
}

type Parsed = Result<BTreeMap<String, f64>, String>;

fn decode(bytes: &[u8]) -> Result<&str, String> {
    if bytes.len() > LARGEST_BYTES {
        return Err(format!("it has {} bytes; a reward has at most {LARGEST_BYTES}", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    if text.trim().is_empty() { Err("it is empty".to_owned()) } else { Ok(text.trim()) }
}

fn finite(name: &str, number: f64) -> Result<f64, String> {
    if number.is_finite() { Ok(number) } else { Err(format!("`{name}` is not finite")) }
}

fn parse_text(text: &str) -> Parsed {
    let number = text.parse::<f64>().map_err(|_| "it is not one number".to_owned())?;
    Ok(BTreeMap::from([("reward".to_owned(), finite("reward", number)?)]))
}

fn parse_json(text: &str) -> Parsed {
    let value = serde_json::from_str::<Value>(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(object) = value else {
        return Err("it is not an object of numbers by name, as in {\"reward\": 1}".to_owned());
    };
    if object.is_empty() {
        return Err("it names no reward".to_owned());
    }
    object
        .into_iter()
        .map(|(name, value)| match value.as_f64() {
            Some(number) => finite(&name, number).map(|number| (name, number)),
            None => Err(format!("`{name}` is not a number")),
        })
        .collect()
}

fn excerpt(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(4 * EXCERPT_CHARS)];
    String::from_utf8_lossy(head).chars().take(EXCERPT_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    enum Expect {
        Value(f64),
        Garbled(&'static str),
        Missing,
    }
    use Expect::{Garbled, Missing, Value};

    fn check(json: Option<&[u8]>, txt: Option<&[u8]>, expect: &Expect) {
        let reward = read_reward(json, txt);
        let name = (json.map(String::from_utf8_lossy), txt.map(String::from_utf8_lossy));
        match (expect, &reward) {
            (Value(expected), Reward::Given { .. }) => assert_eq!(reward.main(), Some(*expected), "{name:?}"),
            (Garbled(part), Reward::Garbled { why, .. }) => assert!(why.contains(part), "{name:?}: {why}"),
            (Missing, Reward::Missing) => {}
            _ => panic!("{name:?} gave {reward:?}"),
        }
    }

    #[test]
    fn text_is_one_finite_number() {
        let cases: [(&[u8], Expect); 12] = [
            (b"1", Value(1.0)),
            (b"0.5\n", Value(0.5)),
            (b"  1.0  ", Value(1.0)),
            (b"1e-3", Value(0.001)),
            (b"-2", Value(-2.0)),
            (b"", Garbled("empty")),
            (b" \n", Garbled("empty")),
            (b"NaN", Garbled("not finite")),
            (b"inf", Garbled("not finite")),
            (b"1e999", Garbled("not finite")),
            (b"pass", Garbled("not one number")),
            (b"1 1", Garbled("not one number")),
        ];
        for (txt, expect) in &cases {
            check(None, Some(txt), expect);
        }
        check(None, Some(b"\xff\xfe1"), &Garbled("UTF-8"));
        check(None, Some(&vec![b'1'; LARGEST_BYTES + 1]), &Garbled("bytes"));
    }

    #[test]
    fn json_is_an_object_of_finite_numbers() {
        let cases: [(&[u8], Expect); 11] = [
            (b"{\"reward\": 1}", Value(1.0)),
            (b"{\"reward\": 0.25, \"style\": 9}", Value(0.25)),
            (b"{\"accuracy\": 0.75}", Value(0.75)),
            (b"1", Garbled("not an object")),
            (b"[1]", Garbled("not an object")),
            (b"null", Garbled("not an object")),
            (b"{}", Garbled("no reward")),
            (b"{\"reward\": true}", Garbled("`reward` is not a number")),
            (b"{\"reward\": NaN}", Garbled("not JSON")),
            (b"{\"reward\": \"1\"}", Garbled("not a number")),
            (b"{\"reward\": 1", Garbled("not JSON")),
        ];
        for (json, expect) in &cases {
            check(Some(json), None, expect);
        }
    }

    #[test]
    fn json_goes_before_text_even_if_garbled() {
        check(Some(b"{\"reward\": 0}"), Some(b"1"), &Value(0.0));
        check(Some(b"oops"), Some(b"1"), &Garbled("reward.json"));
        check(None, None, &Missing);
    }

    #[test]
    fn excerpts_are_short_and_never_cut_a_character() {
        let long = "ä".repeat(1000);
        let Reward::Garbled { excerpt, .. } = read_reward(None, Some(long.as_bytes())) else { panic!() };
        assert_eq!(excerpt, "ä".repeat(EXCERPT_CHARS));
    }
}
