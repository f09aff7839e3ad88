//! An exception as facts: in which phase, how that phase stopped, what it suggests.

use infranoise_core::{Cause, Clue, ClueKind, Confidence, Evidence, Phase, Position, Resource, Reward, Stop};

use super::class::{Class, class, suggested};
use super::record::{Raised, Rollout};

/// At most so many characters of a message are kept.
const MESSAGE_CHARS: usize = 300;

/// What an exception makes of its phase.
pub(super) struct Read {
    /// The phase in which it was raised.
    pub(super) phase: Phase,
    /// How that phase stopped.
    pub(super) stop: Stop,
    /// What it suggests.
    pub(super) clue: Option<Clue>,
    /// What it says about the reward, if it says something.
    pub(super) reward: Option<Reward>,
}

/// Reads the exception of a rollout.
pub(super) fn read(rollout: &Rollout, raised: &Raised) -> Read {
    let (class, told) = class(&raised.class);
    let phase = raised.phase.or(told).unwrap_or_else(|| phase_by_times(rollout));
    let mut read = Read { phase, stop: stop(rollout, raised, class, phase), clue: None, reward: None };
    match class {
        Class::RewardMissing => read.reward = Some(Reward::Missing),
        Class::RewardGarbled => {
            read.reward =
                Some(Reward::Garbled { why: raised.class.clone(), excerpt: shortened(&raised.message) });
        }
        Class::TimeOut
        | Class::AgentExit
        | Class::Agent
        | Class::Api(_)
        | Class::Network(_)
        | Class::Engine(_)
        | Class::MemoryLimit
        | Class::LikelyMemory
        | Class::NodeMemory
        | Class::Cancelled
        | Class::Unknown => {}
    }
    if phase >= Phase::Agent {
        read.clue = clue(rollout, raised, class, phase);
    }
    read
}

/// The last phase that has a time; the agent's if none has.
fn phase_by_times(rollout: &Rollout) -> Phase {
    match rollout.phases.last() {
        Some(Phase::Verify) if rollout.reward.is_some() => Phase::Agent,
        Some(last) => last,
        None => Phase::Agent,
    }
}

fn stop(rollout: &Rollout, raised: &Raised, class: Class, phase: Phase) -> Stop {
    let before = phase < Phase::Agent;
    let failed =
        |cause| Stop::Failed { cause, message: format!("{}: {}", raised.class, shortened(&raised.message)) };
    let exited = || Stop::Exited { code: rollout.exit_code.filter(|code| *code >= 0).unwrap_or(1) };
    match class {
        Class::TimeOut => Stop::Deadline { limit_ms: limit(rollout, phase) },
        Class::AgentExit | Class::Agent if before => failed(Cause::AgentInstall),
        Class::AgentExit | Class::Agent => exited(),
        Class::Engine(cause) => failed(cause),
        Class::Api(cause) | Class::Network(cause) if phase != Phase::Agent => failed(cause),
        Class::Api(_) | Class::Network(_) => exited(),
        Class::MemoryLimit if before => failed(Cause::Oom),
        Class::MemoryLimit => Stop::SandboxEnded { resource: Resource::Memory },
        Class::LikelyMemory => Stop::Exited { code: 137 },
        Class::NodeMemory if before => failed(Cause::HostOom),
        Class::NodeMemory => exited(),
        Class::RewardMissing | Class::RewardGarbled => Stop::Exited { code: 0 },
        Class::Cancelled => Stop::Interrupted,
        Class::Unknown if before => {
            failed(if phase == Phase::Setup { Cause::SetupFailed } else { Cause::StartFailed })
        }
        Class::Unknown => failed(Cause::Unknown),
    }
}

/// The limit that passed, or else the time that the phase took.
fn limit(rollout: &Rollout, phase: Phase) -> u64 {
    rollout.limits.of(phase).or(rollout.phases.of(phase)).unwrap_or(0)
}

fn clue(rollout: &Rollout, raised: &Raised, class: Class, phase: Phase) -> Option<Clue> {
    let (kind, confidence, says) = match class {
        Class::Agent => (
            ClueKind::Agent(Cause::AgentError),
            Confidence::High,
            "the agent's own doing: it went beyond what its model takes or does",
        ),
        Class::Api(cause) => (
            ClueKind::Infra(cause),
            Confidence::High,
            "the harness's own client of the model API gave up, and the rollout ended with it",
        ),
        Class::Network(cause) if names_loopback(&raised.message) => (
            ClueKind::Infra(cause),
            Confidence::Low,
            "a connection to this machine itself: the model's server, or one that the agent was to start",
        ),
        Class::Network(cause) => {
            (ClueKind::Infra(cause), Confidence::Medium, "the harness lost its own connection")
        }
        Class::LikelyMemory if rollout.oom_kills.is_none() => (
            ClueKind::Killed,
            Confidence::Medium,
            "the harness took exit code 137 for an out-of-memory kill; nothing counted one",
        ),
        Class::NodeMemory => (
            ClueKind::Infra(Cause::HostOom),
            Confidence::Low,
            "the node's memory ran out; whether the rollout was within its share is not said",
        ),
        Class::Unknown => (
            ClueKind::Infra(suggested(&raised.message)?),
            Confidence::Low,
            "words in the message of a class that is not known here: other explanations fit too",
        ),
        Class::TimeOut
        | Class::AgentExit
        | Class::Engine(_)
        | Class::MemoryLimit
        | Class::LikelyMemory
        | Class::RewardMissing
        | Class::RewardGarbled
        | Class::Cancelled => return None,
    };
    let reading = format!("{}: {}", raised.class, shortened(&raised.message));
    let evidence = match confidence {
        Confidence::High => Evidence::observed("exception", reading, says),
        Confidence::Medium | Confidence::Low => Evidence::partial("exception", reading, says),
    };
    Some(Clue { kind, phase, position: Position::Terminal, confidence, evidence })
}

fn names_loopback(message: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].iter().any(|host| message.contains(host))
}

/// The beginning of a text on one line.
pub(super) fn shortened(text: &str) -> String {
    let line = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().take(MESSAGE_CHARS).map(line).collect()
}
