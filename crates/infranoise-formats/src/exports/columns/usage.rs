//! Tokens and money.

use super::Column;
use crate::exports::cell::reading;
use crate::exports::column::Kind::{Number, Whole};

pub(super) const COLUMNS: &[Column] = &[
    Column::measured("tokens_in", Whole, "Tokens in, cached ones included.", |row| {
        reading(&row.facts().usage.tokens_in)
    }),
    Column::measured("tokens_cached", Whole, "Tokens in that came from a cache.", |row| {
        reading(&row.facts().usage.tokens_cached)
    }),
    Column::measured("tokens_out", Whole, "Tokens out.", |row| reading(&row.facts().usage.tokens_out)),
    Column::measured("cost_usd", Number, "Cost in US dollars.", |row| reading(&row.facts().usage.cost_usd)),
];
