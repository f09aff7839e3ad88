//! A task made ready: everything that can fail does so before the first trial.

use std::path::{Path, PathBuf};

use infranoise_core::{PlannedTask, Stated, TaskSpec};
use infranoise_formats::tasks::contract::{DEFAULT_START_LIMIT_MS, DEFAULT_VERIFIER_LIMIT_MS};
use infranoise_formats::tasks::{self, EnvironmentPlan, Root, Task, TaskError, plan_environment};
use infranoise_sandbox::contract::RootSource;

/// A task, ready to be tried.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The task as it was read.
    pub task: Task,
    /// The root that it brings along: its own image. Without one it has the sweep's.
    pub root: Option<RootSource>,
    /// What must be laid over the root.
    pub environment: EnvironmentPlan,
    /// Variables of every command, resolved.
    pub env: Vec<(String, String)>,
    /// Further variables of the verifier.
    pub verifier_env: Vec<(String, String)>,
    /// Further variables of the oracle.
    pub solution_env: Vec<(String, String)>,
}

/// Why a task cannot be made ready.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The task asks for what is not there.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Environment(Vec<TaskError>),
    /// A variable of the host is missing.
    #[error("task `{task}`: {source}")]
    Variable {
        /// The task.
        task: String,
        /// Which.
        source: tasks::NotSet,
    },
}

impl Prepared {
    /// Makes a task ready for a root; `host_env` reads a variable of the host.
    ///
    /// # Errors
    /// Everything that the root lacks, or a variable that the host lacks.
    pub fn new(
        task: Task,
        root: Root<'_>,
        host_env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, PrepareError> {
        let environment = plan_environment(&task, root).map_err(PrepareError::Environment)?;
        let resolve = |variables| {
            tasks::resolve_all(variables, host_env)
                .map_err(|source| PrepareError::Variable { task: task.id.to_string(), source })
        };
        let mut env = environment.env.clone();
        env.extend(resolve(&task.env)?);
        let verifier_env = resolve(&task.verifier_env)?;
        let solution_env = resolve(&task.solution_env)?;
        Ok(Self { root: None, environment, env, verifier_env, solution_env, task })
    }

    /// The folder that commands start in.
    #[must_use]
    pub fn workdir(&self) -> PathBuf {
        Path::new(&self.environment.workdir).to_owned()
    }

    /// The task as a plan holds it.
    #[must_use]
    pub fn planned(&self) -> PlannedTask {
        PlannedTask {
            id: self.task.id.clone(),
            source: self.task.root.display().to_string(),
            digest: self.digest(),
            spec: self.spec(),
            labels: self.task.labels.clone(),
        }
    }

    /// What the trials of this task depend on: its own digest, and that of the script policy, which changes what the agent does.
    fn digest(&self) -> String {
        match &self.task.policy {
            Some(policy) => format!("{}+{}", self.task.digest, policy.sha256),
            None => self.task.digest.clone(),
        }
    }

    /// The task spec, with Harbor's limits where the task states none.
    #[must_use]
    pub fn spec(&self) -> TaskSpec {
        let stated = |limit: Stated<u64>, default| Stated::Value(limit.or(Some(default)).unwrap_or(default));
        TaskSpec {
            start_limit_ms: stated(self.task.spec.start_limit_ms, DEFAULT_START_LIMIT_MS),
            verifier_limit_ms: stated(self.task.spec.verifier_limit_ms, DEFAULT_VERIFIER_LIMIT_MS),
            ..self.task.spec
        }
    }
}
