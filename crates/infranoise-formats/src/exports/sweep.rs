//! What is exported: a plan and its records, each attempt a row.

use std::collections::{HashMap, HashSet};

use infranoise_core::{ArmId, Facts, Phase, PhaseRecord, Plan, TaskId, TrialKey, TrialRecord};

/// A sweep, ready to be exported: the rows in order, and which attempts count.
pub struct Sweep<'r> {
    /// The plan.
    pub plan: &'r Plan,
    rows: Vec<Row<'r>>,
}

/// One recorded attempt.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// The plan.
    pub plan: &'r Plan,
    /// The record.
    pub record: &'r TrialRecord,
    /// Whether this is the attempt of its trial that counts: the first whose agent phase started, or the last if none did. Attempts of
    /// trials that the plan does not hold never count.
    pub counts: bool,
}

impl<'r> Sweep<'r> {
    /// Puts the records in the order of execution and finds the attempts that count.
    #[must_use]
    pub fn new(plan: &'r Plan, records: &'r [TrialRecord]) -> Self {
        let planned = Planned::new(plan);
        let mut counting: HashMap<&TrialKey, usize> = HashMap::new();
        for (place, record) in records.iter().enumerate() {
            if !planned.holds(&record.facts.key) {
                continue;
            }
            let known = counting.entry(&record.facts.key).or_insert(place);
            if record.counts_before(&records[*known]) {
                *known = place;
            }
        }
        let counting: HashSet<usize> = counting.into_values().collect();
        let mut rows: Vec<Row<'r>> = records
            .iter()
            .enumerate()
            .map(|(place, record)| Row { plan, record, counts: counting.contains(&place) })
            .collect();
        rows.sort_by_key(|row| (row.record.facts.position, row.record.facts.attempt));
        Self { plan, rows }
    }

    /// The attempts, in the order of execution.
    #[must_use]
    pub fn rows(&self) -> &[Row<'r>] {
        &self.rows
    }
}

/// The plan's tasks and arms, ready to be asked for.
struct Planned<'p> {
    plan: &'p Plan,
    tasks: HashSet<&'p TaskId>,
    arms: HashSet<&'p ArmId>,
}

impl<'p> Planned<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            tasks: plan.tasks.iter().map(|task| &task.id).collect(),
            arms: plan.arms.iter().map(|arm| &arm.arm.name).collect(),
        }
    }

    fn holds(&self, key: &TrialKey) -> bool {
        self.tasks.contains(&key.task)
            && self.arms.contains(&key.arm)
            && key.subject == *self.plan.subject_of(&key.arm)
            && key.repeat < self.plan.repeats_of(&key.arm, &key.task)
    }
}

impl<'r> Row<'r> {
    pub(super) fn facts(&self) -> &'r Facts {
        &self.record.facts
    }

    pub(super) fn phase(&self, phase: Phase) -> Option<&'r PhaseRecord> {
        self.facts().outcome.phase(phase)
    }

    /// How long a phase took; not known where another harness's record holds no times.
    pub(super) fn phase_ms(&self, phase: Phase) -> Option<u64> {
        let record = self.phase(phase)?;
        let length = record.ended_ms.saturating_sub(record.started_ms);
        (length > 0 || self.facts().source.is_none()).then_some(length)
    }

    /// A name of the attempt that is unique in the sweep: the trial's folder, as in the sweep's own `trials/`.
    pub(super) fn name(&self) -> String {
        let facts = self.facts();
        let folder = facts.key.folder();
        match facts.attempt.0 {
            0 => folder,
            attempt => format!("{folder}.attempt-{attempt}"),
        }
    }
}
