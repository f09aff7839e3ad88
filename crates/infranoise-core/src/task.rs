//! What a task recommends: the 1x value of each resource.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bytes, MilliCpu};

/// A value that a task file may or may not state. "Not stated" is not a number: what 1x then means is for the person who sweeps to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stated<T> {
    /// The task file says so.
    Value(T),
    /// The task file is silent.
    #[default]
    NotStated,
}

impl<T: Copy> Stated<T> {
    /// The stated value, or else the assumed one.
    pub fn or(self, assumed: Option<T>) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::NotStated => assumed,
        }
    }
}

/// What the task file recommends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// Memory in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: Stated<Bytes>,
    /// CPU in thousandths of one.
    #[serde(rename = "cpu_millicpu")]
    pub cpu: Stated<MilliCpu>,
    /// Disk in bytes.
    #[serde(rename = "storage_bytes")]
    pub storage: Stated<Bytes>,
    /// Processes and threads.
    pub pids: Stated<u32>,
    /// Time for start and set-up, in milliseconds.
    pub start_limit_ms: Stated<u64>,
    /// Time for the agent, in milliseconds.
    pub agent_limit_ms: Stated<u64>,
    /// Time for the verifier, in milliseconds.
    pub verifier_limit_ms: Stated<u64>,
}
