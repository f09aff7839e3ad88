//! What the task recommends, what was asked, what was held and what was observed: four columns that are never mixed.

use infranoise_core::{Ceiling, Observed, Provenance, Stated, TrialRecord};

use super::{Page, say};
use crate::table::Table;
use crate::text::time;

pub(super) fn section(record: &TrialRecord, page: &mut Page) {
    page.heading("Resources");
    page.table(&table(record));
    held(record, page);
}

fn table(record: &TrialRecord) -> Table {
    let facts = &record.facts;
    let (spec, seen) = (&facts.spec, &facts.telemetry);
    let mut table = Table::new(&["", ">task spec", ">asked: floor", ">asked: ceiling", ">observed"]);
    let asked = |of: fn(&infranoise_core::Allocation) -> (String, String)| {
        facts.allocation.as_ref().map_or(("nothing".to_owned(), "nothing".to_owned()), of)
    };
    let mut row = |name: &str, spec: String, asked: (String, String), observed: String| {
        table.push([name.to_owned(), spec, asked.0, asked.1, observed]);
    };
    let memory = asked(|a| (a.memory.floor().to_string(), a.memory.ceiling().to_string()));
    row(
        "memory",
        say::stated(spec.memory),
        memory,
        format!("{} peak", say::short(&seen.memory_peak_bytes, say::bytes)),
    );
    let cpu = asked(|a| (a.cpu.floor().to_string(), a.cpu.ceiling().to_string()));
    row("CPU", say::stated(spec.cpu), cpu, format!("{} used", say::short(&seen.cpu_us, say::micros)));
    let pids = asked(|a| ("none".to_owned(), a.pids.to_string()));
    row("pids", say::stated(spec.pids), pids, format!("{} peak", say::short(&seen.pids_peak, say::count)));
    let storage = asked(|a| ("none".to_owned(), a.storage.to_string()));
    row(
        "storage",
        say::stated(spec.storage),
        storage,
        match seen.storage_peak_bytes.value() {
            Some(peak) => format!("{peak} peak"),
            None => {
                let written = Observed::map(seen.disk_written_bytes.clone(), infranoise_core::Bytes);
                format!("{} written", say::short(&written, say::bytes))
            }
        },
    );
    let rate = asked(|a| ("none".to_owned(), a.disk_rate.read.to_string()));
    if facts.allocation.as_ref().is_some_and(|a| !a.disk_rate.is_uncapped()) {
        let read = Observed::map(seen.disk_read_bytes.clone(), infranoise_core::Bytes);
        row(
            "reading a second",
            "not stated".to_owned(),
            rate,
            format!("{} read", say::short(&read, say::bytes)),
        );
        let rate = asked(|a| ("none".to_owned(), a.disk_rate.written.to_string()));
        let written = Observed::map(seen.disk_written_bytes.clone(), infranoise_core::Bytes);
        row(
            "writing a second",
            "not stated".to_owned(),
            rate,
            format!("{} written", say::short(&written, say::bytes)),
        );
    }
    let time_spec = |ms: Stated<u64>| match ms {
        Stated::Value(ms) => time::duration(ms),
        Stated::NotStated => "not stated".to_owned(),
    };
    let limit = |ms: Option<Ceiling<u64>>| ("none".to_owned(), ms.map_or("nothing".to_owned(), say::limit));
    let limits = facts.allocation.as_ref().map(|a| a.time);
    let took = |phase| {
        let record = facts.outcome.phase(phase);
        record.map_or("not begun".to_owned(), |p| {
            format!("{} taken", time::duration(p.ended_ms.saturating_sub(p.started_ms)))
        })
    };
    row(
        "agent time",
        time_spec(spec.agent_limit_ms),
        limit(limits.map(|t| t.agent_ms)),
        took(infranoise_core::Phase::Agent),
    );
    row(
        "verifier time",
        time_spec(spec.verifier_limit_ms),
        limit(limits.map(|t| t.verifier_ms)),
        took(infranoise_core::Phase::Verify),
    );
    table
}

fn held(record: &TrialRecord, page: &mut Page) {
    let held = &record.facts.enforcement;
    let provenance = match record.facts.provenance {
        Provenance::Enforced => "set by us and read back",
        Provenance::Declared => "as the source says",
        Provenance::Inferred => "as it follows from the source's configuration",
        Provenance::Unknown => "not known",
    };
    page.heading(&format!("What was held ({provenance})"));
    page.pairs(&[
        ("memory floor", say::held(&held.memory_floor)),
        ("memory ceiling", say::held(&held.memory_ceiling)),
        ("swap closed", say::held(&held.swap_closed)),
        ("CPU floor", say::held(&held.cpu_floor)),
        ("CPU ceiling", say::held(&held.cpu_ceiling)),
        ("pids ceiling", say::held(&held.pids_ceiling)),
        ("storage ceiling", say::held(&held.storage_ceiling)),
        ("disk rate", say::held(&held.disk_rate)),
        ("kill scope", format!("{}, {}", held.kill_scope, say::held(&held.kill_scope_held))),
    ]);
    for gap in &held.gaps {
        page.says(gap, "  gap: ");
    }
}
