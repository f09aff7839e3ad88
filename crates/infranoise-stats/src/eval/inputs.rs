//! Reading fields.

use super::EvalError;
use crate::bootstrap::Resampling;
use crate::cell::{Cell, Pair};
use crate::error::Result as StatResult;
use crate::grid::Grid;
use crate::method::Method;
use crate::totals::Total;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, EvalError>;

/// The fields of one call; keeps note of which were read.
pub(super) struct Inputs<'a> {
    method: Method,
    fields: &'a Map<String, Value>,
    read: BTreeSet<&'static str>,
}

impl<'a> Inputs<'a> {
    pub fn new(method: Method, fields: &'a Map<String, Value>) -> Self {
        Self { method, fields, read: BTreeSet::new() }
    }

    pub fn refuse_unread(&self) -> Result<()> {
        match self.fields.keys().find(|key| !self.read.contains(key.as_str())) {
            None => Ok(()),
            Some(field) => Err(EvalError::UnknownField { method: self.method, field: field.clone() }),
        }
    }

    /// Gives an error of the method its name.
    pub fn stat<T>(&self, result: StatResult<T>) -> Result<T> {
        result.map_err(|source| EvalError::Stat { method: self.method, source })
    }

    /// A field; `None` if it is absent or null.
    fn find(&mut self, field: &'static str) -> Option<&'a Value> {
        self.read.insert(field);
        self.fields.get(field).filter(|value| !value.is_null())
    }

    fn take<T>(
        &mut self,
        field: &'static str,
        expected: &'static str,
        to: impl Fn(&Value) -> Option<T>,
    ) -> Result<T> {
        self.maybe(field, expected, to)?.ok_or(EvalError::Missing { method: self.method, field })
    }

    fn maybe<T>(
        &mut self,
        field: &'static str,
        expected: &'static str,
        to: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(value) = self.find(field) else { return Ok(None) };
        let wrong = EvalError::WrongType { method: self.method, field, expected };
        to(value).map(Some).ok_or(wrong)
    }

    pub fn number(&mut self, field: &'static str) -> Result<f64> {
        self.take(field, "a number", number)
    }

    pub fn number_or(&mut self, field: &'static str, default: f64) -> Result<f64> {
        Ok(self.maybe(field, "a number", number)?.unwrap_or(default))
    }

    pub fn maybe_number(&mut self, field: &'static str) -> Result<Option<f64>> {
        self.maybe(field, "a number or null", number)
    }

    pub fn level(&mut self) -> Result<f64> {
        self.number_or("conf", 0.95)
    }

    pub fn count(&mut self, field: &'static str) -> Result<u32> {
        self.take(field, "a count", count)
    }

    pub fn word_or(&mut self, field: &'static str, default: &'static str) -> Result<String> {
        Ok(self
            .maybe(field, "a word", |value| value.as_str().map(str::to_owned))?
            .unwrap_or(default.to_owned()))
    }

    pub fn wrong<T>(&self, field: &'static str, expected: &'static str) -> Result<T> {
        Err(EvalError::WrongType { method: self.method, field, expected })
    }

    pub fn numbers(&mut self, field: &'static str) -> Result<Vec<f64>> {
        self.take(field, "a list of numbers", |value| list(value, number))
    }

    pub fn maybe_numbers(&mut self, field: &'static str) -> Result<Option<Vec<f64>>> {
        self.maybe(field, "a list of numbers", |value| list(value, number))
    }

    pub fn counts(&mut self, field: &'static str) -> Result<Vec<u32>> {
        self.take(field, "a list of counts", |value| list(value, count))
    }

    pub fn table(&mut self, field: &'static str) -> Result<Vec<Vec<u32>>> {
        self.take(field, "a table of counts", |value| list(value, |row| list(row, count)))
    }

    pub fn cube(&mut self, field: &'static str) -> Result<Vec<Vec<Vec<bool>>>> {
        self.take(field, "a table of lists of 0 and 1", |value| {
            list(value, |row| list(row, |cell| list(cell, bit)))
        })
    }

    pub fn bits(&mut self, field: &'static str) -> Result<Vec<bool>> {
        self.take(field, "a list of 0 and 1", |value| list(value, bit))
    }

    pub fn cells(&mut self, hits: &'static str, trials: &'static str) -> Result<Vec<Cell>> {
        let (x, k) = (self.counts(hits)?, self.counts(trials)?);
        self.zip_cells(hits, &x, trials, &k)
    }

    pub fn zip_cells(
        &self,
        hits: &'static str,
        x: &[u32],
        trials: &'static str,
        k: &[u32],
    ) -> Result<Vec<Cell>> {
        self.stat(crate::check::same_length(hits, x.len(), trials, k.len()))?;
        self.stat(x.iter().zip(k).map(|(&x, &k)| Cell::try_new(x, k)).collect())
    }

    pub fn pairs(&mut self) -> Result<Vec<Pair>> {
        let (a, b) = (self.cells("xa", "ka")?, self.cells("xb", "kb")?);
        self.stat(Pair::zip(&a, &b))
    }

    /// A grid of hits (or whatever the first field counts) over trials.
    pub fn grid(&mut self, hits: &'static str, trials: &'static str) -> Result<Grid<Cell>> {
        let (x, k) = (self.table(hits)?, self.table(trials)?);
        self.stat(crate::check::same_length(hits, x.len(), trials, k.len()))?;
        let rows: Vec<Vec<Cell>> =
            x.iter().zip(&k).map(|(x, k)| self.zip_cells(hits, x, trials, k)).collect::<Result<_>>()?;
        self.stat(Grid::from_rows(&rows))
    }

    /// The scores of the arms; their ranks if the field is absent.
    pub fn scores(&mut self, arms: usize) -> Result<Vec<f64>> {
        Ok(self.maybe_numbers("scores")?.unwrap_or_else(|| crate::trend::rank_scores(arms)))
    }

    pub fn total(&mut self, hits: &'static str, trials: &'static str) -> Result<Total> {
        Ok(Total { hits: self.count(hits)?, trials: self.count(trials)? })
    }

    pub fn totals(&mut self, hits: &'static str, trials: &'static str) -> Result<Vec<Total>> {
        let (x, n) = (self.counts(hits)?, self.counts(trials)?);
        self.stat(crate::check::same_length(hits, x.len(), trials, n.len()))?;
        Ok(x.into_iter().zip(n).map(|(hits, trials)| Total { hits, trials }).collect())
    }

    /// Seed and draws, or a default of 40,000 draws: the oracle's tolerance asks for more than a report needs.
    pub fn resampling(&mut self) -> Result<Resampling> {
        let draws = self.maybe("draws", "a count", count)?.unwrap_or(40_000);
        let seed = self.maybe("seed", "a count", Value::as_u64)?.unwrap_or(Resampling::default().seed);
        Ok(Resampling { draws, seed })
    }
}

fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64(),
    }
}

/// A count; 5.0 is one too.
fn count(value: &Value) -> Option<u32> {
    if let Some(whole) = value.as_u64() {
        return u32::try_from(whole).ok();
    }
    let number = value.as_f64()?;
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32)
}

fn bit(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| count(value).filter(|&count| count <= 1).map(|count| count == 1))
}

fn list<T>(value: &Value, to: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(to).collect()
}
