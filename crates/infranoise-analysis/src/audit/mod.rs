//! Which of the things that the published advice asks for does a result disclose?
//!
//! The advice: floor and ceiling separately per task; how they are enforced; resources as an experimental variable; and the other sources
//! of noise that it names: time limits, time of day, hardware, concurrency, egress, API latency. A result that discloses these can be compared.

mod items;
mod statement;

use infranoise_core::{Plan, TrialRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doc::Analysis;

/// How far something is disclosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Disclosed {
    /// It is there.
    Yes,
    /// A part of it is there, or it is only inferred.
    Partly,
    /// It is not there.
    No,
}

/// One thing that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItem {
    /// Its name.
    pub id: String,
    /// What is asked for.
    pub asks: String,
    /// How far it is there.
    pub disclosed: Disclosed,
    /// What was found, in words.
    pub found: String,
    /// What to add, where something is missing.
    pub add: Option<String>,
}

/// The score card and the paragraph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// The items.
    pub items: Vec<AuditItem>,
    /// How many are there whole.
    pub disclosed: u64,
    /// How many are asked for.
    pub asked: u64,
    /// The methods paragraph: what can be said of this result.
    pub statement: String,
}

/// Audits a result.
#[must_use]
pub fn audit(plan: &Plan, records: &[TrialRecord], analysis: &Analysis) -> Audit {
    let items: Vec<AuditItem> = items::ITEMS.iter().map(|item| item.look(plan, records, analysis)).collect();
    Audit {
        disclosed: items.iter().filter(|item| item.disclosed == Disclosed::Yes).count() as u64,
        asked: items.len() as u64,
        statement: statement::statement(plan, analysis),
        items,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, analyse};
    use infranoise_core::testing::{Ending, plan, record};

    #[test]
    fn our_own_records_disclose_most_and_what_is_missing_has_a_line_to_add() {
        let plan = plan(3, 2, 2);
        let records: Vec<TrialRecord> = plan.keys().map(|key| record(&plan, key, Ending::Pass)).collect();
        let found = audit(&plan, &records, &analyse(&plan, &records, "test", Effort { draws: 10 }));
        assert_eq!(found.asked, found.items.len() as u64);
        let state = |id: &str| found.items.iter().find(|item| item.id == id).expect("an item").disclosed;
        assert_eq!(state("memory-band"), Disclosed::Yes);
        assert_eq!(state("kill-scope"), Disclosed::Yes);
        assert_eq!(state("api-latency"), Disclosed::No);
        for item in &found.items {
            assert_eq!(item.add.is_some(), item.disclosed != Disclosed::Yes, "{}", item.id);
        }
        for word in ["3 tasks", "2 repeats", "1x", "kill scope trial", "seed"] {
            assert!(found.statement.contains(word), "`{word}` in: {}", found.statement);
        }
    }

    #[test]
    fn a_result_without_limits_is_told_so() {
        let plan = plan(2, 1, 1);
        let records: Vec<TrialRecord> = plan
            .keys()
            .map(|key| {
                let mut record = record(&plan, key, Ending::Fail);
                record.facts.allocation = None;
                record.facts.provenance = infranoise_core::Provenance::Unknown;
                record
            })
            .collect();
        let found = audit(&plan, &records, &analyse(&plan, &records, "test", Effort { draws: 10 }));
        let memory = found.items.iter().find(|item| item.id == "memory-band").expect("an item");
        assert_eq!(memory.disclosed, Disclosed::No);
        assert!(memory.add.as_ref().is_some_and(|add| add.contains("floor")));
    }
}
