//! What a journal says is done: resuming a sweep is planned keys minus settled keys.

use std::collections::{BTreeMap, BTreeSet};

use infranoise_core::{Attempt, Blame, Event, Plan, TrialKey, TrialRecord};
use infranoise_store::Journal;

/// How far a sweep is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Trials that need no further attempt.
    pub settled: BTreeSet<TrialKey>,
    /// Attempts that were begun and never ended: the process died.
    pub lost: Vec<(TrialKey, Attempt)>,
    /// Every recorded attempt.
    pub records: Vec<TrialRecord>,
    /// When the sweep was first started, in milliseconds since 1970 (UTC).
    pub first_start_ms: Option<u64>,
    attempts: BTreeMap<TrialKey, Attempt>,
}

impl Progress {
    /// The number of the next attempt of a trial: attempts whose process died use up no number.
    #[must_use]
    pub fn next_attempt(&self, key: &TrialKey) -> Attempt {
        self.attempts.get(key).map_or(Attempt(0), |last| Attempt(last.0 + 1))
    }
}

/// Reads a journal's events against its plan.
#[must_use]
pub fn progress(plan: &Plan, journal: &Journal) -> Progress {
    let mut progress = Progress::default();
    let mut open: BTreeMap<TrialKey, Attempt> = BTreeMap::new();
    for entry in &journal.entries {
        match &entry.event {
            Event::SweepStarted { at_ms, .. } => {
                progress.first_start_ms.get_or_insert(*at_ms);
            }
            Event::TrialStarted { key, attempt, .. } => {
                open.insert(key.clone(), *attempt);
            }
            Event::TrialEnded { record, .. } => {
                let facts = &record.facts;
                open.remove(&facts.key);
                progress.attempts.insert(facts.key.clone(), facts.attempt);
                if wants_another(plan, record, facts.attempt) {
                    progress.settled.remove(&facts.key);
                } else {
                    progress.settled.insert(facts.key.clone());
                }
                progress.records.push((**record).clone());
            }
            Event::TrialLost { key, .. } => {
                open.remove(key);
            }
            Event::PhaseStarted { .. } | Event::SweepStopped { .. } => {}
        }
    }
    progress.lost = open.into_iter().collect();
    progress
}

/// Whether the plan wants another attempt after this record: trials that did not start by default, faults only if asked for.
pub(super) fn wants_another(plan: &Plan, record: &TrialRecord, attempt: Attempt) -> bool {
    match record.classification.blame {
        Blame::NotStarted => attempt.0 < plan.retries_not_started,
        Blame::Fault => attempt.0 < plan.retries_fault,
        Blame::Nobody | Blame::Agent | Blame::Ceiling { .. } | Blame::Task | Blame::Undetermined => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::SandboxId;
    use infranoise_core::testing::{Ending, plan, record};
    use infranoise_store::Entry;

    fn journal(events: Vec<Event>) -> Journal {
        let entries = events.into_iter().zip(0..).map(|(event, seq)| Entry { seq, event }).collect();
        Journal { entries, ..Journal::default() }
    }

    #[test]
    fn done_lost_and_retried_trials_are_told_apart() {
        let plan = plan(1, 4, 1);
        let keys: Vec<TrialKey> = plan.keys().collect();
        let started = |key: &TrialKey, attempt| Event::TrialStarted {
            at_ms: 5,
            key: key.clone(),
            attempt: Attempt(attempt),
            sandbox: SandboxId::try_new("s").expect("a name"),
            waited_ms: 0,
        };
        let ended = |key: &TrialKey, ending, attempt| {
            let mut record = record(&plan, key.clone(), ending);
            record.facts.attempt = Attempt(attempt);
            Event::TrialEnded { at_ms: 6, record: Box::new(record) }
        };
        let found = progress(
            &plan,
            &journal(vec![
                started(&keys[0], 0),
                ended(&keys[0], Ending::Fail, 0),
                started(&keys[1], 0),
                started(&keys[2], 0),
                ended(&keys[2], Ending::NotStarted, 0),
                started(&keys[3], 0),
                ended(&keys[3], Ending::NotStarted, 2),
            ]),
        );
        assert_eq!(found.settled, [keys[0].clone(), keys[3].clone()].into(), "failed, and out of attempts");
        assert_eq!(found.lost, vec![(keys[1].clone(), Attempt(0))]);
        assert_eq!(found.next_attempt(&keys[1]), Attempt(0), "a lost attempt is done again");
        assert_eq!(found.next_attempt(&keys[2]), Attempt(1));
        assert_eq!(found.records.len(), 3);
    }
}
