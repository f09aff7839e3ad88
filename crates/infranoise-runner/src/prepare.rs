//! A task made ready: everything that can fail does so before the first trial.

use std::path::{Path, PathBuf};

use infranoise_core::{Bytes, MilliCpu, PlannedTask, Stated, TaskSpec};
use infranoise_formats::tasks::{self, EnvironmentPlan, Network, Root, Task, TaskError, plan_environment};

/// A task, ready to be tried.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The task as it was read.
    pub task: Task,
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
        Ok(Self { environment, env, verifier_env, solution_env, task })
    }

    /// The folder that commands start in.
    #[must_use]
    pub fn workdir(&self) -> PathBuf {
        Path::new(&self.environment.workdir).to_owned()
    }

    /// Whether the task wants the network.
    #[must_use]
    pub fn wants_network(&self) -> bool {
        self.task.network == Network::Public
    }

    /// The task as a plan holds it.
    #[must_use]
    pub fn planned(&self) -> PlannedTask {
        PlannedTask {
            id: self.task.id.clone(),
            source: self.task.root.display().to_string(),
            digest: self.task.digest.clone(),
            spec: self.spec(),
            labels: self.task.labels.clone(),
        }
    }

    /// The task spec; the script policy may state CPU and pids where Harbor's format has no place for them.
    #[must_use]
    pub fn spec(&self) -> TaskSpec {
        let mut spec = self.task.spec;
        if let Some(policy) = &self.task.policy {
            if let Some(cpu) = policy.cpu {
                spec.cpu = Stated::<MilliCpu>::Value(cpu);
            }
            if let Some(pids) = policy.pids {
                spec.pids = Stated::Value(pids);
            }
        }
        spec
    }

    /// The 1x memory, stated.
    #[must_use]
    pub fn memory_spec(&self) -> Option<Bytes> {
        self.task.spec.memory.or(None)
    }
}
