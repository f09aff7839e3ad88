//! What happened in a trial, as facts: stops of phases, commands, resource events, the reward. Nobody is blamed here.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, Observed};
use crate::{Bytes, Cause, ExecId, Phase, Resource};

/// Who sent a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignalSender {
    /// The kernel's out-of-memory killer.
    OomKiller,
    /// infranoise, at a deadline or for the kill scope.
    Infranoise,
    /// Something inside the sandbox.
    Inside,
    /// Not known.
    Unknown,
}

/// How a phase or a command ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It ended by itself with an exit code.
    Exited {
        /// 0 to 255.
        code: i32,
    },
    /// A signal ended it.
    Signalled {
        /// The signal's number.
        signal: i32,
        /// Who sent it.
        by: SignalSender,
    },
    /// Its wall-clock limit passed; infranoise ended it.
    Deadline {
        /// The limit in milliseconds.
        limit_ms: u64,
    },
    /// The sandbox was ended with it: the kill scope was wider than the command.
    SandboxEnded {
        /// The resource whose ceiling ended it.
        resource: Resource,
    },
    /// It could not be carried out, for a reason outside the sandbox's own programs.
    Failed {
        /// What went wrong.
        cause: Cause,
        /// What the engine said.
        message: String,
    },
    /// A person stopped the sweep.
    Interrupted,
}

impl Stop {
    /// Whether it ended by itself with exit code 0.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        matches!(self, Self::Exited { code: 0 })
    }
}

/// One phase: when it ran, its limit and how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseRecord {
    /// Which phase.
    pub phase: Phase,
    /// Start, in milliseconds since the trial began.
    pub started_ms: u64,
    /// End, in milliseconds since the trial began.
    pub ended_ms: u64,
    /// How it ended.
    pub stop: Stop,
}

/// One command inside the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExecRecord {
    /// Its number in the sandbox.
    pub id: ExecId,
    /// The phase that it belongs to.
    pub phase: Phase,
    /// What was run, shortened to 200 characters.
    pub command: String,
    /// Start, in milliseconds since the trial began.
    pub started_ms: u64,
    /// End, in milliseconds since the trial began.
    pub ended_ms: u64,
    /// How it ended.
    pub stop: Stop,
    /// The kernel's memory peak of the command's own control group.
    pub memory_peak_bytes: Observed<Bytes>,
    /// CPU time used, in microseconds.
    pub cpu_us: Observed<u64>,
    /// Processes of this command that the out-of-memory killer ended.
    pub oom_kills: Observed<u64>,
    /// Forks that the pids ceiling refused while the command ran.
    pub pids_refused: Observed<u64>,
}

/// Whose memory limit an out-of-memory kill was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OomScope {
    /// The trial's own ceiling.
    Own,
    /// A limit above the trial's (an ancestor group), or the host itself.
    Host,
    /// A kill happened, but whose limit it was about is not known.
    Unknown,
}

/// What kind of resource event it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResourceEventKind {
    /// The out-of-memory killer, or infranoise in its place, ended something.
    OomKill {
        /// Whose limit it was about.
        scope: OomScope,
        /// The victim's program, where the kernel log could be read.
        victim: Option<String>,
        /// The victim's resident memory in bytes, where the kernel log could be read.
        victim_rss_bytes: Option<Bytes>,
        /// How many processes were ended.
        kills: u64,
        /// Whether the whole sandbox was ended.
        ended_trial: bool,
    },
    /// The pids ceiling refused forks.
    PidsRefused {
        /// How many.
        count: u64,
    },
    /// The trial's own storage ceiling refused writes: its space was full.
    StorageRefused {
        /// How often it was found full, having been less full before.
        count: u64,
    },
    /// The host's disk, where the trial's files lie, was full: nothing that the trial itself was held to.
    HostDiskFull {
        /// What was left, at the least.
        free_bytes: Bytes,
    },
    /// The CPU ceiling throttled.
    Throttled {
        /// For how long, in microseconds.
        throttled_us: u64,
    },
    /// A memory floor was not kept.
    FloorBreached {
        /// How often.
        count: u64,
    },
}

/// Something that a ceiling, a floor or the host did to a trial, whether the trial survived it or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceEvent {
    /// When, in milliseconds since the trial began; for counters read at a command's end, that end.
    pub at_ms: u64,
    /// In which phase.
    pub phase: Phase,
    /// In which command, where that is known.
    pub exec: Option<ExecId>,
    /// What happened.
    pub kind: ResourceEventKind,
    /// What shows it.
    pub evidence: Evidence,
}

/// What the verifier left behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reward {
    /// A reward by name; a single number is called `reward`.
    Given {
        /// All values.
        values: BTreeMap<String, f64>,
        /// `reward.json` or `reward.txt`.
        source: String,
    },
    /// The verifier ended and left no reward file.
    Missing,
    /// The verifier left something that is no reward.
    Garbled {
        /// Why not.
        why: String,
        /// The beginning of what it left.
        excerpt: String,
    },
    /// The verifier did not run to an end.
    NotGraded,
}

impl Reward {
    /// The main value: the one called `reward`, or the only one.
    #[must_use]
    pub fn main(&self) -> Option<f64> {
        let Self::Given { values, .. } = self else { return None };
        let only = if values.len() == 1 { values.values().next() } else { None };
        values.get("reward").or(only).copied()
    }

    /// Whether the task counts as solved: the main value is at least 1.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.main().is_some_and(|value| value >= 1.0)
    }
}

/// The facts of a trial's course. A trial that timed out can pass: facts are kept apart from verdicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Each phase that was begun, in order.
    pub phases: Vec<PhaseRecord>,
    /// Each command that was run inside, in order.
    pub execs: Vec<ExecRecord>,
    /// What ceilings, floors and the host did to it.
    pub events: Vec<ResourceEvent>,
    /// What the verifier left behind.
    pub reward: Reward,
    /// Whether daemons that the agent started lived on into grading.
    pub daemons_kept: bool,
}

impl Outcome {
    /// The record of a phase, if it was begun.
    #[must_use]
    pub fn phase(&self, phase: Phase) -> Option<&PhaseRecord> {
        self.phases.iter().find(|record| record.phase == phase)
    }

    /// Whether the agent phase was begun: the denominator of every error rate.
    #[must_use]
    pub fn agent_started(&self) -> bool {
        self.phase(Phase::Agent).is_some()
    }
}
