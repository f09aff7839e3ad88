//! Trials in their places: arms, tasks and repeats as they come, one trial in memory at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use infranoise_core::{
    Allocation, ArmId, Context, PlannedTask, Subject, TaskId, TrialKey, TrialRecord, classify,
};
use sha2::{Digest, Sha256};

use super::defects::Defects;
use super::draft::{Draft, TaskDraft};
use super::import::ImportEvent;
use super::loss::Losses;
use super::name;
use super::side::Side;

/// A table may number its repeats; a number that is no replicate must not make a plan of millions.
const MOST_REPEATS: u32 = 100_000;

/// An arm of the collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::results) struct ArmNumber(usize);

pub(in crate::results) struct ArmState {
    pub(in crate::results) id: ArmId,
    pub(in crate::results) subject: Subject,
    pub(in crate::results) settings: BTreeMap<String, BTreeSet<String>>,
    /// Trials that were read.
    pub(in crate::results) read: BTreeMap<TaskId, u32>,
    /// Trials that the source planned.
    pub(in crate::results) planned: BTreeMap<TaskId, u32>,
    pub(in crate::results) allocations: BTreeMap<TaskId, Allocation>,
}

/// Takes trials from importers, gives each its key and its verdict, and hands it on.
pub(in crate::results) struct Collector<'e> {
    each: &'e mut dyn FnMut(ImportEvent),
    pub(in crate::results) arms: Vec<ArmState>,
    arm_numbers: HashMap<(String, Subject), ArmNumber>,
    pub(in crate::results) tasks: Vec<PlannedTask>,
    task_numbers: HashMap<TaskId, usize>,
    /// Hashes of the source's ids.
    seen: HashSet<[u8; 16]>,
    trials: u64,
    pub(in crate::results) warnings: BTreeSet<String>,
    pub(in crate::results) defects: Defects,
    /// By task: what lies beside results that another importer reads.
    sides: HashMap<String, Side>,
    /// The importers that have something to read in this import.
    importers: Vec<&'static str>,
    /// Folders that a person named as holding the tasks' files.
    pub(in crate::results) task_folders: Vec<PathBuf>,
    /// What could not be read.
    pub(in crate::results) losses: Losses,
}

impl<'e> Collector<'e> {
    pub(in crate::results) fn new(
        importers: Vec<&'static str>,
        each: &'e mut dyn FnMut(ImportEvent),
    ) -> Self {
        Self {
            each,
            arms: Vec::new(),
            arm_numbers: HashMap::new(),
            tasks: Vec::new(),
            task_numbers: HashMap::new(),
            seen: HashSet::new(),
            trials: 0,
            warnings: BTreeSet::new(),
            defects: Defects::default(),
            sides: HashMap::new(),
            importers,
            task_folders: Vec::new(),
            losses: Losses::default(),
        }
    }

    /// Says how far the import is.
    pub(in crate::results) fn tell(&mut self, event: ImportEvent) {
        (self.each)(event);
    }

    /// Whether results of this importer are part of the import.
    pub(in crate::results) fn expects(&self, importer: &str) -> bool {
        self.importers.contains(&importer)
    }

    /// Keeps what lies beside the results of a task.
    pub(in crate::results) fn keep_side(&mut self, task: String, side: Side) {
        self.sides.insert(task, side);
    }

    /// What lies beside the results of a task.
    pub(in crate::results) fn side(&self, task: &str) -> Option<Side> {
        self.sides.get(task).cloned()
    }

    /// How many trials were taken.
    pub(in crate::results) fn trials(&self) -> u64 {
        self.trials
    }

    /// The arm of this name and subject; the same name with another subject is another arm.
    pub(in crate::results) fn arm(&mut self, label: &str, subject: &Subject) -> ArmNumber {
        let key = (label.to_owned(), subject.clone());
        if let Some(known) = self.arm_numbers.get(&key) {
            return *known;
        }
        let mut id = name::arm_id(label);
        if self.taken(&id) {
            id = name::arm_id(&format!("{label}.{}", subject_words(subject)));
        }
        let mut number = 2;
        while self.taken(&id) {
            id = name::arm_id(&format!("{label}.{number}"));
            number += 1;
        }
        let arm = ArmNumber(self.arms.len());
        self.arms.push(ArmState {
            id,
            subject: subject.clone(),
            settings: BTreeMap::new(),
            read: BTreeMap::new(),
            planned: BTreeMap::new(),
            allocations: BTreeMap::new(),
        });
        self.arm_numbers.insert(key, arm);
        arm
    }

    fn taken(&self, id: &ArmId) -> bool {
        self.arms.iter().any(|arm| arm.id == *id)
    }

