//! One table of a TOML file, read key by key: wrong kinds become errors with their place, keys that nobody asked for become
//! warnings.

use std::collections::BTreeSet;

use toml_edit::{Item, TableLike, Value};

use super::report::{Place, Report, Text};

/// A table that is being read.
pub(super) struct Section<'d> {
    name: String,
    text: Text<'d>,
    table: Option<&'d dyn TableLike>,
    asked: BTreeSet<String>,
}

impl<'d> Section<'d> {
    /// The root of a document.
    pub(super) fn root(text: Text<'d>, table: &'d dyn TableLike) -> Self {
        Self { name: String::new(), text, table: Some(table), asked: BTreeSet::new() }
    }

    /// The file that this table stands in.
    pub(super) fn source(&self) -> Text<'d> {
        self.text
    }

    /// A key's full name, as in `environment.cpus`.
    pub(super) fn full(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// Where a key stands.
    pub(super) fn place(&self, key: &str) -> Place {
        let found = self.table.and_then(|table| table.get_key_value(key));
        self.text.place(found.and_then(|(key, item)| key.span().or(item.span())))
    }

    /// The item behind a key; asking marks the key as known.
    pub(super) fn item(&mut self, key: &str) -> Option<&'d Item> {
        self.asked.insert(key.to_owned());
        self.table.and_then(|table| table.get(key))
    }

    /// Whether a key is there.
    pub(super) fn has(&mut self, key: &str) -> bool {
        self.item(key).is_some()
    }

    fn wrong(&self, report: &mut Report, key: &str, item: &Item, wanted: &str) {
        let place = self.text.place(item.span());
        let what = format!("`{}` is {}, but must be {wanted}", self.full(key), kind(item));
        report.error(place, what, "correct the value");
    }

    /// A text.
    pub(super) fn text(&mut self, report: &mut Report, key: &str) -> Option<String> {
        let item = self.item(key)?;
        let Some(text) = item.as_str() else {
            self.wrong(report, key, item, "a text in quotes");
            return None;
        };
        Some(text.to_owned())
    }

    /// A finite number above zero.
    pub(super) fn positive(&mut self, report: &mut Report, key: &str) -> Option<f64> {
        let item = self.item(key)?;
        let number = item.as_integer().map(|n| n as f64).or(item.as_float());
        match number {
            Some(number) if number.is_finite() && number > 0.0 => Some(number),
            _ => {
                self.wrong(report, key, item, "a number above 0");
                None
            }
        }
    }

    /// A finite number of at least zero.
    pub(super) fn share(&mut self, report: &mut Report, key: &str) -> Option<f64> {
        let item = self.item(key)?;
        let number = item.as_integer().map(|n| n as f64).or(item.as_float());
        match number {
            Some(number) if number.is_finite() && number >= 0.0 => Some(number),
            _ => {
                self.wrong(report, key, item, "a number of at least 0");
                None
            }
        }
    }

    /// A whole number of at least `least`.
    pub(super) fn whole(&mut self, report: &mut Report, key: &str, least: u64) -> Option<u64> {
        let item = self.item(key)?;
        let integral = |x: f64| (x.fract() == 0.0 && x.abs() < 9e15).then_some(x as i64);
        let number = item.as_integer().or(item.as_float().and_then(integral));
        match number.and_then(|n| u64::try_from(n).ok()) {
            Some(number) if number >= least => Some(number),
            _ => {
                self.wrong(report, key, item, &format!("a whole number of at least {least}"));
                None
            }
        }
    }

    /// Yes or no.
    pub(super) fn flag(&mut self, report: &mut Report, key: &str) -> Option<bool> {
        let item = self.item(key)?;
        let flag = item.as_bool();
        if flag.is_none() {
            self.wrong(report, key, item, "`true` or `false`");
        }
        flag
    }

    /// A list of texts; empty if absent.
    pub(super) fn texts(&mut self, report: &mut Report, key: &str) -> Vec<String> {
        let Some(item) = self.item(key) else { return Vec::new() };
        let texts = item.as_array().and_then(|list| {
            list.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        texts.unwrap_or_else(|| {
            self.wrong(report, key, item, "a list of texts");
            Vec::new()
        })
    }

    /// A sub-table; an absent one if there is none, or if it is something else (which is an error).
    pub(super) fn section(&mut self, report: &mut Report, key: &str) -> Section<'d> {
        let item = self.item(key);
        let table = item.and_then(Item::as_table_like);
        if let (Some(item), None) = (item, table) {
            self.wrong(report, key, item, "a table");
        }
        Section { name: self.full(key), text: self.text, table, asked: BTreeSet::new() }
    }

    /// Every key with its item, marking all as known.
    pub(super) fn entries(&mut self) -> Vec<(String, &'d Item)> {
        let entries: Vec<(String, &'d Item)> = self
            .table
            .map(|table| table.iter().map(|(key, item)| (key.to_owned(), item)).collect())
            .unwrap_or_default();
        self.asked.extend(entries.iter().map(|(key, _)| key.clone()));
        entries
    }

    /// The keys that nobody asked for.
    fn unknown(&self) -> impl Iterator<Item = &'d str> {
        let keys = self.table.into_iter().flat_map(|table| table.iter().map(|(key, _)| key));
        keys.filter(|key| !self.asked.contains(*key))
    }

    /// Ends the reading of a table of a foreign format: unknown keys are warned of.
    pub(super) fn finish(self, report: &mut Report) {
        for key in self.unknown() {
            report.warn(self.place(key), format!("unknown key `{}`: it has no effect", self.full(key)));
        }
    }

    /// Ends the reading of a table of a format of our own: unknown keys are errors, since they are slips.
    pub(super) fn finish_own(self, report: &mut Report) {
        for key in self.unknown() {
            let what = format!("unknown key `{}`", self.full(key));
            report.error(self.place(key), what, "correct or remove it");
        }
    }
}

/// What an item is, in words.
pub(super) fn kind(item: &Item) -> String {
    match item {
        Item::None => "nothing".to_owned(),
        Item::Table(_) => "a table".to_owned(),
        Item::ArrayOfTables(_) => "a list of tables".to_owned(),
        Item::Value(Value::InlineTable(_)) => "a table".to_owned(),
        Item::Value(Value::Array(_)) => "a list".to_owned(),
        Item::Value(Value::String(text)) => format!("the text {:?}", text.value()),
        Item::Value(value) => format!("`{}`", value.to_string().trim()),
    }
}

/// A value as a label: texts bare, lists with commas, the rest as TOML writes it.
pub(super) fn label(value: &Value) -> String {
    match value {
        Value::String(text) => text.value().clone(),
        Value::Array(list) => list.iter().map(label).collect::<Vec<_>>().join(", "),
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => number.value().to_string(),
        Value::Boolean(flag) => flag.value().to_string(),
        Value::Datetime(moment) => moment.value().to_string(),
        Value::InlineTable(table) => table.to_string().trim().to_owned(),
    }
}
