//! The designed verdict of a task in an arm.
//!
//! A cell of a truth table reads `outcome`, `outcome: cause` or `outcome: cause, phase`, in the words of the core's types:
//! `ceiling: oom, verify`. A cell that is absent is open: what happens there depends on the host.

use infranoise_core::{Cause, Ceiling, Factor, KillScope, Phase, Shown};
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};

use crate::BundledTask;

/// What the design says of one trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The outcome.
    pub shown: Shown,
    /// The cause, unless it is open.
    pub cause: Option<Cause>,
    /// The phase that the cause belongs to, unless it is open.
    pub phase: Option<Phase>,
}

impl Expected {
    /// Reads a cell.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (shown, detail) = text.split_once(':').map_or((text, None), |(shown, rest)| (shown, Some(rest)));
        let mut detail = detail.into_iter().flat_map(|rest| rest.split(','));
        let cause = detail.next().map(word).transpose().ok()?;
        let phase = detail.next().map(word).transpose().ok()?;
        let nothing_more = detail.next().is_none();
        nothing_more.then_some(Self { shown: word(shown).ok()?, cause, phase })
    }
}

/// Reads a member of one of the core's enumerations by its name on disk.
pub(crate) fn word<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    T::deserialize(StrDeserializer::new(text.trim()))
}

impl BundledTask {
    /// The designed verdict with all ceilings at this multiple of the spec; `None` where it is open or not designed.
    #[must_use]
    pub fn expected(&self, scope: KillScope, ceiling: Ceiling<Factor>) -> Option<Expected> {
        let scope = scope_name(scope)?;
        let ceiling = ceiling_name(ceiling);
        let cell = self.expected.iter().find(|cell| cell.0 == scope && cell.1 == ceiling)?;
        Expected::parse(cell.2)
    }
}

/// The name of a kill scope in truth tables; a scope between them has no designed truth.
fn scope_name(scope: KillScope) -> Option<&'static str> {
    match scope {
        KillScope::Process => Some("process"),
        KillScope::Trial => Some("trial"),
        KillScope::Exec => None,
    }
}

fn ceiling_name(ceiling: Ceiling<Factor>) -> String {
    match ceiling {
        Ceiling::At(factor) => factor.as_f64().to_string(),
        Ceiling::Uncapped => "inf".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_as_written() {
        let cell = |shown, cause, phase| Some(Expected { shown, cause, phase });
        for (text, expected) in [
            ("pass", cell(Shown::Pass, None, None)),
            ("ceiling: oom, verify", cell(Shown::Ceiling, Some(Cause::Oom), Some(Phase::Verify))),
            ("fail: wrong_answer", cell(Shown::Fail, Some(Cause::WrongAnswer), None)),
            ("win", None),
            ("fail: boredom", None),
            ("fail: oom, agent, twice", None),
        ] {
            assert_eq!(Expected::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn every_cell_of_every_table_reads() {
        for task in crate::BUNDLED {
            for (scope, ceiling, text) in task.expected {
                assert!(["trial", "process"].contains(scope), "{}: {scope}", task.name);
                assert!(["1", "1.5", "2", "3", "5", "inf"].contains(ceiling), "{}: {ceiling}", task.name);
                assert!(Expected::parse(text).is_some(), "{}: {text}", task.name);
            }
        }
    }
}
