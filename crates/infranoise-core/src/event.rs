//! The events of a sweep: what the journal holds, what a progress bar and a live page listen to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Attempt, HostFingerprint, Phase, SandboxId, TrialKey, TrialRecord};

/// The version of the journal's lines.
///
/// * 1: first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct JournalVersion(pub u32);

/// The version that this program writes.
pub const JOURNAL_VERSION: JournalVersion = JournalVersion(1);

/// Something that happened in a sweep. Additive only: a reader skips kinds that it does not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A process began or resumed the sweep.
    SweepStarted {
        /// When, in milliseconds since 1970 (UTC).
        at_ms: u64,
        /// SHA-256 of `plan.json`.
        plan_sha256: String,
        /// The host.
        host: Box<HostFingerprint>,
        /// How many trials may run at once.
        concurrency: u32,
        /// How many trials were already recorded.
        resumed: u64,
    },
    /// A trial was given its sandbox.
    TrialStarted {
        /// When, in milliseconds since 1970 (UTC).
        at_ms: u64,
        /// Which trial.
        key: TrialKey,
        /// Which execution of it.
        attempt: Attempt,
        /// The sandbox's name.
        sandbox: SandboxId,
        /// How long it waited for room, in milliseconds.
        waited_ms: u64,
    },
    /// A phase began.
    PhaseStarted {
        /// When, in milliseconds since 1970 (UTC).
        at_ms: u64,
        /// Which trial.
        key: TrialKey,
        /// Which phase.
        phase: Phase,
    },
    /// A trial ended; its record is the result.
    TrialEnded {
        /// When, in milliseconds since 1970 (UTC).
        at_ms: u64,
        /// The record.
        record: Box<TrialRecord>,
    },
    /// A trial was in flight when its process died; it is not a result and will be done again.
    TrialLost {
        /// When this was noticed, in milliseconds since 1970 (UTC).
        at_ms: u64,
        /// Which trial.
        key: TrialKey,
        /// Which execution of it.
        attempt: Attempt,
    },
    /// The process stopped.
    SweepStopped {
        /// When, in milliseconds since 1970 (UTC).
        at_ms: u64,
        /// Why.
        reason: StopReason,
    },
}

/// Why a process stopped working on a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Every planned trial is recorded.
    Complete,
    /// A person stopped it.
    Interrupted,
    /// Too many infrastructure errors.
    InfraLimit {
        /// The rate and the limit, in words.
        says: String,
    },
    /// The journal could not be written.
    StoreFailed {
        /// The error.
        says: String,
    },
}
