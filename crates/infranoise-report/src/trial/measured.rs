//! What was measured while a trial ran.

use std::collections::BTreeMap;

use infranoise_core::{Bytes, Observed, TrialRecord};

use super::{Page, say};
use crate::text::{clean, number, time};

/// A reading by name: in words, or why it is missing.
type Reading = (&'static str, Result<String, String>);

fn read<T>(name: &'static str, reading: &Observed<T>, say: impl Fn(&T) -> String) -> Reading {
    let text = say::observed(reading, say);
    (name, if reading.value().is_some() { Ok(text) } else { Err(text) })
}

/// What was read, one a line; what is missing, together by reason.
fn readings(page: &mut Page, readings: Vec<Reading>) {
    let mut missing: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut seen = Vec::new();
    for (name, reading) in readings {
        match reading {
            Ok(text) => seen.push((name, text)),
            Err(why) => missing.entry(why).or_default().push(name),
        }
    }
    page.pairs(&seen);
    for (why, names) in missing {
        page.says(&format!("{why}: {}", names.join(" · ")), "  ");
    }
}

pub(super) fn trial(record: &TrialRecord, page: &mut Page) {
    let seen = &record.facts.telemetry;
    page.heading("Measured");
    let micros = |name, reading: &Observed<u64>| read(name, reading, say::micros);
    let size = |name, reading: &Observed<u64>| read(name, reading, |n| Bytes(*n).to_string());
    let list = vec![
        read("memory peak with page cache", &seen.memory_peak_bytes, say::bytes),
        read("peak of memory that cannot be reclaimed", &seen.nonreclaimable_peak_bytes, say::bytes),
        micros("CPU used", &seen.cpu_us),
        micros("throttled by its own ceiling", &seen.throttled_us),
        micros("throttled in the agent phase", &seen.agent_throttled_us),
        micros("some task waited for a CPU", &seen.cpu_pressure_us),
        micros("contention (that, less own throttling)", &seen.contention_us),
        micros("contention in the agent phase", &seen.agent_contention_us),
        micros("all tasks waited for memory", &seen.memory_pressure_us),
        micros("some task waited for I/O", &seen.io_pressure_us),
        read("most processes and threads at once", &seen.pids_peak, say::count),
        read("most disk space in use", &seen.storage_peak_bytes, say::bytes),
        size("read from disks", &seen.disk_read_bytes),
        size("written to disks", &seen.disk_written_bytes),
        size("received", &seen.network_received_bytes),
        size("sent", &seen.network_sent_bytes),
        read("page faults that waited for a disk", &seen.major_faults, say::count),
    ];
    readings(page, list);
    let samples = number::plural(u64::from(seen.samples), "sample");
    let gap = time::duration(u64::from(seen.longest_gap_ms));
    page.says(&format!("{samples}, one every {} ms, longest gap {gap}", seen.interval_ms), "  ");
}

pub(super) fn host(record: &TrialRecord, page: &mut Page) {
    let host = &record.facts.host;
    page.heading("The host meanwhile");
    let share = |name, reading: &Observed<f64>| read(name, reading, say::share);
    let list = vec![
        share("some task waited for a CPU", &host.cpu_pressure_share),
        share("some task waited for memory", &host.memory_pressure_share),
        share("some task waited for I/O", &host.io_pressure_share),
        share("CPU time given to other guests", &host.steal_share),
        read("load over one minute", &host.load_1m, |load| number::fixed(*load, 2)),
        read("lowest memory that was available", &host.memory_available_min_bytes, say::bytes),
        ("trials of this sweep at once", Ok(number::count(u64::from(host.concurrent_trials)))),
    ];
    readings(page, list);
}

pub(super) fn strategy(record: &TrialRecord, page: &mut Page) {
    let strategy = &record.facts.strategy;
    if strategy.named.is_empty() && strategy.packages.is_empty() && strategy.heaviest.is_empty() {
        return;
    }
    page.heading("Strategy");
    page.pairs(&[("named", strategy.named.join(" > ")), ("packages", strategy.packages.join(", "))]);
    for command in &strategy.heaviest {
        let peak = say::observed(&command.memory_peak_bytes, say::bytes);
        let cpu = say::observed(&command.cpu_us, say::micros);
        let text =
            format!("{}: {peak}, {cpu}, {}", clean::short(&command.command, 120), say::stop(&command.stop));
        page.says(&text, "  heavy  ");
    }
}

pub(super) fn usage(record: &TrialRecord, page: &mut Page) {
    let usage = &record.facts.usage;
    let tokens = [&usage.tokens_in, &usage.tokens_cached, &usage.tokens_out];
    if tokens.iter().all(|reading| reading.value().is_none()) && usage.cost_usd.value().is_none() {
        return;
    }
    page.heading("Usage");
    page.pairs(&[
        ("tokens in", say::observed(&usage.tokens_in, say::count)),
        ("of them cached", say::observed(&usage.tokens_cached, say::count)),
        ("tokens out", say::observed(&usage.tokens_out, say::count)),
        ("cost", say::observed(&usage.cost_usd, |usd| format!("{} US dollars", number::fixed(*usd, 4)))),
    ]);
}
