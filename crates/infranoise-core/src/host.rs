//! The machine: a fingerprint without names or addresses, and its state while a trial ran.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Bytes;
use crate::evidence::Observed;

/// Which control groups a host has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CgroupMode {
    /// Version 1 controllers alone.
    V1,
    /// Version 1 controllers, with an empty version 2 tree beside them.
    Hybrid,
    /// Version 2.
    V2,
    /// None that can be used.
    Absent,
}

/// What kind of machine it was. Holds no host name, address or raw machine id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostFingerprint {
    /// A hash of the machine id: the same machine or not.
    pub machine_hash: Observed<String>,
    /// The boot id: the same boot or not.
    pub boot_id: Observed<String>,
    /// The kernel release.
    pub kernel: String,
    /// The processor's name.
    pub cpu_model: Observed<String>,
    /// Processors that are online.
    pub cpus: u32,
    /// A hash of the processor's flags.
    pub cpu_flags_hash: Observed<String>,
    /// Memory in bytes.
    pub memory_bytes: Bytes,
    /// Swap in bytes.
    pub swap_bytes: Bytes,
    /// Which control groups there are.
    pub cgroup_mode: CgroupMode,
    /// Whether pressure stall information is on.
    pub pressure: bool,
    /// Whether a hypervisor is beneath.
    pub hypervisor: bool,
    /// Overcommit, swappiness, huge pages, clock source, root file system and the like, by name.
    pub settings: std::collections::BTreeMap<String, String>,
}

impl HostFingerprint {
    /// A host of which nothing was recorded: its sizes are unknown and therefore 0, which [`Self::is_recorded`] tells from a number.
    #[must_use]
    pub fn not_recorded() -> Self {
        Self {
            machine_hash: Observed::default(),
            boot_id: Observed::default(),
            kernel: "not recorded".to_owned(),
            cpu_model: Observed::default(),
            cpus: 0,
            cpu_flags_hash: Observed::default(),
            memory_bytes: Bytes(0),
            swap_bytes: Bytes(0),
            cgroup_mode: CgroupMode::Absent,
            pressure: false,
            hypervisor: false,
            settings: std::collections::BTreeMap::new(),
        }
    }

    /// Whether anything is known of the host.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.cpus > 0
    }
}

/// The host while a trial ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostWindow {
    /// Share of the time during which some task on the host waited for a CPU, 0 to 1.
    pub cpu_pressure_share: Observed<f64>,
    /// Share of the time during which some task on the host waited for memory, 0 to 1.
    pub memory_pressure_share: Observed<f64>,
    /// Share of the time during which some task on the host waited for I/O, 0 to 1.
    pub io_pressure_share: Observed<f64>,
    /// Share of CPU time that the hypervisor gave to others, 0 to 1.
    pub steal_share: Observed<f64>,
    /// Load average over one minute at the end.
    pub load_1m: Observed<f64>,
    /// The lowest memory that was available, in bytes.
    pub memory_available_min_bytes: Observed<Bytes>,
    /// The most trials of this sweep at once, this one included.
    pub concurrent_trials: u32,
}
