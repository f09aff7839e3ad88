//! The phases of a trial.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A phase of a trial, in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Fetching an image.
    Pull,
    /// Building an image.
    Build,
    /// Creating the sandbox.
    Start,
    /// Installing the agent and whatever else comes before its clock.
    Setup,
    /// The agent works on the task.
    Agent,
    /// The verifier grades the result.
    Verify,
    /// Teardown.
    Stop,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 7] =
        [Self::Pull, Self::Build, Self::Start, Self::Setup, Self::Agent, Self::Verify, Self::Stop];
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Pull => "pull",
            Self::Build => "build",
            Self::Start => "start",
            Self::Setup => "set-up",
            Self::Agent => "agent",
            Self::Verify => "verify",
            Self::Stop => "stop",
        })
    }
}
