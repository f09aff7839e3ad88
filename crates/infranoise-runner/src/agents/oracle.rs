//! The agent that carries out the task's own solution.

use std::path::Path;

use infranoise_core::Phase;
use infranoise_formats::tasks::contract::{SOLUTION, SOLUTION_ENV, SOLUTION_SCRIPT};

use crate::trial::{Command, Job, Stage, failed};

pub(super) fn act(stage: &mut Stage<'_>, job: &Job<'_>) -> Vec<String> {
    let begun = stage.begin(Phase::Agent, job.allocation.time.agent_ms);
    let Some(solution) = &job.task.task.solution else {
        stage.end(begun, infranoise_core::Stop::Exited { code: 1 });
        return Vec::new();
    };
    if let Err(error) = stage.sandbox.put(solution, Path::new(SOLUTION)) {
        stage.end(begun, failed(&error));
        return Vec::new();
    }
    let env = SOLUTION_ENV.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let command =
        Command::shell(&format!("chmod +x {SOLUTION_SCRIPT}; exec {SOLUTION_SCRIPT}"), "oracle.txt")
            .with_env(env)
            .with_env(job.task.solution_env.clone());
    let stop = stage.carry_out(&begun, command);
    stage.end(begun, stop);
    Vec::new()
}
