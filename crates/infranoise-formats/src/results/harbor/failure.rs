//! An exception of Harbor as facts: in which phase, how that phase stopped, what it suggests.

use infranoise_core::{
    Cause, Clue, ClueKind, Confidence, Evidence, Phase, Position, Resource, Reward, SourceFailure, Stop,
};

use super::class::{Class, class, start_failure};
use super::message::{exit_code, last_output, limit_ms, names_loopback, still_preparing, telling};
use crate::results::draft::{Draft, PhaseDraft};
use crate::results::read::excerpt;

/// An exception as recorded.
pub(super) struct Exception {
    pub(super) class: String,
    pub(super) message: String,
    pub(super) traceback: String,
    pub(super) occurred_ms: Option<u64>,
    /// Whether the trial's log shows a command of the agent.
    pub(super) ran_a_command: bool,
    /// The line in which the harness says that it keeps only the first of two exceptions.
    pub(super) second: Option<String>,
}

/// Puts the exception into the trial.
pub(super) fn apply(draft: &mut Draft, exception: &Exception) {
    draft.source.failure =
        Some(SourceFailure { class: exception.class.clone(), message: excerpt(&exception.message, 400) });
    let phase = phase_of(draft, exception);
    match phase {
        Phase::Agent => in_agent(draft, exception),
        Phase::Verify => in_verifier(draft, exception),
        Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => {
            before_agent(draft, phase, exception);
        }
    }
    if let Some(line) = &exception.second {
        second(draft, line);
    }
}

/// A second exception leaves no more than a line in the trial's log: the verifier may have run out of time after the agent had failed.
fn second(draft: &mut Draft, line: &str) {
    draft.notes.push(format!("the harness keeps only the first exception: {}", excerpt(line, 200)));
    let limit = draft.effective.allocation.and_then(|allocation| allocation.time.verifier_ms.amount());
    let verifier = draft.phase_mut(Phase::Verify).filter(|record| record.stop.succeeded());
    if let (Some(record), true) = (verifier, line.contains("VerifierTimeoutError")) {
        record.stop = Stop::Deadline { limit_ms: limit.unwrap_or(0) };
    }
}

/// The phase in which it happened: by the phases that were begun, then by the clock, then by its class.
fn phase_of(draft: &Draft, exception: &Exception) -> Phase {
    let last = draft.phases.iter().map(|phase| phase.phase).max().unwrap_or(Phase::Start);
    if last < Phase::Agent {
        return last;
    }
    match exception.class.as_str() {
        "AgentTimeoutError" | "NonZeroAgentExitCodeError" => return Phase::Agent,
        "VerifierTimeoutError"
        | "RewardFileNotFoundError"
        | "RewardFileEmptyError"
        | "VerifierOutputParseError" => {
            return Phase::Verify;
        }
        _ => {}
    }
    let ended =
        draft.phases.iter().find(|phase| phase.phase == Phase::Agent).and_then(|phase| phase.ended_ms);
    match (exception.occurred_ms, ended) {
        // The exception is noted a moment after the phase is closed.
        (Some(occurred), Some(ended)) if occurred > ended + 250 => {
            if last == Phase::Verify {
                Phase::Verify
            } else {
                Phase::Stop
            }
        }
        _ => Phase::Agent,
    }
}

fn failed(cause: Cause, exception: &Exception) -> Stop {
    Stop::Failed {
        cause,
        message: format!("{}: {}", exception.class, excerpt(telling(&exception.message), 300)),
    }
}

/// Before the agent, or between the agent and the verifier.
fn before_agent(draft: &mut Draft, phase: Phase, exception: &Exception) {
    let stop = match class(&exception.class) {
        Class::Cancelled => Stop::Interrupted,
        Class::TimeOut => match limit_ms(&exception.message) {
            Some(limit_ms) => Stop::Deadline { limit_ms },
            None => failed(Cause::StartFailed, exception),
        },
        Class::Network => failed(network(&exception.message), exception),
        Class::Engine(cause) | Class::Api(cause) => failed(cause, exception),
        Class::Configuration => failed(Cause::ApiError, exception),
        Class::AgentExit | Class::Agent(_) => failed(Cause::AgentInstall, exception),
        Class::MemoryLimit | Class::LikelyMemory => failed(Cause::Oom, exception),
        Class::RewardMissing | Class::RewardGarbled => failed(Cause::Unknown, exception),
        Class::Unknown if phase == Phase::Setup => failed(Cause::SetupFailed, exception),
        Class::Unknown if phase == Phase::Stop => failed(Cause::Unknown, exception),
        Class::Unknown => failed(start_failure(&exception.message), exception),
    };
    match draft.phase_mut(phase) {
        Some(record) => record.stop = stop,
        None => draft.phases.push(PhaseDraft { stop, ..PhaseDraft::untimed(phase) }),
    }
}

fn network(message: &str) -> Cause {
    let lower = message.to_lowercase();
    let names = [
        "could not resolve",
        "name or service not known",
        "no such host",
        "temporary failure in name resolution",
    ];
    if names.iter().any(|words| lower.contains(words)) { Cause::Dns } else { Cause::Network }
}

