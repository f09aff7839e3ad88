//! Cells as SQLite's values.

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use crate::exports::cell::Cell;

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Bool(value) => ValueRef::Integer(i64::from(*value)),
            Self::Whole(value) => ValueRef::Integer(*value),
            Self::Number(value) => ValueRef::Real(*value),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

impl From<i64> for Cell<'_> {
    fn from(value: i64) -> Self {
        Self::Whole(value)
    }
}
