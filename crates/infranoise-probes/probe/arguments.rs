//! `command [operand] --name value …`, and nothing else.

use std::collections::BTreeMap;

use super::Failure;

/// The arguments of one call; each is taken once, and what is left over is wrong.
pub(crate) struct Arguments {
    command: String,
    operand: Option<String>,
    named: BTreeMap<String, String>,
}

impl Arguments {
    pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut words = words.peekable();
        let command = words.next().ok_or_else(|| Failure::usage("which command?"))?;
        let operand = words.next_if(|word| !word.starts_with("--"));
        let mut named = BTreeMap::new();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").ok_or_else(|| Failure::usage(format!("what is `{word}`?")))?;
            let value = words.next().ok_or_else(|| Failure::usage(format!("{word} needs a value")))?;
            named.insert(name.to_owned(), value);
        }
        Ok(Self { command, operand, named })
    }

    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    pub(crate) fn operand(&mut self) -> Result<String, Failure> {
        self.operand.take().ok_or_else(|| Failure::usage(format!("{} needs a file", self.command)))
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        self.named.remove(name)
    }

    pub(crate) fn number(&mut self, name: &str) -> Result<u64, Failure> {
        let value = self.text(name).ok_or_else(|| Failure::usage(format!("--{name} is missing")))?;
        value.parse().map_err(|_| Failure::usage(format!("--{name} {value} is no whole number")))
    }

    pub(crate) fn number_or(&mut self, name: &str, default: u64) -> Result<u64, Failure> {
        if self.named.contains_key(name) { self.number(name) } else { Ok(default) }
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        match (self.operand, self.named.keys().next()) {
            (Some(operand), _) => Err(Failure::usage(format!("what is `{operand}`?"))),
            (None, Some(name)) => Err(Failure::usage(format!("{} knows no --{name}", self.command))),
            (None, None) => Ok(()),
        }
    }
}
