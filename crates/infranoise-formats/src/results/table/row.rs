//! One row by the names of its columns.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::csv::Cell;

/// A row: what is absent, `null` or an empty field is not in it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Row(BTreeMap<String, Value>);

impl Row {
    /// A row of a table with a head.
    pub(super) fn from_cells(head: &[String], cells: Vec<Cell>) -> Self {
        let known = head.iter().zip(cells).filter(|(_, cell)| cell.quoted || !cell.text.trim().is_empty());
        Self(known.map(|(name, cell)| (name.clone(), Value::String(cell.text))).collect())
    }

    /// A row from a JSON object.
    pub(super) fn from_object(object: serde_json::Map<String, Value>) -> Self {
        let known = object.into_iter().filter(|(_, value)| !value.is_null());
        Self(known.map(|(name, value)| (name.trim().to_lowercase(), value)).collect())
    }

    /// The columns that have a value.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A text; numbers are texts too.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A whole number that is not negative.
    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        let text = self.text(name)?;
        text.parse().ok().or_else(|| {
            let number: f64 = text.parse().ok()?;
            (number >= 0.0 && number.fract() == 0.0 && number < 9e15).then_some(number as u64)
        })
    }

    /// `true`, `false`, `yes`, `no`, `1`, `0`, `pass`, `fail`.
    pub(super) fn truth(&self, name: &str) -> Option<bool> {
        match self.text(name)?.to_lowercase().as_str() {
            "true" | "yes" | "y" | "1" | "1.0" | "pass" | "passed" => Some(true),
            "false" | "no" | "n" | "0" | "0.0" | "fail" | "failed" => Some(false),
            _ => None,
        }
    }

    /// A member of an enum by its name in the journal, as in `time_out`.
    pub(super) fn word<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(Value::String(self.text(name)?)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::Cause;

    #[test]
    fn values_are_read_as_people_write_them() {
        let object = serde_json::json!({
            "Pass": "yes", "n": 3, "x": "2.5", "big": "1e3", "none": null, "cause": "time_out", "odd": [1], "nan": "NaN"
        });
        let Value::Object(object) = object else { panic!("an object") };
        let row = Row::from_object(object);
        assert_eq!((row.truth("pass"), row.whole("n"), row.number("x")), (Some(true), Some(3), Some(2.5)));
        assert_eq!((row.whole("x"), row.whole("big"), row.number("nan")), (None, Some(1000), None));
        assert!(!row.has("none") && row.has("odd") && row.text("odd").is_none());
        assert_eq!(row.word::<Cause>("cause"), Some(Cause::TimeOut));
        assert_eq!(row.word::<Cause>("pass"), None);
    }
}
