//! Counts of planned trials by the attempt that counts, kept up to date record by record.

use std::collections::BTreeMap;

use infranoise_core::{Blame, Cause, Phase, Shown, TrialKey, TrialRecord};

/// What ended trials: how they are shown, whom it is put down to, by what, in which phase.
pub type CauseKey = (Shown, Blame, Cause, Option<Phase>);

/// Counts by arm, in the plan's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    planned: Vec<u64>,
    shown: Vec<[u64; Shown::ALL.len()]>,
    causes: BTreeMap<CauseKey, Vec<u64>>,
    chosen: BTreeMap<TrialKey, usize>,
}

impl Tally {
    pub(super) fn new(planned: &BTreeMap<TrialKey, usize>, arms: usize) -> Self {
        let mut counts = vec![0; arms];
        for place in planned.values() {
            counts[*place] += 1;
        }
        Self {
            planned: counts,
            shown: vec![[0; Shown::ALL.len()]; arms],
            causes: BTreeMap::new(),
            chosen: BTreeMap::new(),
        }
    }

    /// Counts a record that will stand at `index`; it may take the place of an earlier attempt.
    pub(super) fn add(&mut self, arm: usize, record: &TrialRecord, records: &[TrialRecord], index: usize) {
        if let Some(known) = self.chosen.get(&record.facts.key).and_then(|known| records.get(*known)) {
            if !record.counts_before(known) {
                return;
            }
            let (shown, cause) = (Shown::of(known), cause_of(known));
            self.shown[arm][shown as usize] -= 1;
            if let Some(counts) = self.causes.get_mut(&cause) {
                counts[arm] -= 1;
            }
        }
        self.chosen.insert(record.facts.key.clone(), index);
        self.shown[arm][Shown::of(record) as usize] += 1;
        let arms = self.planned.len();
        self.causes.entry(cause_of(record)).or_insert_with(|| vec![0; arms])[arm] += 1;
    }

    /// Planned trials of an arm.
    #[must_use]
    pub fn planned(&self, arm: usize) -> u64 {
        self.planned.get(arm).copied().unwrap_or(0)
    }

    /// How many trials of an arm are shown so.
    #[must_use]
    pub fn count(&self, arm: usize, shown: Shown) -> u64 {
        self.shown.get(arm).map_or(0, |counts| counts[shown as usize])
    }

    /// How many trials of all arms are shown so.
    #[must_use]
    pub fn total(&self, shown: Shown) -> u64 {
        self.shown.iter().map(|counts| counts[shown as usize]).sum()
    }

    /// Trials with a record.
    #[must_use]
    pub fn recorded(&self) -> u64 {
        self.chosen.len() as u64
    }

    /// Where the record that counts for a trial stands.
    pub(super) fn chosen(&self, key: &TrialKey) -> Option<usize> {
        self.chosen.get(key).copied()
    }

    /// What ended trials that are infra errors, did not start or cannot be put down to anybody, by arm; commonest first.
    #[must_use]
    pub fn infra_causes(&self) -> Vec<(CauseKey, Vec<u64>)> {
        let mut rows: Vec<_> = self
            .causes
            .iter()
            .filter(|((shown, ..), counts)| is_infra(*shown) && counts.iter().any(|count| *count > 0))
            .map(|(key, counts)| (*key, counts.clone()))
            .collect();
        rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
        rows
    }
}

fn is_infra(shown: Shown) -> bool {
    match shown {
        Shown::Ceiling | Shown::Fault | Shown::Undetermined | Shown::NotStarted => true,
        Shown::Pass | Shown::Fail => false,
    }
}

fn cause_of(record: &TrialRecord) -> CauseKey {
    let verdict = &record.classification;
    (Shown::of(record), verdict.blame, verdict.cause, verdict.phase)
}
