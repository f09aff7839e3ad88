//! Arms: the configurations under test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::resources::{Ceiling, KillScope};
use crate::{ArmId, Factor as Multiple, ResourcePolicy};

/// Everything that can differ between arms, or is at least recorded. Closed, so that nothing varies unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// Guaranteed memory.
    MemoryFloor,
    /// The memory cut-off.
    MemoryCeiling,
    /// Guaranteed CPU.
    CpuFloor,
    /// The CPU cut-off.
    CpuCeiling,
    /// The limit on disk space.
    StorageCeiling,
    /// The limit on processes and threads.
    PidsCeiling,
    /// What dies when memory runs over.
    KillScope,
    /// The scale of the wall-clock limits.
    TimeLimit,
    /// How many trials run at once.
    Concurrency,
    /// Network bandwidth.
    EgressBandwidth,
    /// Added latency of the model API.
    ApiLatency,
    /// Whether the sandbox sees the host's size or its limits.
    Visible,
    /// Page cache warm or cold.
    PageCache,
    /// Where the agent itself lives.
    AgentPlacement,
}

impl Factor {
    /// Every factor.
    pub const ALL: [Self; 14] = [
        Self::MemoryFloor,
        Self::MemoryCeiling,
        Self::CpuFloor,
        Self::CpuCeiling,
        Self::StorageCeiling,
        Self::PidsCeiling,
        Self::KillScope,
        Self::TimeLimit,
        Self::Concurrency,
        Self::EgressBandwidth,
        Self::ApiLatency,
        Self::Visible,
        Self::PageCache,
        Self::AgentPlacement,
    ];

    /// The key of this factor in a sweep file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::MemoryFloor => "memory.floor",
            Self::MemoryCeiling => "memory.ceiling",
            Self::CpuFloor => "cpu.floor",
            Self::CpuCeiling => "cpu.ceiling",
            Self::StorageCeiling => "storage",
            Self::PidsCeiling => "pids",
            Self::KillScope => "kill_scope",
            Self::TimeLimit => "time_limit",
            Self::Concurrency => "concurrency",
            Self::EgressBandwidth => "egress",
            Self::ApiLatency => "api_latency",
            Self::Visible => "visible",
            Self::PageCache => "page_cache",
            Self::AgentPlacement => "agent_placement",
        }
    }
}

/// What the sandbox sees of the machine (`/proc/meminfo`, the CPU count).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visible {
    /// The host's size.
    #[default]
    Host,
    /// The trial's limits.
    Limits,
}

/// Whether the files of the task are in the page cache when a trial begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageCache {
    /// As it happens to be; usually warm after the first trial of a task.
    #[default]
    AsFound,
    /// Dropped before each trial.
    Cold,
}

/// Where the agent's own program lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentPlacement {
    /// Inside the trial's control group, as installed agents do.
    #[default]
    Inside,
    /// Beside it: only its commands count.
    Beside,
}

/// One configuration under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Arm {
    /// Its name.
    pub name: ArmId,
    /// What it says about resources.
    pub policy: ResourcePolicy,
    /// What dies when memory runs over its ceiling.
    pub kill_scope: KillScope,
    /// The scale of the wall-clock limits.
    pub time_limit: Ceiling<Multiple>,
    /// What the sandbox sees of the machine.
    #[serde(default)]
    pub visible: Visible,
    /// Page cache.
    #[serde(default)]
    pub page_cache: PageCache,
    /// Where the agent lives.
    #[serde(default)]
    pub agent_placement: AgentPlacement,
}
