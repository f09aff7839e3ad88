//! Infinite numbers in JSON: JSON has none, and a silent `null` would read as "unknown".

use serde::{Deserialize, Deserializer, Serializer};

/// How such a number looks in a schema: a number, or one of two words.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
pub enum Number {
    /// A finite number.
    Finite(f64),
    /// An infinite one.
    Infinite(Infinite),
}

/// The two infinite numbers.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
pub enum Infinite {
    /// Above every number.
    #[schemars(rename = "inf")]
    Positive,
    /// Below every number.
    #[schemars(rename = "-inf")]
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
    if value.is_finite() {
        to.serialize_f64(*value)
    } else {
        to.serialize_str(if *value > 0.0 { "inf" } else { "-inf" })
    }
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// Neither a number nor one of the two words.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    from.deserialize_any(NumberVisitor)
}

struct NumberVisitor;

impl serde::de::Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number, \"inf\" or \"-inf\"")
    }

    fn visit_f64<E>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_u64<E>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_i64<E>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<f64, E> {
        match word {
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
        }
    }
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
