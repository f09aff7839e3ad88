//! Defects of tasks, which only many trials together show: the same error of the test file itself for everybody.

use std::collections::{BTreeMap, BTreeSet};

use infranoise_core::{ClueKind, Confidence, Context, TaskId, TrialRecord, classify};

use super::collect::ArmNumber;

/// So many arms must show it, so that it is nobody's own doing.
const LEAST_ARMS: usize = 3;
/// And so large a share of the task's trials.
const LEAST_SHARE: f64 = 0.95;
/// Texts beyond these are not counted.
const MOST_TEXTS: usize = 16;

/// What is counted of one task.
#[derive(Default)]
struct Counts {
    trials: u64,
    passed: u64,
    texts: BTreeMap<String, (u64, BTreeSet<ArmNumber>)>,
}

/// Counts errors of test files by task.
#[derive(Default)]
pub(in crate::results) struct Defects(BTreeMap<TaskId, Counts>);

/// The error of the test file that a trial shows, if it shows one.
fn shown(record: &TrialRecord) -> Option<&str> {
    let clues = record.facts.source.as_ref().map(|source| &source.clues)?;
    let clue = clues.iter().find(|clue| clue.kind == ClueKind::TaskDefect)?;
    Some(&clue.evidence.reading)
}

impl Defects {
    /// Counts a trial.
    pub(in crate::results) fn count(&mut self, arm: ArmNumber, record: &TrialRecord) {
        let counts = self.0.entry(record.facts.key.task.clone()).or_default();
        counts.trials += 1;
        counts.passed += u64::from(record.facts.outcome.reward.passed());
        let Some(text) = shown(record) else { return };
        if counts.texts.len() < MOST_TEXTS || counts.texts.contains_key(text) {
            let (times, arms) = counts.texts.entry(text.to_owned()).or_default();
            *times += 1;
            arms.insert(arm);
        }
    }

    /// The tasks that nobody can pass, each with the error that everybody gets.
    pub(in crate::results) fn found(self) -> TaskDefects {
        TaskDefects(self.0.into_iter().filter_map(|(task, counts)| Some((task, counts.defect()?))).collect())
    }
}

/// An error that everybody gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::results) struct Defect {
    pub(in crate::results) text: String,
    pub(in crate::results) times: u64,
    pub(in crate::results) trials: u64,
    pub(in crate::results) arms: usize,
}

impl Counts {
    fn defect(self) -> Option<Defect> {
        let (trials, passed) = (self.trials, self.passed);
        let (text, (times, arms)) = self.texts.into_iter().max_by_key(|(_, (times, _))| *times)?;
        let everybody =
            times as f64 >= LEAST_SHARE * trials as f64 && arms.len() >= LEAST_ARMS && passed == 0;
        everybody.then_some(Defect { text, times, trials, arms: arms.len() })
    }
}

/// The tasks of an import that nobody can pass, each with the error that everybody gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskDefects(BTreeMap<TaskId, Defect>);

impl TaskDefects {
    pub(in crate::results) fn iter(&self) -> impl Iterator<Item = (&TaskId, &Defect)> {
        self.0.iter()
    }

    /// The tasks.
    pub fn tasks(&self) -> impl Iterator<Item = &TaskId> {
        self.0.keys()
    }

    /// Judges a trial of such a task anew: what was a suspicion in each of them is certain in all. Says whether its facts changed.
    pub fn amend(&self, record: &mut TrialRecord) -> bool {
        let Some(defect) = self.0.get(&record.facts.key.task) else { return false };
        let mut changed = false;
        let clues = record.facts.source.iter_mut().flat_map(|source| &mut source.clues);
        for clue in
            clues.filter(|clue| clue.kind == ClueKind::TaskDefect && clue.evidence.reading == defect.text)
        {
            clue.confidence = Confidence::High;
            clue.evidence.says = format!(
                "the same error in {} of {} trials of this task, in {} arms: nobody can pass",
                defect.times, defect.trials, defect.arms
            );
            changed = true;
        }
        if changed {
            record.classification = classify(&record.facts, &Context::default());
        }
        changed
    }
}
