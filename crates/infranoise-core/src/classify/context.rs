//! What a rule may know beyond the trial itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::{Bytes, Cause};

/// What the qualification of the task showed, as far as it was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Qualification {
    /// Whether the oracle's trials end in the same missing verdict.
    pub oracle_shows_it: Option<bool>,
    /// Whether the nop agent's trials do.
    pub nop_shows_it: Option<bool>,
}

/// The trial on its host at the moment of a host out-of-memory kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostAtKill {
    /// What the trial used.
    pub own_usage_bytes: Bytes,
    /// What it was guaranteed.
    pub own_floor_bytes: Bytes,
    /// Whether it was the largest user on the host.
    pub largest_user: bool,
}

/// What the model API was doing when a deadline passed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApiAtDeadline {
    /// Nobody watched it, or the agent uses none.
    #[default]
    NotWatched,
    /// It answered.
    Quiet,
    /// A stall, a rate limit or an outage was still open.
    Open {
        /// Which.
        cause: Cause,
        /// What shows it.
        evidence: Evidence,
    },
}

/// What a rule may know beyond the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Context {
    /// The task's qualification.
    pub qualification: Qualification,
    /// The host at the moment of a host out-of-memory kill.
    pub host_at_kill: Option<HostAtKill>,
    /// The model API at the agent's deadline.
    pub api: ApiAtDeadline,
    /// Whether the verifier ran in a sandbox that the agent never touched.
    pub verifier_clean: bool,
}
