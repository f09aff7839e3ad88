//! Writing numbers.

use crate::error::Result;
use crate::estimate::{Estimate, TestResult};
use serde_json::{Map, Value, json};

/// A number; an infinite one is a word, and one that is not defined is null.
pub(super) fn number(value: f64) -> Value {
    if value == f64::INFINITY {
        json!("inf")
    } else if value == f64::NEG_INFINITY {
        json!("-inf")
    } else {
        json!(value)
    }
}

/// A number that may be undefined.
pub(super) fn maybe(value: Option<f64>) -> Value {
    value.map_or(Value::Null, number)
}

pub(super) fn numbers(values: &[f64]) -> Value {
    values.iter().map(|&value| number(value)).collect()
}

/// An object with `estimate`, `lo`, `hi`, and further fields.
pub(super) fn estimate(estimate: &Estimate, more: &[(&str, Value)]) -> Value {
    let mut object = Map::new();
    object.insert("estimate".to_owned(), number(estimate.value));
    object.insert("lo".to_owned(), number(estimate.low));
    object.insert("hi".to_owned(), number(estimate.high));
    object.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    Value::Object(object)
}

/// The change of a rate and its test; the error, if every task shows the same.
pub(super) fn part(result: &Result<TestResult>) -> Value {
    match result {
        Ok(test) => estimate(&test.effect, &[("se", json!(test.se)), ("p", json!(test.p))]),
        Err(error) => {
            json!({ "estimate": null, "se": null, "lo": null, "hi": null, "p": null, "why": error.to_string() })
        }
    }
}
