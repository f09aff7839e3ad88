//! Any program inside the sandbox, given the instruction.

use infranoise_core::{Phase, Stop};

use crate::trial::{Command, Job, Stage, Watcher};

/// What stands for the instruction in an argument.
const PLACEHOLDER: &str = "{instruction}";

/// Looks for the program before the agent's clock starts: a program that is not there is no failure of the agent.
pub(super) fn setup(
    stage: &mut Stage<'_>,
    job: &Job<'_>,
    watcher: &dyn Watcher,
    argv: &[String],
) -> Option<Stop> {
    let program = argv.first()?;
    watcher.phase(Phase::Setup);
    let begun = stage.begin(Phase::Setup, job.allocation.time.start_ms);
    let mut look = Command::shell(
        "command -v \"$0\" || { echo \"$0 is not in the sandbox\" >&2; exit 127; }",
        "setup.txt",
    );
    look.argv.push(program.clone());
    let stop = stage.carry_out(&begun, look);
    stage.end(begun, stop.clone());
    Some(stop)
}

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
