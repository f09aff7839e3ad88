//! The host ran out of memory.

use super::super::reading::{event_words, last_exec, oom_kills};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::{Evidence, EvidenceState};
use crate::outcome::{OomScope, ResourceEventKind, SignalSender, Stop};
use crate::{Facts, Phase, Resource};

pub(super) fn host_oom(facts: &Facts, context: &Context) -> Option<Verdict> {
    [Phase::Agent, Phase::Verify].into_iter().find_map(|phase| in_phase(facts, context, phase))
}

fn in_phase(facts: &Facts, context: &Context, phase: Phase) -> Option<Verdict> {
    let event = oom_kills(facts, phase, OomScope::Host).last()?;
    let ended_trial = matches!(event.kind, ResourceEventKind::OomKill { ended_trial: true, .. });
    let ended_phase = last_exec(facts, phase).is_some_and(|exec| {
        event.exec.is_none_or(|id| id == exec.id)
            && matches!(exec.stop, Stop::Signalled { by: SignalSender::OomKiller, .. })
    });
    let mut evidence = vec![Evidence { says: event_words(event), ..event.evidence.clone() }];
    let blame = match context.host_at_kill {
        _ if !(ended_trial || ended_phase) => {
            evidence.push(Evidence::partial(
                format!("{phase} phase"),
                "went on after the kill",
                "the kill did not end the trial, so that what it cost cannot be known",
            ));
            Blame::Undetermined
        }
        Some(host) if host.own_usage_bytes <= host.own_floor_bytes => {
            evidence.push(Evidence::observed(
                "memory usage against floor at the kill",
                format!("{} of {}", host.own_usage_bytes, host.own_floor_bytes),
                "the trial was within its guaranteed memory",
            ));
            Blame::Fault
        }
        Some(host) if host.largest_user => {
            evidence.push(Evidence::observed(
                "memory usage against floor at the kill",
                format!("{} of {}", host.own_usage_bytes, host.own_floor_bytes),
                "the trial was above its guaranteed memory and the largest user on the host",
            ));
            Blame::Ceiling { resource: Resource::Memory }
        }
        Some(_) => Blame::Undetermined,
        None => {
            evidence.push(Evidence::missing(
                EvidenceState::Unavailable,
                "memory usage against floor at the kill",
                "not known, so that it cannot be said whose doing the host's shortage was",
            ));
            Blame::Undetermined
        }
    };
    Some(Verdict { blame, cause: Cause::HostOom, phase: Some(phase), evidence })
}
