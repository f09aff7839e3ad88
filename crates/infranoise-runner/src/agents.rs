//! The agents that need no model: oracle, nop, script and any program.

use infranoise_core::Stop;

use crate::trial::{Job, Stage, Watcher};

mod command;
mod nop;
mod oracle;
mod script;

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Carries out the task's own solution.
    Oracle,
    /// Does nothing.
    Nop,
    /// Follows the task's script policy: strategies from a seed, with fallbacks on what it observes.
    Script,
    /// Any program inside the sandbox; `{instruction}` in an argument stands for the task's instruction.
    Command(Vec<String>),
}

/// Why an agent cannot work on a task, found before anything starts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// There is no agent of that name.
    #[error(
        "there is no agent `{name}`; known are oracle, nop, script, and command (with the program after `--`)"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// `command` without a program.
    #[error(
        "the agent `command` needs a program: put it after `--`, as in `-a command -- my-agent --task {{instruction}}`"
    )]
    NoProgram,
    /// A program for an agent that takes none.
    #[error(
        "the agent `{name}` takes no program; leave out what stands after `--`, or take the agent `command`"
    )]
    TakesNoProgram {
        /// The agent.
        name: String,
    },
    /// A task lacks what the agent needs.
    #[error(
        "task `{task}` has no {what}, which the agent `{agent}` needs; leave the task out with --exclude, or take another agent"
    )]
    TaskLacks {
        /// The task.
        task: String,
        /// What is missing.
        what: &'static str,
        /// The agent.
        agent: &'static str,
    },
}

impl Agent {
    /// The agent of this name; `program` is what stands after `--`.
    ///
    /// # Errors
    /// If there is none, or `command` has no program.
    pub fn named(name: &str, program: &[String]) -> Result<Self, AgentError> {
        if name != "command" && !program.is_empty() {
            return Err(AgentError::TakesNoProgram { name: name.to_owned() });
        }
        match name {
            "oracle" => Ok(Self::Oracle),
            "nop" => Ok(Self::Nop),
            "script" => Ok(Self::Script),
            "command" if program.is_empty() => Err(AgentError::NoProgram),
            "command" => Ok(Self::Command(program.to_vec())),
            _ => Err(AgentError::Unknown { name: name.to_owned() }),
        }
    }

    /// The agent's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Oracle => "oracle",
            Self::Nop => "nop",
            Self::Script => "script",
            Self::Command(_) => "command",
        }
    }

    /// Checks that a task has what the agent needs.
    ///
    /// # Errors
    /// Names what is missing.
    pub fn check(&self, task: &infranoise_formats::tasks::Task) -> Result<(), AgentError> {
        let lacks = |what| AgentError::TaskLacks { task: task.id.to_string(), what, agent: self.name() };
        match self {
            Self::Oracle if task.solution.is_none() => Err(lacks("solution/solve.sh")),
            Self::Script if task.policy.is_none() => Err(lacks("policy.toml or policy.json")),
            Self::Oracle | Self::Script | Self::Nop | Self::Command(_) => Ok(()),
        }
    }

    /// Carries out the set-up phase, if the agent has one; its stop.
    pub(crate) fn setup(&self, stage: &mut Stage<'_>, job: &Job<'_>, watcher: &dyn Watcher) -> Option<Stop> {
        match self {
            Self::Script => script::setup(stage, job, watcher),
            Self::Command(argv) => command::setup(stage, job, watcher, argv),
            Self::Oracle | Self::Nop => None,
        }
    }

    /// Carries out the agent phase; returns the agent's own names for what it did.
    pub(crate) fn act(&self, stage: &mut Stage<'_>, job: &Job<'_>) -> Vec<String> {
        match self {
            Self::Oracle => oracle::act(stage, job),
            Self::Nop => nop::act(stage, job),
            Self::Script => script::act(stage, job),
            Self::Command(argv) => command::act(stage, job, argv),
        }
    }
}
