//! The course of a trial: phases, commands, what ceilings and the host did to it, and what the verifier left.

use infranoise_core::{OomScope, ResourceEventKind, Reward, TrialRecord};

use super::{Page, say};
use crate::table::Table;
use crate::text::{clean, number, time};

/// A moment of a trial, in seconds since it began.
fn at(ms: u64) -> String {
    format!("{:.2} s", ms as f64 / 1000.0)
}

pub(super) fn phases(record: &TrialRecord, page: &mut Page) {
    page.heading("Phases");
    let phases = &record.facts.outcome.phases;
    if phases.is_empty() {
        page.says("none was begun", "  ");
        return;
    }
    let mut table = Table::new(&["phase", ">from", ">to", "ended by"]);
    for phase in phases {
        table.push([
            phase.phase.to_string(),
            at(phase.started_ms),
            at(phase.ended_ms),
            say::stop(&phase.stop),
        ]);
    }
    page.table(&table);
    if record.facts.outcome.daemons_kept {
        page.says("Daemons, if the agent left any, were alive while the verifier graded.", "  ");
    }
}

pub(super) fn commands(record: &TrialRecord, page: &mut Page) {
    page.heading("Commands");
    let execs = &record.facts.outcome.execs;
    if execs.is_empty() {
        page.says("none was run inside", "  ");
        return;
    }
    let heads = [
        "",
        "phase",
        ">from",
        ">to",
        ">memory peak",
        ">CPU",
        ">OOM kills",
        ">forks refused",
        "ended by",
        "command",
    ];
    let mut table = Table::new(&heads);
    for exec in execs {
        table.push([
            exec.id.to_string(),
            exec.phase.to_string(),
            at(exec.started_ms),
            at(exec.ended_ms),
            say::short(&exec.memory_peak_bytes, say::bytes),
            say::short(&exec.cpu_us, say::micros),
            say::short(&exec.oom_kills, say::count),
            say::short(&exec.pids_refused, say::count),
            say::stop(&exec.stop),
            clean::short(&exec.command, 80),
        ]);
    }
    page.table(&table);
}

pub(super) fn events(record: &TrialRecord, page: &mut Page) {
    let events = &record.facts.outcome.events;
    if events.is_empty() {
        return;
    }
    page.heading("What ceilings, floors and the host did");
    for event in events {
        let exec = event.exec.map(|exec| format!(" in {exec}")).unwrap_or_default();
        page.says(&format!("{} ({} phase{exec}): {}", at(event.at_ms), event.phase, kind(&event.kind)), "  ");
        let shown = &event.evidence;
        page.says(&format!("{} [{}: {}]", shown.says, shown.source, shown.reading), "    ");
    }
}

fn kind(kind: &ResourceEventKind) -> String {
    match kind {
        ResourceEventKind::OomKill { scope, victim, victim_rss_bytes, kills, ended_trial } => {
            let whose = match scope {
                OomScope::Own => "the trial's own ceiling",
                OomScope::Host => "a limit above the trial, or the host",
                OomScope::Unknown => "a limit that is not known",
            };
            let victim = victim.as_ref().map(|victim| format!(", victim {victim}")).unwrap_or_default();
            let size = victim_rss_bytes.map(|size| format!(" with {size} resident")).unwrap_or_default();
            let ended = if *ended_trial { ", which ended the trial" } else { ", which the trial survived" };
            format!(
                "out of memory at {whose}: {} ended{victim}{size}{ended}",
                number::plural(*kills, "process")
            )
        }
        ResourceEventKind::PidsRefused { count } => {
            format!("the pids ceiling refused {}", number::plural(*count, "fork"))
        }
        ResourceEventKind::StorageRefused { count } => {
            format!("the storage ceiling refused writes, seen {}", number::plural(*count, "time"))
        }
        ResourceEventKind::HostDiskFull { free_bytes } => {
            format!("the host's disk was full: {free_bytes} left at the least")
        }
        ResourceEventKind::Throttled { throttled_us } => {
            format!("the CPU ceiling throttled for {}", time::duration(throttled_us / 1000))
        }
        ResourceEventKind::FloorBreached { count } => {
            format!("the memory floor was not kept, {}", number::plural(*count, "time"))
        }
    }
}

pub(super) fn reward(record: &TrialRecord, page: &mut Page) {
    page.heading("Reward");
    let says = match &record.facts.outcome.reward {
        Reward::Given { values, source } => {
            let values: Vec<String> =
                values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("{} ({source})", values.join(", "))
        }
        Reward::Missing => "the verifier ended and left no reward file".to_owned(),
        Reward::Garbled { why, excerpt } => format!("no reward, since {why}: {excerpt}"),
        Reward::NotGraded => "the verifier did not run to an end".to_owned(),
    };
    page.says(&says, "  ");
}
