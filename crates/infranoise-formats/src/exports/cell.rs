//! One value of a table.

use std::borrow::Cow;

use infranoise_core::Observed;

/// A value, or that there is none.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'r> {
    /// Not known, or not applicable; never a zero.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number; what is beyond 2^63 - 1 is written as that.
    Whole(i64),
    /// Any number; what is not finite is written as null.
    Number(f64),
    /// Text.
    Text(Cow<'r, str>),
}

impl Cell<'_> {
    /// Text; empty text is text, not null.
    pub(super) fn text(text: &str) -> Cell<'_> {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<bool> for Cell<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u64> for Cell<'_> {
    fn from(value: u64) -> Self {
        Self::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Cell<'_> {
    fn from(value: u32) -> Self {
        Self::Whole(i64::from(value))
    }
}

impl From<i32> for Cell<'_> {
    fn from(value: i32) -> Self {
        Self::Whole(i64::from(value))
    }
}

impl From<f64> for Cell<'_> {
    fn from(value: f64) -> Self {
        if value.is_finite() { Self::Number(value) } else { Self::Null }
    }
}

impl From<String> for Cell<'_> {
    fn from(value: String) -> Self {
        Self::Text(Cow::Owned(value))
    }
}

impl<'r> From<&'r str> for Cell<'r> {
    fn from(value: &'r str) -> Self {
        Self::text(value)
    }
}

impl From<infranoise_core::Bytes> for Cell<'_> {
    fn from(value: infranoise_core::Bytes) -> Self {
        value.0.into()
    }
}

impl From<infranoise_core::MilliCpu> for Cell<'_> {
    fn from(value: infranoise_core::MilliCpu) -> Self {
        value.0.into()
    }
}

impl<'r, T: Into<Cell<'r>>> From<Option<T>> for Cell<'r> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A reading with its value as a cell.
pub(super) fn reading<T: Clone>(observed: &Observed<T>) -> Observed<Cell<'static>>
where
    Cell<'static>: From<T>,
{
    observed.clone().map(Cell::from)
}
