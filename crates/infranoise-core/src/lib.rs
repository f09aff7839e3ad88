//! What is a trial?
//!
//! The vocabulary of infranoise as types, and the one decision that everything else rests on: [`classify()`], which says whom a
//! trial's failure is to be blamed on and with what evidence.
//!
//! Deliberately absent: files, clocks, randomness, async, engines. Time and seed are parameters; whatever is read from a kernel, a
//! daemon or a foreign result file arrives here as plain values.

mod arm;
pub mod classify;
mod enforcement;
mod event;
mod evidence;
mod facts;
mod host;
mod ids;
mod outcome;
mod phase;
mod plan;
mod policy;
mod resources;
mod scoring;
mod source;
mod task;
mod telemetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod units;

pub use arm::{AgentPlacement, Arm, Factor as ArmFactor, PageCache, Visible};
pub use classify::{
    ApiAtDeadline, Blame, Cause, Classification, Context, HostAtKill, Qualification, Rule, RuleId, Verdict,
    classify,
};
pub use enforcement::{Enforcement, Held};
pub use event::{Event, JOURNAL_VERSION, JournalVersion, StopReason};
pub use evidence::{Evidence, EvidenceState, Observed};
pub use facts::{Attempt, Facts, Provenance, Strategy, StrategyCommand, TrialRecord, Usage};
pub use host::{CgroupMode, HostFingerprint, HostWindow};
pub use ids::{ArmId, BadName, ExecId, SandboxId, Subject, SweepId, TaskId, TrialKey};
pub use outcome::{
    ExecRecord, OomScope, Outcome, PhaseRecord, ResourceEvent, ResourceEventKind, Reward, SignalSender, Stop,
};
pub use phase::Phase;
pub use plan::{
    ImportedArm, ImportedFrom, PLAN_VERSION, Plan, PlanVersion, PlannedArm, PlannedTask, Timing, Window,
};
pub use policy::{
    Allocation, AssumeSpec, BandPolicy, DiskRate, PolicyError, ResourcePolicy, ScaledPolicy, TaskBands,
    TimeLimits,
};
pub use resources::{Amount, Band, BandError, Ceiling, KillScope, Resource};
pub use scoring::{Score, ScoringRule, Shown};
pub use source::{Clue, ClueKind, Confidence, Position, SourceFailure, SourceRecord};
pub use task::{Stated, TaskSpec};
pub use telemetry::{MEMORY_PEAK_SOURCES, TelemetrySummary};
pub use units::{Bytes, Factor, MilliCpu, UnitError};
