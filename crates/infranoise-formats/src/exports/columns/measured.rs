//! What was measured. A null is a reading that nobody could take, never a zero; `partial` names the ones that hold only a part.

use infranoise_core::{EvidenceState, Facts, OomScope, ResourceEventKind};

use super::{Column, columns};
use crate::exports::cell::reading;
use crate::exports::column::Kind::{Bool, Text, Whole};

pub(super) const COLUMNS: &[Column] = &[
    Column::measured(
        "memory_peak_bytes",
        Whole,
        "The kernel's peak of the trial's group, page cache included.",
        |row| reading(&row.facts().telemetry.memory_peak_bytes),
    ),
    Column::new(
        "memory_peak_censored",
        Bool,
        "Whether something was killed at the own memory ceiling, so that the demand is at least the peak. Null where nobody counted.",
        |row| censored(row.facts()).into(),
    ),
    Column::measured(
        "nonreclaimable_peak_bytes",
        Whole,
        "The highest sample of memory that cannot be reclaimed: what a ceiling must hold.",
        |row| reading(&row.facts().telemetry.nonreclaimable_peak_bytes),
    ),
    Column::measured("cpu_us", Whole, "CPU time used, in microseconds.", |row| {
        reading(&row.facts().telemetry.cpu_us)
    }),
    Column::measured("throttled_us", Whole, "How long the CPU ceiling held it back.", |row| {
        reading(&row.facts().telemetry.throttled_us)
    }),
    Column::measured("agent_throttled_us", Whole, "The same, during the agent phase alone.", |row| {
        reading(&row.facts().telemetry.agent_throttled_us)
    }),
    Column::measured(
        "contention_us",
        Whole,
        "CPU pressure minus own throttling: how long others held it back.",
        |row| reading(&row.facts().telemetry.contention_us),
    ),
    Column::measured("agent_contention_us", Whole, "The same, during the agent phase alone.", |row| {
        reading(&row.facts().telemetry.agent_contention_us)
    }),
    Column::measured("cpu_pressure_us", Whole, "How long some task of it waited for a CPU (PSI).", |row| {
        reading(&row.facts().telemetry.cpu_pressure_us)
    }),
    Column::measured(
        "memory_pressure_us",
        Whole,
        "How long all tasks of it waited for memory (PSI).",
        |row| reading(&row.facts().telemetry.memory_pressure_us),
    ),
    Column::measured("io_pressure_us", Whole, "How long some task of it waited for I/O (PSI).", |row| {
        reading(&row.facts().telemetry.io_pressure_us)
    }),
    Column::measured("pids_peak", Whole, "The most processes and threads at once.", |row| {
        reading(&row.facts().telemetry.pids_peak)
    }),
    Column::measured(
        "storage_peak_bytes",
        Whole,
        "The most disk space in use at once, as far as samples saw it.",
        |row| reading(&row.facts().telemetry.storage_peak_bytes),
    ),
    Column::measured("disk_read_bytes", Whole, "Read from disks.", |row| {
        reading(&row.facts().telemetry.disk_read_bytes)
    }),
    Column::measured("disk_written_bytes", Whole, "Written to disks.", |row| {
        reading(&row.facts().telemetry.disk_written_bytes)
    }),
    Column::measured("network_received_bytes", Whole, "Received.", |row| {
        reading(&row.facts().telemetry.network_received_bytes)
    }),
    Column::measured("network_sent_bytes", Whole, "Sent.", |row| {
        reading(&row.facts().telemetry.network_sent_bytes)
    }),
    Column::measured("major_faults", Whole, "Page faults that had to wait for a disk.", |row| {
        reading(&row.facts().telemetry.major_faults)
    }),
    Column::new(
        "partial",
        Text,
        "The columns of this row that hold only a part or a lower bound, separated by spaces.",
        |row| {
            let partial = |column: &&Column| {
                column.reading(row).is_some_and(|reading| reading.state() == EvidenceState::Partial)
            };
            let names: Vec<&str> = columns().filter(partial).map(|column| column.name).collect();
            (!names.is_empty()).then(|| names.join(" ")).into()
        },
    ),
];

fn censored(facts: &Facts) -> Option<bool> {
    let killed = facts
        .outcome
        .events
        .iter()
        .any(|event| matches!(event.kind, ResourceEventKind::OomKill { scope: OomScope::Own, .. }));
    let counted = facts.outcome.execs.iter().any(|exec| exec.oom_kills.value().is_some());
    (killed || counted).then_some(killed)
}
