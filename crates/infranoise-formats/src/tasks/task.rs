//! A task as it was read: nothing decided yet, nothing started.

use std::collections::BTreeMap;
use std::path::PathBuf;

use infranoise_core::{TaskId, TaskSpec};

use super::policy::ScriptPolicy;
use super::report::TaskWarning;
use super::variable::Template;

/// Variables with values that may come from the host.
pub type Variables = Vec<(String, Template)>;

/// One problem with its environment and verifier.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name: `[task].name` where stated, else the folder's name.
    pub id: TaskId,
    /// Its folder.
    pub root: PathBuf,
    /// What it recommends: the 1x values.
    pub spec: TaskSpec,
    /// What the agent is told, without canary lines.
    pub instruction: String,
    /// The image and the files that the sandbox starts from.
    pub image: ImageInfo,
    /// The folder that commands start in, if the task file names one (a Dockerfile may name another).
    pub workdir: Option<String>,
    /// The network that the sandbox has.
    pub network: Network,
    /// Who the agent and the verifier run as.
    pub users: Users,
    /// Variables of every command.
    pub env: Variables,
    /// Further variables of the verifier.
    pub verifier_env: Variables,
    /// Further variables of the oracle.
    pub solution_env: Variables,
    /// The folder with `test.sh`, copied to `/tests` after the agent.
    pub tests: PathBuf,
    /// The folder with `solve.sh`, for the oracle; not every task has one.
    pub solution: Option<PathBuf>,
    /// The strategies of the `script` agent, if the task comes with some.
    pub policy: Option<ScriptPolicy>,
    /// SHA-256 of its files in hexadecimal, as Harbor computes a package digest. `policy.*` is not part of it: see
    /// [`ScriptPolicy::sha256`].
    pub digest: String,
    /// What the task says about itself: `[metadata]`, with the keys of sub-tables joined by dots (`expected.1.5`).
    pub labels: BTreeMap<String, String>,
    /// What a person should know about it.
    pub warnings: Vec<TaskWarning>,
}

/// What the sandbox's root is meant to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageInfo {
    /// A ready-made image.
    pub name: Option<String>,
    /// The Dockerfile, if there is one.
    pub dockerfile: Option<PathBuf>,
    /// The folder that a Dockerfile copies from (`environment/`).
    pub context: Option<PathBuf>,
}

/// What the sandbox may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Everything.
    #[default]
    Public,
    /// Nothing.
    NoNetwork,
}

/// A user inside the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum User {
    /// The image's: root, unless it says otherwise.
    #[default]
    Default,
    /// Root, by name or number.
    Root,
}

/// Who the agent and the verifier run as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Users {
    /// The agent.
    pub agent: User,
    /// The verifier.
    pub verifier: User,
}
