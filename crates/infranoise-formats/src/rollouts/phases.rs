//! Which phases a rollout went through and how each ended: times against limits, exit codes, signals, the exception.

use infranoise_core::{Cause, Phase, PhaseRecord, Resource, SignalSender, Stop};

use super::exception::Read;
use super::record::Rollout;

/// Codes with which a program ends that was killed from outside at its deadline.
const KILLED_CODES: [i32; 5] = [124, 137, 143, -9, -15];

/// Whether the agent began: by its own traces, else by the times, else unless an exception came before it.
fn agent_began(rollout: &Rollout, read: Option<&Read>) -> bool {
    if rollout.exit_code.is_some() || rollout.signal.is_some() {
        return true;
    }
    if let Some(last) = rollout.phases.last() {
        return last >= Phase::Agent;
    }
    read.is_none_or(|read| read.phase >= Phase::Agent)
}

fn verifier_began(rollout: &Rollout, read: Option<&Read>) -> bool {
    rollout.phases.verify_ms.is_some()
        || rollout.verifier_exit_code.is_some()
        || rollout.reward.is_some()
        || read.is_some_and(|read| read.phase == Phase::Verify)
}

/// The phases that were begun, one after the other.
pub(super) fn phases(rollout: &Rollout, read: Option<&Read>) -> Vec<PhaseRecord> {
    let agent = agent_began(rollout, read);
    let mut clock = 0_u64;
    let mut phases = Vec::new();
    for phase in Phase::ALL {
        let raised_here = read.filter(|read| read.phase == phase);
        let began = match phase {
            Phase::Agent => agent,
            Phase::Verify => agent && verifier_began(rollout, read),
            Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => {
                rollout.phases.of(phase).is_some() || (raised_here.is_some() && phase != Phase::Stop)
            }
        };
        if !began {
            continue;
        }
        let started_ms = clock;
        clock = clock.saturating_add(rollout.phases.of(phase).unwrap_or(0));
        let stop = match (raised_here, phase) {
            (Some(read), _) => read.stop.clone(),
            (None, Phase::Agent) => agent_stop(rollout),
            (None, Phase::Verify) => verifier_stop(rollout),
            (None, _) => Stop::Exited { code: 0 },
        };
        phases.push(PhaseRecord { phase, started_ms, ended_ms: clock, stop });
    }
    if let (false, Some(last)) = (agent, phases.last_mut()) {
        not_begun(last);
    }
    phases
}

/// The last phase before an agent that never began did not end well, whatever else is recorded.
fn not_begun(last: &mut PhaseRecord) {
    if last.stop == (Stop::Exited { code: 0 }) {
        let message = "the agent's phase has no time: it was never begun".to_owned();
        last.stop = Stop::Failed { cause: Cause::Unknown, message };
    }
}

fn agent_stop(rollout: &Rollout) -> Stop {
    let kills = rollout.oom_kills.unwrap_or(0);
    if rollout.oom_ended == Some(true) && rollout.oom_phase.is_none_or(|phase| phase == Phase::Agent) {
        return Stop::SandboxEnded { resource: Resource::Memory };
    }
    let reached = passed(rollout, Phase::Agent);
    let code = rollout.signal.map(|signal| signal.saturating_neg()).or(rollout.exit_code);
    match (code, reached) {
        (None, Some(limit_ms)) => Stop::Deadline { limit_ms },
        (Some(code), Some(limit_ms)) if KILLED_CODES.contains(&code) && kills == 0 => {
            Stop::Deadline { limit_ms }
        }
        (Some(code), _) if code < 0 => {
            let killed = code == -9 && kills + rollout.host_oom_kills.unwrap_or(0) > 0;
            let by = if killed { SignalSender::OomKiller } else { SignalSender::Unknown };
            Stop::Signalled { signal: code.saturating_neg(), by }
        }
        (Some(code), _) => Stop::Exited { code },
        (None, None) if rollout.reward.is_some() => Stop::Exited { code: 0 },
        (None, None) => Stop::Failed {
            cause: Cause::Unknown,
            message: "the record says neither how the agent ended nor what it was worth".to_owned(),
        },
    }
}

fn verifier_stop(rollout: &Rollout) -> Stop {
    match (rollout.reward, passed(rollout, Phase::Verify)) {
        (None, Some(limit_ms)) => Stop::Deadline { limit_ms },
        _ => Stop::Exited { code: rollout.verifier_exit_code.unwrap_or(0) },
    }
}

/// The limit of a phase, if the phase took as long.
fn passed(rollout: &Rollout, phase: Phase) -> Option<u64> {
    let limit_ms = rollout.limits.of(phase)?;
    (rollout.phases.of(phase)? >= limit_ms).then_some(limit_ms)
}
