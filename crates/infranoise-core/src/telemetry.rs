//! What was measured while a trial ran, summed up. The samples themselves lie beside the record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Bytes;
use crate::evidence::Observed;

/// The files that a memory peak is read from, by control-group version.
pub const MEMORY_PEAK_SOURCES: [&str; 2] = ["memory.max_usage_in_bytes", "memory.peak"];

/// A trial's use of resources.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TelemetrySummary {
    /// The kernel's peak of the trial's control group: counts page cache, misses nothing.
    pub memory_peak_bytes: Observed<Bytes>,
    /// The highest sample of memory that cannot be reclaimed (anonymous, shared, kernel): what a ceiling must hold.
    pub nonreclaimable_peak_bytes: Observed<Bytes>,
    /// CPU time used, in microseconds.
    pub cpu_us: Observed<u64>,
    /// Time during which the CPU ceiling held the trial back, in microseconds.
    pub throttled_us: Observed<u64>,
    /// Time during which at least one task of the trial waited for a CPU, in microseconds (PSI `cpu some`).
    pub cpu_pressure_us: Observed<u64>,
    /// Time during which all tasks of the trial waited for memory, in microseconds (PSI `memory full`).
    pub memory_pressure_us: Observed<u64>,
    /// Time during which at least one task of the trial waited for I/O, in microseconds (PSI `io some`).
    pub io_pressure_us: Observed<u64>,
    /// CPU pressure minus the trial's own throttling: what others took, in microseconds.
    pub contention_us: Observed<u64>,
    /// The same, during the agent phase alone.
    pub agent_contention_us: Observed<u64>,
    /// Throttling during the agent phase alone, in microseconds.
    pub agent_throttled_us: Observed<u64>,
    /// The most processes and threads at once.
    pub pids_peak: Observed<u64>,
    /// The most disk space in use at once, as far as samples saw it; known where there is a storage ceiling.
    #[serde(default)]
    pub storage_peak_bytes: Observed<Bytes>,
    /// Bytes read from disks.
    pub disk_read_bytes: Observed<u64>,
    /// Bytes written to disks.
    pub disk_written_bytes: Observed<u64>,
    /// Bytes received.
    pub network_received_bytes: Observed<u64>,
    /// Bytes sent.
    pub network_sent_bytes: Observed<u64>,
    /// Page faults that had to wait for a disk.
    pub major_faults: Observed<u64>,
    /// How many samples there are.
    pub samples: u32,
    /// The intended sampling interval, in milliseconds.
    pub interval_ms: u32,
    /// The longest gap between two samples, in milliseconds.
    pub longest_gap_ms: u32,
}
