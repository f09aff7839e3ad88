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

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Solved => "solved",
            Self::WrongAnswer => "wrong answer",
            Self::AgentError => "agent's own error",
            Self::AgentKilledItself => "killed from inside",
            Self::TimeOut => "time-out",
            Self::Throttled => "time-out while throttled",
            Self::CpuStarved => "CPU floor not delivered",
            Self::Oom => "out of memory",
            Self::HostOom => "host out of memory",
            Self::Pids => "no more processes",
            Self::StorageCeiling => "storage ceiling",
            Self::DiskFull => "host disk full",
            Self::Eviction => "eviction",
            Self::Preemption => "preemption",
            Self::NodeLost => "node lost",
            Self::Unschedulable => "unschedulable",
            Self::ImagePull => "image pull",
            Self::BuildFailed => "build failed",
            Self::StartFailed => "start failed",
            Self::SetupFailed => "set-up failed",
            Self::AgentInstall => "agent install",
            Self::Network => "network",
            Self::Dns => "name resolution",
            Self::ApiRateLimit => "API rate limit",
            Self::ApiError => "API error",
            Self::ApiStall => "API stall",
            Self::VerifierBroken => "verifier broken",
            Self::VerifierTimeOut => "verifier time-out",
            Self::RewardMissing => "no reward file",
            Self::RewardGarbled => "garbled reward",
            Self::SandboxGone => "sandbox gone",
            Self::EngineError => "engine error",
            Self::Interrupted => "interrupted",
            Self::Unknown => "unknown",
        })
    }
}
