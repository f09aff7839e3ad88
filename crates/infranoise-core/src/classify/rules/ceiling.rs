//! The trial's own ceiling ended a phase.

use super::super::reading::{
    event_words, failed_by_itself, in_exec, last_exec, oom_kills, refusals, stop_evidence, stop_words,
};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::Evidence;
use crate::outcome::{ExecRecord, OomScope, ResourceEvent, ResourceEventKind, SignalSender, Stop};
use crate::{Facts, Phase, Resource};

/// What a shell answers for a command that SIGKILL ended.
const KILLED_EXIT_CODE: i32 = 128 + 9;

fn verdict(event: &ResourceEvent, resource: Resource, cause: Cause, more: Vec<Evidence>) -> Verdict {
    let mut evidence = vec![Evidence { says: event_words(event), ..event.evidence.clone() }];
    evidence.extend(more);
    Verdict { blame: Blame::Ceiling { resource }, cause, phase: Some(event.phase), evidence }
}

fn exec_evidence(exec: &ExecRecord, says: &str) -> Evidence {
    Evidence::observed(format!("completion record of {}", exec.id), stop_words(&exec.stop), says)
}

/// A kill at the own ceiling ended the sandbox, or the last command of the agent phase died of it.
pub(super) fn memory_ended_agent(facts: &Facts, _: &Context) -> Option<Verdict> {
    let phase = facts.outcome.phase(Phase::Agent)?;
    if let Stop::SandboxEnded { resource } = phase.stop {
        let event = oom_kills(facts, Phase::Agent, OomScope::Own).last();
        let stop = stop_evidence(phase, "the whole sandbox was ended, as the kill scope says");
        return Some(match event {
            Some(event) => verdict(event, resource, Cause::Oom, vec![stop]),
            None => Verdict {
                blame: Blame::Ceiling { resource },
                cause: Cause::Oom,
                phase: Some(Phase::Agent),
                evidence: vec![stop],
            },
        });
    }
    let last = last_exec(facts, Phase::Agent)?;
    let event = oom_kills(facts, Phase::Agent, OomScope::Own).filter(|event| in_exec(event, last)).last()?;
    let died_of_it = match last.stop {
        Stop::Signalled { by: SignalSender::OomKiller, .. } | Stop::SandboxEnded { .. } => true,
        Stop::Exited { code } => code == KILLED_EXIT_CODE,
        Stop::Signalled { by: SignalSender::Infranoise, .. } => {
            matches!(event.kind, ResourceEventKind::OomKill { ended_trial: true, .. })
        }
        Stop::Signalled { by: SignalSender::Inside | SignalSender::Unknown, .. }
        | Stop::Deadline { .. }
        | Stop::Failed { .. }
        | Stop::Interrupted => false,
    };
    died_of_it.then(|| {
        let says = "the agent phase ended with this command, in whose control group the kill happened";
        verdict(event, Resource::Memory, Cause::Oom, vec![exec_evidence(last, says)])
    })
}

/// A kill at the own ceiling while the verifier was at work.
pub(super) fn memory_ended_verifier(facts: &Facts, _: &Context) -> Option<Verdict> {
    let event = oom_kills(facts, Phase::Verify, OomScope::Own).last()?;
    let stop = facts
        .outcome
        .phase(Phase::Verify)
        .map(|phase| stop_evidence(phase, "the verifier's verdict cannot be trusted after the kill"));
    Some(verdict(event, Resource::Memory, Cause::Oom, stop.into_iter().collect()))
}

/// Pids or storage were refused and the phase ended within the same command, which failed.
pub(super) fn refusal_ended_phase(facts: &Facts, _: &Context) -> Option<Verdict> {
    [Phase::Agent, Phase::Verify].into_iter().find_map(|phase| {
        let last = last_exec(facts, phase)?;
        let (event, resource) = refusals(facts, phase)
            .filter(|(event, what)| in_exec(event, last) && *what != Resource::Memory)
            .last()?;
        let cause = match resource {
            Resource::Pids => Cause::Pids,
            Resource::Storage => Cause::StorageCeiling,
            Resource::Memory | Resource::Cpu | Resource::Egress => return None,
        };
        failed_by_itself(last).then(|| {
            let says = "the phase ended within the command that was refused, and it failed";
            verdict(event, resource, cause, vec![exec_evidence(last, says)])
        })
    })
}