fn in_agent(draft: &mut Draft, exception: &Exception) {
    let exited = Stop::Exited { code: exit_code(&exception.message).unwrap_or(1) };
    let stop = match class(&exception.class) {
        Class::TimeOut => {
            let preparing = still_preparing(&exception.traceback);
            if let Some(frame) = preparing.filter(|_| !exception.ran_a_command && !draft.reward.passed()) {
                return never_began(draft, exception, &frame);
            }
            Stop::Deadline { limit_ms: limit_ms(&exception.message).unwrap_or(0) }
        }
        Class::AgentExit | Class::Agent(_) => exited,
        Class::Api(cause) => {
            draft.source.clues.extend(api_clue(cause, exception));
            exited
        }
        Class::Network => {
            draft.source.clues.extend(network_clue(exception));
            exited
        }
        Class::Engine(cause) => failed(cause, exception),
        Class::MemoryLimit => Stop::SandboxEnded { resource: Resource::Memory },
        Class::LikelyMemory => {
            draft.source.clues.push(clue(
                ClueKind::Killed,
                Confidence::Medium,
                exception,
                "the harness took exit code 137 for an out-of-memory kill; nothing counted one",
            ));
            Stop::Exited { code: 137 }
        }
        Class::Cancelled => Stop::Interrupted,
        Class::Configuration => failed(Cause::ApiError, exception),
        Class::RewardMissing | Class::RewardGarbled => exited,
        Class::Unknown if exception.message.contains("OOMKilled") => {
            Stop::SandboxEnded { resource: Resource::Memory }
        }
        Class::Unknown => failed(Cause::Unknown, exception),
    };
    if let Some(record) = draft.phase_mut(Phase::Agent) {
        record.stop = stop;
    }
}

/// The clock of the agent phase ran out before the agent's first command: what ran was set-up.
fn never_began(draft: &mut Draft, exception: &Exception, frame: &str) {
    let of = |phase| draft.phases.iter().find(|record| record.phase == phase);
    let started_ms = of(Phase::Setup).or(of(Phase::Agent)).and_then(|record| record.started_ms);
    let ended_ms = of(Phase::Agent).and_then(|record| record.ended_ms);
    let stop = failed(Cause::StartFailed, exception);
    draft.phases.retain(|record| record.phase < Phase::Setup);
    draft.phases.push(PhaseDraft { started_ms, ended_ms, stop, ..PhaseDraft::untimed(Phase::Setup) });
    draft.notes.push(format!(
        "the agent never began: the harness was still uploading when the agent's time ran out ({})",
        excerpt(frame, 200)
    ));
    if draft.reward != Reward::NotGraded {
        draft.reward = Reward::NotGraded;
        draft
            .notes
            .push("Harbor graded the untouched sandbox and counts the trial as the agent's".to_owned());
    }
}

/// A word for the API from the agent's own program counts only where the program ended with it; from the harness's client always.
fn api_clue(cause: Cause, exception: &Exception) -> Option<Clue> {
    let printed = exception.message.contains("Command failed (exit ");
    if !printed {
        let says = "the harness's own client of the model API gave up";
        return Some(clue(ClueKind::Infra(cause), Confidence::High, exception, says));
    }
    let last = last_output(&exception.message)?;
    let tells = ["api error", "overloaded", "rate limit", "429", "529", "503", "500", "stalled", "timed out"];
    let lower = last.to_lowercase();
    let says = "the agent's program ended with this as its last line";
    tells
        .iter()
        .any(|word| lower.contains(word))
        .then(|| clue(ClueKind::Infra(cause), Confidence::Medium, exception, says))
}

/// A refused connection to this machine itself is the agent's or the task's own server.
fn network_clue(exception: &Exception) -> Option<Clue> {
    let Some(last) = last_output(&exception.message) else {
        let says = "the harness lost its own connection";
        return Some(clue(ClueKind::Infra(network(&exception.message)), Confidence::Medium, exception, says));
    };
    let named_by_command = names_loopback(&exception.message);
    if names_loopback(last) || (named_by_command && !last.contains("://")) {
        let says = "the connection was to the sandbox itself: the agent's or the task's own server; Harbor takes the words for its network";
        return Some(clue(ClueKind::Agent(Cause::AgentError), Confidence::High, exception, says));
    }
    let says = "the agent's program ended with this as its last line; it may be the network or a command of the agent's";
    Some(clue(ClueKind::Infra(network(last)), Confidence::Low, exception, says))
}

fn clue(kind: ClueKind, confidence: Confidence, exception: &Exception, says: &str) -> Clue {
    let reading = last_output(&exception.message).unwrap_or(&exception.message);
    let reading = format!("{}: {}", exception.class, excerpt(reading, 200));
    Clue {
        kind,
        phase: Phase::Agent,
        position: Position::Terminal,
        confidence,
        evidence: match confidence {
            Confidence::High => Evidence::observed("exception_info", reading, says),
            Confidence::Medium | Confidence::Low => Evidence::partial("exception_info", reading, says),
        },
    }
}

fn in_verifier(draft: &mut Draft, exception: &Exception) {
    let stop = match class(&exception.class) {
        Class::TimeOut => Stop::Deadline { limit_ms: limit_ms(&exception.message).unwrap_or(0) },
        Class::RewardMissing => {
            draft.reward = Reward::Missing;
            Stop::Exited { code: 0 }
        }
        Class::RewardGarbled => {
            draft.reward =
                Reward::Garbled { why: exception.class.clone(), excerpt: excerpt(&exception.message, 200) };
            Stop::Exited { code: 0 }
        }
        Class::Cancelled => Stop::Interrupted,
        Class::Engine(cause) | Class::Api(cause) => failed(cause, exception),
        Class::Network => failed(network(&exception.message), exception),
        Class::MemoryLimit | Class::LikelyMemory => failed(Cause::Oom, exception),
        Class::Configuration | Class::AgentExit | Class::Agent(_) | Class::Unknown => {
            failed(Cause::Unknown, exception)
        }
    };
    if let Some(record) = draft.phase_mut(Phase::Verify) {
        record.stop = stop;
    }
}
