//! Any program inside the sandbox, given the instruction.

use infranoise_core::Phase;

use crate::trial::{Command, Job, Stage};

/// What stands for the instruction in an argument.
const PLACEHOLDER: &str = "{instruction}";

pub(super) fn act(stage: &mut Stage<'_>, job: &Job<'_>, argv: &[String]) -> Vec<String> {
    let begun = stage.begin(Phase::Agent, job.allocation.time.agent_ms);
    let instruction = &job.task.task.instruction;
    let command = Command {
        argv: argv.iter().map(|argument| argument.replace(PLACEHOLDER, instruction)).collect(),
        env: vec![("INFRANOISE_INSTRUCTION".to_owned(), instruction.clone())],
        log: "command.txt",
    };
    let stop = stage.carry_out(&begun, command);
    stage.end(begun, stop);
    Vec::new()
}
