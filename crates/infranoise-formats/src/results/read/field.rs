//! One field of a foreign document: absent, null, a value, or something that it should not be.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use crate::results::loss::Losses;

/// A field that never fails its document: a value of the wrong type is kept as its description. `null` is not a value, and no zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::results) enum Field<T> {
    /// Not there, or `null`.
    #[default]
    Absent,
    /// A value of the right type.
    Is(T),
    /// Something else, in words.
    Odd(String),
}

impl<T> Field<T> {
    /// The value; what is odd goes into the losses.
    pub(in crate::results) fn take(self, losses: &mut Losses, file: &str, name: &str) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Is(value) => Some(value),
            Self::Odd(why) => {
                losses.add(file, name, why);
                None
            }
        }
    }

    /// Whether there is nothing.
    pub(in crate::results) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, without a word about what is odd.
    pub(in crate::results) fn get(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Odd(_) => None,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any(PhantomData))
    }
}

struct Any<T>(PhantomData<T>);

/// Tries a leaf value; a refusal is a description.
macro_rules! leaf {
    ($method:ident, $kind:ty) => {
        fn $method<E: serde::de::Error>(self, value: $kind) -> Result<Field<T>, E> {
            let read: Result<T, E> = T::deserialize(value.into_deserializer());
            Ok(read.map_or_else(|error| Field::Odd(error.to_string()), Field::Is))
        }
    };
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Any<T> {
    type Value = Field<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<Field<T>, E> {
        Ok(Field::Absent)
    }

    leaf!(visit_bool, bool);
    leaf!(visit_i64, i64);
    leaf!(visit_u64, u64);
    leaf!(visit_f64, f64);
    leaf!(visit_str, &str);

    fn visit_borrowed_str<E: serde::de::Error>(self, value: &'de str) -> Result<Field<T>, E> {
        let borrowed = serde::de::value::BorrowedStrDeserializer::new(value);
        let read: Result<T, E> = T::deserialize(borrowed);
        Ok(read.map_or_else(|error| Field::Odd(error.to_string()), Field::Is))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Field<T>, A::Error> {
        match T::deserialize(MapAccessDeserializer::new(&mut map)) {
            Ok(value) => Ok(Field::Is(value)),
            Err(error) => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Field::Odd(error.to_string()))
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Field<T>, A::Error> {
        match T::deserialize(SeqAccessDeserializer::new(&mut seq)) {
            Ok(value) => Ok(Field::Is(value)),
            Err(error) => {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Field::Odd(error.to_string()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(default)]
    struct Inner {
        n: Field<u64>,
    }

    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(default)]
    struct Outer {
        text: Field<String>,
        number: Field<f64>,
        inner: Field<Inner>,
        list: Field<Vec<Field<u64>>>,
    }

    fn read(text: &str) -> Outer {
        serde_json::from_str(text).expect("syntax")
    }

    #[test]
    fn a_wrong_type_costs_one_field_and_null_is_no_value() {
        let odd = read(r#"{"text": 7, "number": [1, {"a": 2}], "inner": {"n": {"x": [3]}}, "list": "no"}"#);
        assert!(matches!(odd.text, Field::Odd(_)) && matches!(odd.number, Field::Odd(_)));
        assert!(matches!(odd.inner, Field::Is(Inner { n: Field::Odd(_) })), "{:?}", odd.inner);
        assert!(matches!(odd.list, Field::Odd(_)));
        let null = read(r#"{"text": null, "number": null, "inner": null}"#);
        assert_eq!((null.text, null.number), (Field::Absent, Field::Absent));
        let fine =
            read(r#"{"text": "x", "number": 1, "inner": {"n": 3}, "list": [1, null, "x"], "more": {}}"#);
        assert_eq!(fine.number, Field::Is(1.0), "a whole number is a number");
        assert_eq!(fine.list.get().map(Vec::len), Some(3));
    }

    #[test]
    fn a_broken_document_is_an_error_all_the_same() {
        assert!(serde_json::from_str::<Outer>(r#"{"inner": {"n": 1"#).is_err());
        assert!(serde_json::from_str::<Outer>(r#"{"number": [1, }"#).is_err());
    }
}
