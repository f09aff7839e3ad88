//! The host's disk was full: what a trial writes is lost, or refused, below any ceiling of its own.

use super::super::reading::{event_words, failed_by_itself, in_exec, last_exec, stop_evidence, stop_words};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::Evidence;
use crate::outcome::{ResourceEvent, ResourceEventKind};
use crate::{Facts, Phase};

pub(super) fn full(facts: &Facts, _: &Context) -> Option<Verdict> {
    [Phase::Agent, Phase::Verify].into_iter().find_map(|phase| {
        let event = facts.outcome.events.iter().rev().find(|event| is_full(event) && event.phase == phase)?;
        let seen = Evidence { says: event_words(event), ..event.evidence.clone() };
        let last = last_exec(facts, phase)?;
        if in_exec(event, last) && failed_by_itself(last) {
            let says = "the phase ended within this command, and it failed";
            let record =
                Evidence::observed(format!("completion record of {}", last.id), stop_words(&last.stop), says);
            return Some(verdict(Blame::Fault, phase, vec![seen, record]));
        }
        let stop = facts.outcome.phase(phase)?;
        let says = "the phase went on after it: what was written meanwhile may be lost";
        Some(verdict(Blame::Undetermined, phase, vec![seen, stop_evidence(stop, says)]))
    })
}

fn is_full(event: &ResourceEvent) -> bool {
    matches!(event.kind, ResourceEventKind::HostDiskFull { .. })
}

fn verdict(blame: Blame, phase: Phase, evidence: Vec<Evidence>) -> Verdict {
    Verdict { blame, cause: Cause::DiskFull, phase: Some(phase), evidence }
}
