//! What ended or bent a trial.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The proximate cause of how a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Solved: there is nothing to explain.
    Solved,
    /// The agent ended by itself and its answer is wrong.
    WrongAnswer,
    /// The agent's program ended with an error of its own.
    AgentError,
    /// The agent's program was ended by a signal from inside the sandbox.
    AgentKilledItself,
    /// The wall-clock limit passed.
    TimeOut,
    /// The wall-clock limit passed while the trial's own CPU ceiling held it back.
    Throttled,
    /// The wall-clock limit passed while the guaranteed CPU was not delivered.
    CpuStarved,
    /// Out of memory at the trial's own ceiling.
    Oom,
    /// Out of memory of the host.
    HostOom,
    /// No further process allowed.
    Pids,
    /// The trial's own storage ceiling.
    StorageCeiling,
    /// The host's disk is full.
    DiskFull,
    /// Evicted by its node.
    Eviction,
    /// Preempted by something more important.
    Preemption,
    /// The node went away.
    NodeLost,
    /// No node would take it.
    Unschedulable,
    /// The image could not be fetched.
    ImagePull,
    /// The image could not be built.
    BuildFailed,
    /// The sandbox could not be started.
    StartFailed,
    /// Set-up inside the sandbox failed.
    SetupFailed,
    /// The agent could not be installed.
    AgentInstall,
    /// The network failed.
    Network,
    /// A name could not be resolved.
    Dns,
    /// The model API said to slow down.
    ApiRateLimit,
    /// The model API failed.
    ApiError,
    /// The model API stopped answering.
    ApiStall,
    /// The verifier ended without a verdict.
    VerifierBroken,
    /// The verifier's wall-clock limit passed.
    VerifierTimeOut,
    /// The verifier left no reward file.
    RewardMissing,
    /// The verifier left something that is no reward.
    RewardGarbled,
    /// The sandbox was gone.
    SandboxGone,
    /// The engine failed.
    EngineError,
    /// A person stopped the sweep.
    Interrupted,
    /// Not known.
    Unknown,
}
