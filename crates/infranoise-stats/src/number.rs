//! Infinite numbers in JSON: JSON has none, and a silent `null` would read as "unknown".

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A finite number, or the word `inf` or `-inf`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Number {
    /// A finite number.
    Finite(f64),
    /// An infinite one.
    Infinite(Infinite),
}

/// The two infinite numbers.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Infinite {
    /// Above every number.
    #[serde(rename = "inf")]
    Positive,
    /// Below every number.
    #[serde(rename = "-inf")]
    Negative,
}

/// Writes a number, an infinite one as a word.
///
/// # Errors
/// NaN, which no method returns.
pub fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    if value.is_nan() {
        return Err(serde::ser::Error::custom("not a number"));
    }
    let number = if value.is_finite() {
        Number::Finite(*value)
    } else if *value > 0.0 {
        Number::Infinite(Infinite::Positive)
    } else {
        Number::Infinite(Infinite::Negative)
    };
    number.serialize(to)
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// Neither a number nor one of the two words.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(match Number::deserialize(from)? {
        Number::Finite(value) => value,
        Number::Infinite(Infinite::Positive) => f64::INFINITY,
        Number::Infinite(Infinite::Negative) => f64::NEG_INFINITY,
    })
}

/// The same for a list of numbers.
pub mod list {
    use super::{Deserialize, Deserializer, Serializer};
    use serde::ser::SerializeSeq;

    /// Writes a list of numbers.
    ///
    /// # Errors
    /// NaN, which no method returns.
    pub fn serialize<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(values.len()))?;
        for value in values {
            list.serialize_element(&Wrapped(*value))?;
        }
        list.end()
    }

    /// Reads what [`serialize`] wrote.
    ///
    /// # Errors
    /// An entry that is neither a number nor one of the two words.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        Ok(Vec::<Wrapped>::deserialize(from)?.into_iter().map(|wrapped| wrapped.0).collect())
    }

    #[derive(serde::Serialize, serde::Deserialize)]
    struct Wrapped(#[serde(with = "super")] f64);
}
