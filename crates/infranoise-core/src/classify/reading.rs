//! Readings that several rules share: which command ended a phase, which resource events were lived through.

use crate::evidence::Evidence;
use crate::outcome::{
    ExecRecord, OomScope, PhaseRecord, ResourceEvent, ResourceEventKind, SignalSender, Stop,
};
use crate::{Facts, Phase, Resource};

/// The last command of a phase.
pub(super) fn last_exec(facts: &Facts, phase: Phase) -> Option<&ExecRecord> {
    facts.outcome.execs.iter().rev().find(|exec| exec.phase == phase)
}

/// The out-of-memory kills of a phase with the given scope.
pub(super) fn oom_kills(
    facts: &Facts,
    phase: Phase,
    scope: OomScope,
) -> impl Iterator<Item = &ResourceEvent> {
    facts.outcome.events.iter().filter(move |event| {
        event.phase == phase
            && matches!(&event.kind, ResourceEventKind::OomKill { scope: seen, .. } if *seen == scope)
    })
}

/// Whether an event belongs to the command.
pub(super) fn in_exec(event: &ResourceEvent, exec: &ExecRecord) -> bool {
    event.exec == Some(exec.id)
}

/// Whether a command failed, and nobody outside the sandbox ended it.
pub(super) fn failed_by_itself(exec: &ExecRecord) -> bool {
    match exec.stop {
        Stop::Exited { code } => code != 0,
        Stop::Signalled { by: SignalSender::Inside | SignalSender::Unknown, .. } => true,
        Stop::Signalled { by: SignalSender::OomKiller | SignalSender::Infranoise, .. }
        | Stop::Deadline { .. }
        | Stop::SandboxEnded { .. }
        | Stop::Failed { .. }
        | Stop::Interrupted => false,
    }
}

/// How a stop reads in evidence.
pub(super) fn stop_words(stop: &Stop) -> String {
    match stop {
        Stop::Exited { code } => format!("exit code {code}"),
        Stop::Signalled { signal, by } => format!("signal {signal} by {by:?}"),
        Stop::Deadline { limit_ms } => format!("wall-clock limit of {limit_ms} ms"),
        Stop::SandboxEnded { resource } => format!("sandbox ended at the {resource} ceiling"),
        Stop::Failed { cause, message } => format!("{cause:?}: {message}"),
        Stop::Interrupted => "interrupted".to_owned(),
    }
}

/// The stop of a phase as a piece of evidence.
pub(super) fn stop_evidence(record: &PhaseRecord, says: &str) -> Evidence {
    Evidence::observed(format!("{} phase", record.phase), stop_words(&record.stop), says)
}

/// The resource that an event is about; throttling and breached floors end nothing by themselves.
fn resource(kind: &ResourceEventKind) -> Option<Resource> {
    match kind {
        ResourceEventKind::OomKill { .. } => Some(Resource::Memory),
        ResourceEventKind::PidsRefused { .. } => Some(Resource::Pids),
        ResourceEventKind::StorageRefused { .. } => Some(Resource::Storage),
        ResourceEventKind::HostDiskFull { .. }
        | ResourceEventKind::Throttled { .. }
        | ResourceEventKind::FloorBreached { .. } => None,
    }
}

/// An event in words.
pub(super) fn event_words(event: &ResourceEvent) -> String {
    let place = match event.exec {
        Some(exec) => format!("{} phase, command {exec}", event.phase),
        None => format!("{} phase", event.phase),
    };
    match &event.kind {
        ResourceEventKind::OomKill { scope, victim, victim_rss_bytes, kills, .. } => {
            let whose = match scope {
                OomScope::Own => "own memory ceiling",
                OomScope::Host => "host out of memory",
                OomScope::Unknown => "out of memory, whose limit is unknown",
            };
            let who = victim.as_deref().map(|name| format!(", victim `{name}`")).unwrap_or_default();
            let size = victim_rss_bytes.map(|bytes| format!(" with {bytes} resident")).unwrap_or_default();
            let noun = if *kills == 1 { "process" } else { "processes" };
            format!("{kills} {noun} killed at {whose} ({place}{who}{size})")
        }
        ResourceEventKind::PidsRefused { count } => {
            format!("{count} forks refused at the pids ceiling ({place})")
        }
        ResourceEventKind::StorageRefused { count } => {
            let times = if *count == 1 { "once" } else { "several times" };
            format!("writes refused at the storage ceiling, found full {times} ({place})")
        }
        ResourceEventKind::HostDiskFull { free_bytes } => {
            format!("the host's disk was full, {free_bytes} left ({place})")
        }
        ResourceEventKind::Throttled { throttled_us } => {
            format!("throttled for {} ms by the CPU ceiling ({place})", throttled_us / 1000)
        }
        ResourceEventKind::FloorBreached { count } => {
            format!("memory floor breached {count} times ({place})")
        }
    }
}

/// The events that a trial lived through: all but those of the resource and phase that ended it.
pub(super) fn survived(facts: &Facts, ended_by: Option<(Resource, Option<Phase>)>) -> Vec<String> {
    let ended = |event: &ResourceEvent| {
        ended_by.is_some_and(|(what, phase)| {
            resource(&event.kind) == Some(what) && phase.is_none_or(|phase| phase == event.phase)
        })
    };
    facts.outcome.events.iter().filter(|event| !ended(event)).map(event_words).collect()
}

/// The first refusal (memory, pids, storage at the own ceiling) of a phase.
pub(super) fn refusals(facts: &Facts, phase: Phase) -> impl Iterator<Item = (&ResourceEvent, Resource)> {
    facts.outcome.events.iter().filter_map(move |event| {
        let own = !matches!(
            &event.kind,
            ResourceEventKind::OomKill { scope: OomScope::Host | OomScope::Unknown, .. }
        );
        let what = resource(&event.kind)?;
        (event.phase == phase && own).then_some((event, what))
    })
}
