//! What the journal says so far: events in, a state out. Knows no file and no clock.

use std::collections::BTreeMap;
use std::sync::Arc;

use infranoise_core::{Attempt, Event, Phase, Plan, StopReason, TrialKey, TrialRecord};

pub mod tally;

use tally::Tally;

/// A trial that has its sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Which execution of the trial.
    pub attempt: Attempt,
    /// When it began, in milliseconds since 1970 (UTC).
    pub started_at_ms: u64,
    /// Its phase, and since when; absent before the first.
    pub phase: Option<(Phase, u64)>,
}

/// Everything that the journal says so far.
#[derive(Clone, Debug)]
pub struct Now {
    /// The plan.
    pub plan: Arc<Plan>,
    /// When the process that writes now began; absent before the first.
    pub began_at_ms: Option<u64>,
    /// When the sweep was first begun.
    pub first_at_ms: Option<u64>,
    /// The last event's time.
    pub last_at_ms: Option<u64>,
    /// How many trials may run at once.
    pub concurrency: Option<u32>,
    /// Records since the present process began.
    pub recorded_here: u64,
    /// Attempts that died with their process.
    pub lost: u64,
    /// Why the process stopped, if it did.
    pub stopped: Option<StopReason>,
    /// Trials in their sandboxes.
    pub running: BTreeMap<TrialKey, Running>,
    /// Every record of a planned trial, in the journal's order.
    pub records: Vec<TrialRecord>,
    /// Records of trials that the plan does not hold.
    pub unplanned: u64,
    /// Counts of the attempts that count.
    pub tally: Tally,
    planned: BTreeMap<TrialKey, usize>,
}

impl Now {
    /// Before the first event.
    #[must_use]
    pub fn new(plan: Arc<Plan>) -> Self {
        let place = |key: &TrialKey| plan.arms.iter().position(|arm| arm.arm.name == key.arm).unwrap_or(0);
        let planned: BTreeMap<TrialKey, usize> = plan.keys().map(|key| (key.clone(), place(&key))).collect();
        let tally = Tally::new(&planned, plan.arms.len());
        Self {
            plan,
            began_at_ms: None,
            first_at_ms: None,
            last_at_ms: None,
            concurrency: None,
            recorded_here: 0,
            lost: 0,
            stopped: None,
            running: BTreeMap::new(),
            records: Vec::new(),
            unplanned: 0,
            tally,
            planned,
        }
    }

    /// Takes an event in.
    pub fn hear(&mut self, event: Event) {
        match event {
            Event::SweepStarted { at_ms, concurrency, .. } => {
                self.seen(at_ms);
                self.first_at_ms.get_or_insert(at_ms);
                self.began_at_ms = Some(at_ms);
                self.concurrency = Some(concurrency);
                self.recorded_here = 0;
                self.stopped = None;
                // Whatever ran in another process does not run in this one.
                self.running.clear();
            }
            Event::TrialStarted { at_ms, key, attempt, .. } => {
                self.seen(at_ms);
                if self.planned.contains_key(&key) {
                    self.running.insert(key, Running { attempt, started_at_ms: at_ms, phase: None });
                }
            }
            Event::PhaseStarted { at_ms, key, phase } => {
                self.seen(at_ms);
                if let Some(running) = self.running.get_mut(&key) {
                    running.phase = Some((phase, at_ms));
                }
            }
            Event::TrialEnded { at_ms, record } => {
                self.seen(at_ms);
                self.recorded_here += 1;
                self.keep(*record);
            }
            Event::TrialLost { at_ms, key, .. } => {
                self.seen(at_ms);
                self.lost += 1;
                self.running.remove(&key);
            }
            Event::SweepStopped { at_ms, reason } => {
                self.seen(at_ms);
                self.stopped = Some(reason);
                self.running.clear();
            }
        }
    }

    fn seen(&mut self, at_ms: u64) {
        self.last_at_ms = Some(at_ms);
    }

    fn keep(&mut self, record: TrialRecord) {
        let key = &record.facts.key;
        self.running.remove(key);
        let Some(place) = self.planned.get(key) else {
            self.unplanned += 1;
            return;
        };
        self.tally.add(*place, &record, &self.records, self.records.len());
        self.records.push(record);
    }

    /// The record that counts for a trial, if there is one.
    #[must_use]
    pub fn record(&self, key: &TrialKey) -> Option<&TrialRecord> {
        self.records.get(self.tally.chosen(key)?)
    }

    /// Trials in their sandboxes by the place of their arm in the plan.
    #[must_use]
    pub fn running_by_arm(&self) -> Vec<u64> {
        let mut counts = vec![0; self.plan.arms.len()];
        for place in self.running.keys().filter_map(|key| self.planned.get(key)) {
            counts[*place] += 1;
        }
        counts
    }

    /// Recorded trials that are not being tried again at this moment.
    #[must_use]
    pub fn done(&self) -> u64 {
        let again = self.running.keys().filter(|key| self.tally.chosen(key).is_some()).count() as u64;
        self.tally.recorded() - again
    }

    /// Whether nothing more is expected: the process stopped, or the trials were imported.
    #[must_use]
    pub fn over(&self) -> bool {
        self.stopped.is_some() || self.plan.imported.is_some()
    }

    /// The time left in milliseconds, if it goes on as it did since the process began; absent before the first record and after the end.
    #[must_use]
    pub fn left_ms(&self, now_ms: u64) -> Option<u64> {
        let left = self.plan.planned().saturating_sub(self.done());
        if self.over() || left == 0 || self.recorded_here == 0 {
            return None;
        }
        let spent_ms = now_ms.saturating_sub(self.began_at_ms?);
        Some((spent_ms as f64 / self.recorded_here as f64 * left as f64) as u64)
    }
}

#[cfg(test)]
mod tests;