    /// Notes what the source says of an arm's configuration.
    pub(in crate::results) fn setting(&mut self, arm: ArmNumber, key: &str, value: impl Into<String>) {
        self.arms[arm.0].settings.entry(key.to_owned()).or_default().insert(value.into());
    }

    /// Notes that the source planned so many more trials of a task.
    pub(in crate::results) fn planned(&mut self, arm: ArmNumber, task: &TaskDraft, trials: u32) {
        let id = self.task(task);
        *self.arms[arm.0].planned.entry(id).or_insert(0) += trials;
    }

    /// Something that a person should know before believing the result.
    pub(in crate::results) fn warn(&mut self, says: impl Into<String>) {
        self.warnings.insert(says.into());
    }

    /// Takes a trial, unless one of the same id was taken before.
    pub(in crate::results) fn trial(&mut self, arm: ArmNumber, draft: Draft) {
        if let Some(id) = &draft.id {
            let mut hash = [0; 16];
            hash.copy_from_slice(&Sha256::digest(id.as_bytes())[..16]);
            if !self.seen.insert(hash) {
                self.losses.add(
                    &*draft.source.file,
                    "id",
                    format!("a copy of trial {id}, which was read before"),
                );
                return;
            }
        }
        let task = self.task(&draft.task);
        let state = &mut self.arms[arm.0];
        if let Some(allocation) = draft.effective.allocation {
            state.allocations.entry(task.clone()).or_insert(allocation);
        }
        let count = state.read.entry(task.clone()).or_insert(0);
        // Numbers of the source hold, so that attempts stay with their trial; without, trials are counted as they come.
        let repeat = draft.repeat.filter(|repeat| *repeat < MOST_REPEATS).unwrap_or(*count);
        *count = (*count).max(repeat + 1);
        let key =
            TrialKey { arm: state.id.clone(), subject: state.subject.clone(), task: task.clone(), repeat };
        let number = self.task_numbers.get(&task).copied().unwrap_or(0) as u64;
        let block = number << 32 | u64::from(key.repeat);
        let facts = draft.into_facts(key, self.trials, block);
        self.trials += 1;
        let classification = classify(&facts, &Context::default());
        let record = TrialRecord { facts, classification };
        self.defects.count(arm, &record);
        (self.each)(ImportEvent::Trial(Box::new(record)));
    }

    /// Takes a whole record of ours as it is; only its arm may get another name, where two subjects share one.
    pub(in crate::results) fn record(&mut self, mut record: TrialRecord) {
        let facts = &mut record.facts;
        let arm = self.arm(facts.key.arm.as_str(), &facts.key.subject);
        let task = TaskDraft {
            name: facts.key.task.to_string(),
            source: facts.engine.clone(),
            spec: facts.spec,
            ..TaskDraft::default()
        };
        let task = self.task(&task);
        let state = &mut self.arms[arm.0];
        facts.key.arm = state.id.clone();
        let count = state.read.entry(task.clone()).or_insert(0);
        *count = (*count).max(facts.key.repeat.min(MOST_REPEATS) + 1);
        if let Some(allocation) = facts.allocation {
            state.allocations.entry(task).or_insert(allocation);
        }
        self.trials += 1;
        (self.each)(ImportEvent::Trial(Box::new(record)));
    }

    fn task(&mut self, draft: &TaskDraft) -> TaskId {
        let id = name::task_id(&draft.name);
        let digest = draft.digest.clone().unwrap_or_default();
        match self.task_numbers.get(&id) {
            Some(number) => {
                let known = &mut self.tasks[*number];
                if known.digest.is_empty() {
                    known.digest = digest;
                } else if !digest.is_empty() && digest != known.digest {
                    self.warnings.insert(format!(
                        "task {id} occurs in several versions: its trials are not of one task"
                    ));
                }
            }
            None => {
                if id.as_str() != draft.name {
                    self.losses.add(
                        &*draft.source,
                        "task name",
                        format!("`{}` cannot be a name here: it is {id}", draft.name.escape_debug()),
                    );
                }
                self.task_numbers.insert(id.clone(), self.tasks.len());
                self.tasks.push(PlannedTask {
                    id: id.clone(),
                    source: draft.source.clone(),
                    digest,
                    spec: draft.spec,
                    labels: draft.labels.clone(),
                });
            }
        }
        id
    }
}

fn subject_words(subject: &Subject) -> String {
    let model = subject.model.as_deref().map(|model| model.rsplit('/').next().unwrap_or(model));
    match model {
        Some(model) => format!("{}.{model}", subject.agent),
        None => subject.agent.clone(),
    }
}
