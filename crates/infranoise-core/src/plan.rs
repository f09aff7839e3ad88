//! The plan of a sweep: everything that was decided before the first trial.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Allocation, Arm, ArmId, AssumeSpec, HostFingerprint, Subject, SweepId, TaskId, TaskSpec, TrialKey,
};

/// The version of `plan.json`.
///
/// * 1: first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PlanVersion(pub u32);

/// The version that this program writes.
pub const PLAN_VERSION: PlanVersion = PlanVersion(1);

/// A task as it stood when the sweep was planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedTask {
    /// Its name.
    pub id: TaskId,
    /// Where it was read from; a bundled task says `bundled`.
    pub source: String,
    /// SHA-256 of its files.
    pub digest: String,
    /// What it recommends.
    pub spec: TaskSpec,
    /// What the task file says about itself, such as `difficulty` and `category`.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// An arm, with its policy already applied to every task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedArm {
    /// The configuration.
    pub arm: Arm,
    /// What it means for each task.
    pub allocations: BTreeMap<TaskId, Allocation>,
    /// Tasks that the policy names no band for, so that they get the spec.
    pub without_band: Vec<TaskId>,
}

/// A window of the day in which blocks may start, in minutes after midnight UTC; an end before the start passes midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// First minute.
    pub from_minute: u16,
    /// First minute after it.
    pub to_minute: u16,
}

/// When blocks may start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// As soon as there is room.
    #[default]
    AtOnce,
    /// Whole blocks at random moments over this span, in milliseconds.
    Spread {
        /// The span.
        over_ms: u64,
    },
    /// Whole blocks in windows of the day, drawn at random.
    Windows(Vec<Window>),
}

/// The plan, written once and hashed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The format's version.
    pub version: PlanVersion,
    /// The sweep's name.
    pub sweep: SweepId,
    /// The program and version that planned it.
    pub made_by: String,
    /// When it was planned, in milliseconds since 1970 (UTC).
    pub planned_at_ms: u64,
    /// Whether this is the bundled demonstration: its report says that the mix of tasks is composed.
    #[serde(default)]
    pub staged: bool,
    /// The tasks.
    pub tasks: Vec<PlannedTask>,
    /// The arms, tightest first as the person gave them; the first is what the others are compared with.
    pub arms: Vec<PlannedArm>,
    /// A second arm that the others are compared with.
    pub reference: Option<ArmId>,
    /// Who is measured.
    pub subject: Subject,
    /// The command of a `command` agent, if it is one.
    #[serde(default)]
    pub agent_command: Option<Vec<String>>,
    /// Replicates of each task in each arm.
    pub repeats: u32,
    /// The seed of order and draws.
    pub seed: u64,
    /// Equivalence margin in percentage points, fixed before the first trial.
    pub margin_pp: f64,
    /// What 1x means where a task states nothing.
    pub assume: AssumeSpec,
    /// The engine.
    pub engine: String,
    /// Where the root file system comes from: `host`, a folder or a tar file.
    pub root: String,
    /// What network sandboxes have: `none` or `host`.
    pub network: String,
    /// Attempts after the first for trials that did not start.
    pub retries_not_started: u32,
    /// Attempts after the first for any fault; scores are then labelled *after retry*.
    pub retries_fault: u32,
    /// When blocks may start.
    pub timing: Timing,
    /// Whether every process of the agent is ended before grading.
    pub quiesce: bool,
    /// The host on which it was planned.
    pub host: HostFingerprint,
    /// Things that the person should know before believing the result.
    pub warnings: Vec<String>,
    /// For results of another harness: where they came from. Nothing of such a plan can be started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedFrom>,
}

/// Where imported trials came from, and what each arm of them really holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedFrom {
    /// The importers that read something, as in `harbor`.
    pub formats: Vec<String>,
    /// What was imported, as given.
    pub sources: Vec<String>,
    /// How many things could not be read; the list lies beside the plan.
    pub losses: u64,
    /// The arms, by name.
    pub arms: BTreeMap<ArmId, ImportedArm>,
}

/// An arm as its source distinguishes it: it may lack tasks, repeats differ, and each may measure someone else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedArm {
    /// Who was measured.
    pub subject: Subject,
    /// How many trials of each task the source planned, or at least holds.
    pub repeats: BTreeMap<TaskId, u32>,
    /// What the source says of the configuration, each with every value that occurs.
    pub settings: BTreeMap<String, Vec<String>>,
}

impl Plan {
    /// Every planned trial, in the order task, repeat, arm (not the order of execution).
    pub fn keys(&self) -> impl Iterator<Item = TrialKey> + '_ {
        self.tasks.iter().flat_map(move |task| {
            (0..self.repeats).flat_map(move |repeat| {
                let planned = move |arm: &&PlannedArm| repeat < self.repeats_of(&arm.arm.name, &task.id);
                self.arms.iter().filter(planned).map(move |arm| TrialKey {
                    arm: arm.arm.name.clone(),
                    subject: self.subject_of(&arm.arm.name).clone(),
                    task: task.id.clone(),
                    repeat,
                })
            })
        })
    }

    /// How many trials are planned.
    #[must_use]
    pub fn planned(&self) -> u64 {
        match &self.imported {
            None => self.tasks.len() as u64 * self.arms.len() as u64 * u64::from(self.repeats),
            Some(imported) => {
                imported.arms.values().flat_map(|arm| arm.repeats.values()).map(|n| u64::from(*n)).sum()
            }
        }
    }

    /// How often a task is repeated in an arm: the same everywhere in a sweep, as the source holds it in an import.
    #[must_use]
    pub fn repeats_of(&self, arm: &ArmId, task: &TaskId) -> u32 {
        match &self.imported {
            None => self.repeats,
            Some(imported) => {
                imported.arms.get(arm).and_then(|arm| arm.repeats.get(task)).copied().unwrap_or(0)
            }
        }
    }

    /// Who is measured in an arm: one subject in a sweep, as the source holds it in an import.
    #[must_use]
    pub fn subject_of(&self, arm: &ArmId) -> &Subject {
        let own = self.imported.as_ref().and_then(|imported| imported.arms.get(arm));
        own.map_or(&self.subject, |arm| &arm.subject)
    }

    /// An arm by name.
    #[must_use]
    pub fn arm(&self, name: &ArmId) -> Option<&PlannedArm> {
        self.arms.iter().find(|arm| &arm.arm.name == name)
    }

    /// A task by name.
    #[must_use]
    pub fn task(&self, id: &TaskId) -> Option<&PlannedTask> {
        self.tasks.iter().find(|task| &task.id == id)
    }
}
