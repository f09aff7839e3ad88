//! The engine, the host, the network or the model API ended a phase.

use super::super::reading::stop_evidence;
use super::super::{Blame, Cause, Context, Verdict};
use crate::Facts;
use crate::outcome::Stop;

pub(super) fn phase_failed(facts: &Facts, _: &Context) -> Option<Verdict> {
    let (record, cause) = facts.outcome.phases.iter().find_map(|record| match record.stop {
        Stop::Failed { cause, .. } => Some((record, cause)),
        Stop::Exited { .. }
        | Stop::Signalled { .. }
        | Stop::Deadline { .. }
        | Stop::SandboxEnded { .. }
        | Stop::Interrupted => None,
    })?;
    let blame = if outside_the_trial(cause) { Blame::Fault } else { Blame::Undetermined };
    let says = match blame {
        Blame::Fault => "neither the agent nor its ceiling can have caused this",
        _ => "what failed is recorded, but not whose doing it was",
    };
    Some(Verdict { blame, cause, phase: Some(record.phase), evidence: vec![stop_evidence(record, says)] })
}

/// Whether a cause lies outside what an agent inside its sandbox can bring about.
fn outside_the_trial(cause: Cause) -> bool {
    match cause {
        Cause::HostOom
        | Cause::DiskFull
        | Cause::Eviction
        | Cause::Preemption
        | Cause::NodeLost
        | Cause::Unschedulable
        | Cause::ImagePull
        | Cause::BuildFailed
        | Cause::StartFailed
        | Cause::Network
        | Cause::Dns
        | Cause::ApiRateLimit
        | Cause::ApiError
        | Cause::ApiStall
        | Cause::SandboxGone
        | Cause::EngineError
        | Cause::CpuStarved => true,
        Cause::Solved
        | Cause::WrongAnswer
        | Cause::AgentError
        | Cause::AgentKilledItself
        | Cause::TimeOut
        | Cause::Throttled
        | Cause::Oom
        | Cause::Pids
        | Cause::StorageCeiling
        | Cause::SetupFailed
        | Cause::AgentInstall
        | Cause::VerifierBroken
        | Cause::VerifierTimeOut
        | Cause::RewardMissing
        | Cause::RewardGarbled
        | Cause::Interrupted
        | Cause::Unknown => false,
    }
}
