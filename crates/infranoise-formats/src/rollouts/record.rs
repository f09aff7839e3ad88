//! The smallest record of a rollout that can be judged: what a training loop has at hand.

use infranoise_core::{Cause, HostAtKill, Phase};
use serde::Deserialize;
use serde_json::Value;

/// One rollout. Every field may be absent; absent and `null` are the same: not known. Unknown fields are refused, since a misspelt counter
/// would silently change the verdict; what else belongs to a rollout goes into `meta`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rollout {
    /// Any name or number; it comes back with the verdict.
    pub id: Value,
    /// Anything; it is not looked at.
    pub meta: Value,
    /// The verifier's value: solved from 1 on. Absent where there was no verdict.
    pub reward: Option<f64>,
    /// The exit code of the agent's program; negative for a signal, as Python has it.
    pub exit_code: Option<i32>,
    /// The signal that ended the agent's program.
    pub signal: Option<i32>,
    /// The exit code of the verifier's program.
    pub verifier_exit_code: Option<i32>,
    /// The exception that ended the rollout, as the harness raised it; not what the agent's tools printed.
    pub exception: Option<Raised>,
    /// How long each phase took, in milliseconds. A phase that was never begun has no time.
    pub phases: Times,
    /// The limits of the phases, in milliseconds.
    pub limits: Times,
    /// Processes that were killed at the sandbox's own memory limit (`oom_kill` in `memory.events`). 0 says that somebody counted.
    pub oom_kills: Option<u64>,
    /// How often the own limit was the reason (`oom` in `memory.events`): 0 beside kills means that the host ran out, not the sandbox.
    pub oom_events: Option<u64>,
    /// Whether the kill ended the whole sandbox (Kubernetes: `OOMKilled`).
    pub oom_ended: Option<bool>,
    /// The phase of the kills; the agent's, if it is absent.
    pub oom_phase: Option<Phase>,
    /// Processes of the sandbox that were killed because the host ran out of memory.
    pub host_oom_kills: Option<u64>,
    /// The sandbox on its host at that moment, which decides whose doing it was.
    pub host_at_kill: Option<HostAtKill>,
    /// Forks that the own pids limit refused (`pids.events max`).
    pub pids_refused: Option<u64>,
    /// Writes that the own storage limit refused.
    pub storage_refused: Option<u64>,
    /// Guaranteed memory.
    pub memory_floor_bytes: Option<u64>,
    /// The memory limit.
    pub memory_ceiling_bytes: Option<u64>,
    /// The peak of memory (`memory.peak`).
    pub memory_peak_bytes: Option<u64>,
    /// Guaranteed CPU, in thousandths of one.
    pub cpu_floor_millicpu: Option<u32>,
    /// CPU time used.
    pub cpu_us: Option<u64>,
    /// How long the own CPU limit held the agent back.
    pub agent_throttled_us: Option<u64>,
    /// How long others held the agent back: CPU pressure minus own throttling.
    pub agent_contention_us: Option<u64>,
    /// What of the model API was still open when the agent's limit passed: `api_stall`, `api_rate_limit` or `api_error`.
    pub api_open: Option<Cause>,
}

/// An exception.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Raised {
    /// Its class, with or without the module: `openai.RateLimitError`.
    pub class: String,
    /// Its message.
    pub message: String,
    /// The phase in which it was raised, where that is known.
    pub phase: Option<Phase>,
}

/// A time for each phase, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Times {
    /// Fetching an image.
    pub pull_ms: Option<u64>,
    /// Building an image.
    pub build_ms: Option<u64>,
    /// Creating the sandbox.
    pub start_ms: Option<u64>,
    /// Set-up.
    pub setup_ms: Option<u64>,
    /// The agent.
    pub agent_ms: Option<u64>,
    /// The verifier.
    pub verify_ms: Option<u64>,
}

impl Times {
    /// The time of a phase.
    #[must_use]
    pub fn of(&self, phase: Phase) -> Option<u64> {
        match phase {
            Phase::Pull => self.pull_ms,
            Phase::Build => self.build_ms,
            Phase::Start => self.start_ms,
            Phase::Setup => self.setup_ms,
            Phase::Agent => self.agent_ms,
            Phase::Verify => self.verify_ms,
            Phase::Stop => None,
        }
    }

    /// The last phase that has a time.
    pub(super) fn last(&self) -> Option<Phase> {
        Phase::ALL.into_iter().rev().find(|phase| self.of(*phase).is_some())
    }
}
