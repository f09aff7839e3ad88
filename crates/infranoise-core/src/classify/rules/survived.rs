//! Something was killed or refused at the own ceiling, the agent went on, and the trial failed all the same.

use super::super::reading::{event_words, refusals, stop_evidence};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::Evidence;
use crate::outcome::{OomScope, ResourceEventKind};
use crate::{Facts, Phase, Resource};

pub(super) fn survived_and_failed(facts: &Facts, _: &Context) -> Option<Verdict> {
    let agent = facts.outcome.phase(Phase::Agent)?;
    let own = refusals(facts, Phase::Agent).last();
    let unknown = facts.outcome.events.iter().find(|event| {
        event.phase == Phase::Agent
            && matches!(event.kind, ResourceEventKind::OomKill { scope: OomScope::Unknown, .. })
    });
    let (event, resource) = own.or(unknown.map(|event| (event, Resource::Memory)))?;
    let cause = match resource {
        Resource::Pids => Cause::Pids,
        Resource::Storage => Cause::StorageCeiling,
        Resource::Memory | Resource::Cpu | Resource::Egress => Cause::Oom,
    };
    Some(Verdict {
        blame: Blame::Undetermined,
        cause,
        phase: Some(Phase::Agent),
        evidence: vec![
            Evidence { says: event_words(event), ..event.evidence.clone() },
            stop_evidence(agent, "the agent went on after it, so that the event did not end the trial"),
        ],
    })
}
