//! What an engine really holds, read back after it was set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::resources::KillScope;

/// How far one promise is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// The kernel holds it; the knob was read back and said so.
    ByKernel {
        /// The file or field, as in `memory.limit_in_bytes`.
        knob: String,
        /// What it said when read back.
        value: String,
    },
    /// Something tries, but gives no guarantee (weights, soft limits, admission alone).
    BestEffort {
        /// The file, field or mechanism.
        knob: String,
        /// What it said when read back.
        value: String,
    },
    /// Nothing holds it.
    NotAtAll {
        /// Why not.
        why: String,
    },
    /// Nothing was asked for, so nothing is held.
    NotAsked,
    /// It follows from a foreign harness's configuration and its back end's habits; nobody read it back.
    Inferred {
        /// The file, field or mechanism.
        knob: String,
        /// What it must have been.
        value: String,
        /// What that follows from.
        from: String,
    },
    /// Whether anything holds it cannot be known.
    NotKnown {
        /// Why not.
        why: String,
    },
}

impl Held {
    /// For records from before a promise could be asked for.
    fn not_asked() -> Self {
        Self::NotAsked
    }

    /// Whether the kernel holds it.
    #[must_use]
    pub fn by_kernel(&self) -> bool {
        matches!(self, Self::ByKernel { .. })
    }
}

/// Requested, effective and observed are three things; this is *effective*, as read back from the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Enforcement {
    /// The guaranteed memory.
    pub memory_floor: Held,
    /// The memory cut-off.
    pub memory_ceiling: Held,
    /// Whether swap is closed, so that the memory ceiling is one.
    pub swap_closed: Held,
    /// The guaranteed CPU.
    pub cpu_floor: Held,
    /// The CPU cut-off.
    pub cpu_ceiling: Held,
    /// The limit on processes and threads.
    pub pids_ceiling: Held,
    /// The limit on disk space.
    pub storage_ceiling: Held,
    /// The limits on how fast disks are read and written.
    #[serde(default = "Held::not_asked")]
    pub disk_rate: Held,
    /// What dies when memory runs over, as the engine really does it.
    pub kill_scope: KillScope,
    /// Who or what does that killing.
    pub kill_scope_held: Held,
    /// Things that this host or this user could not be made to do, each with its reason.
    pub gaps: Vec<String>,
}

impl Enforcement {
    /// An engine that holds nothing, for the given reason.
    #[must_use]
    pub fn nothing(why: &str) -> Self {
        Self::all(&Held::NotAtAll { why: why.to_owned() })
    }

    /// A trial of which nobody knows what was held, for the given reason.
    #[must_use]
    pub fn not_known(why: &str) -> Self {
        Self::all(&Held::NotKnown { why: why.to_owned() })
    }

    fn all(held: &Held) -> Self {
        let none = || held.clone();
        Self {
            memory_floor: none(),
            memory_ceiling: none(),
            swap_closed: none(),
            cpu_floor: none(),
            cpu_ceiling: none(),
            pids_ceiling: none(),
            storage_ceiling: none(),
            disk_rate: none(),
            kill_scope: KillScope::Process,
            kill_scope_held: none(),
            gaps: Vec::new(),
        }
    }
}
