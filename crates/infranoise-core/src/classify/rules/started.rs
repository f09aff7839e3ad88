//! Trials whose agent phase was never begun, and trials that a person stopped.

use super::super::reading::{event_words, stop_evidence};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::{Evidence, EvidenceState};
use crate::outcome::{ResourceEventKind, Stop};
use crate::{Facts, Phase};

pub(super) fn not_started(facts: &Facts, _: &Context) -> Option<Verdict> {
    if facts.outcome.agent_started() {
        return None;
    }
    let last = facts.outcome.phases.iter().rev().find(|record| record.phase != Phase::Stop);
    let Some(last) = last else {
        return Some(Verdict {
            blame: Blame::NotStarted,
            cause: Cause::Unknown,
            phase: None,
            evidence: vec![Evidence::missing(
                EvidenceState::Unavailable,
                "trial record",
                "no phase was recorded",
            )],
        });
    };
    let mut evidence = vec![stop_evidence(last, "the trial got no further than this phase")];
    let killed =
        facts.outcome.events.iter().find(|event| {
            event.phase == last.phase && matches!(event.kind, ResourceEventKind::OomKill { .. })
        });
    let cause = match (&last.stop, killed) {
        (Stop::Failed { cause, .. }, _) => *cause,
        (Stop::Interrupted, _) => Cause::Interrupted,
        (_, Some(event)) => {
            evidence.push(Evidence { says: event_words(event), ..event.evidence.clone() });
            Cause::Oom
        }
        (Stop::SandboxEnded { .. }, None) => Cause::Oom,
        (Stop::Exited { .. } | Stop::Signalled { .. } | Stop::Deadline { .. }, None) => match last.phase {
            Phase::Pull => Cause::ImagePull,
            Phase::Build => Cause::BuildFailed,
            Phase::Setup => Cause::SetupFailed,
            Phase::Start | Phase::Agent | Phase::Verify | Phase::Stop => Cause::StartFailed,
        },
    };
    Some(Verdict { blame: Blame::NotStarted, cause, phase: Some(last.phase), evidence })
}

pub(super) fn interrupted(facts: &Facts, _: &Context) -> Option<Verdict> {
    let record = facts.outcome.phases.iter().find(|record| record.stop == Stop::Interrupted)?;
    Some(Verdict {
        blame: Blame::Undetermined,
        cause: Cause::Interrupted,
        phase: Some(record.phase),
        evidence: vec![stop_evidence(record, "a person stopped the sweep while the trial was under way")],
    })
}
