//! The host while the trial ran.

use super::Column;
use crate::exports::cell::reading;
use crate::exports::column::Kind::{Number, Whole};

pub(super) const COLUMNS: &[Column] = &[
    Column::measured(
        "host_cpu_pressure_share",
        Number,
        "Share of the time during which some task on the host waited for a CPU, 0 to 1.",
        |row| reading(&row.facts().host.cpu_pressure_share),
    ),
    Column::measured("host_memory_pressure_share", Number, "The same for memory.", |row| {
        reading(&row.facts().host.memory_pressure_share)
    }),
    Column::measured("host_io_pressure_share", Number, "The same for I/O.", |row| {
        reading(&row.facts().host.io_pressure_share)
    }),
    Column::measured(
        "host_steal_share",
        Number,
        "Share of CPU time that the hypervisor gave to others.",
        |row| reading(&row.facts().host.steal_share),
    ),
    Column::measured("host_load_1m", Number, "Load average over one minute, at the end.", |row| {
        reading(&row.facts().host.load_1m)
    }),
    Column::measured(
        "host_memory_available_min_bytes",
        Whole,
        "The lowest memory that was available.",
        |row| reading(&row.facts().host.memory_available_min_bytes),
    ),
    Column::new(
        "concurrent_trials",
        Whole,
        "The most trials of the sweep at once, this one included. For trials of other harnesses, what they were told to do.",
        |row| {
            let told = row.facts().source.as_ref().and_then(|source| source.concurrency);
            let seen = row.facts().host.concurrent_trials;
            (if seen > 0 { Some(seen) } else { told }).into()
        },
    ),
];
