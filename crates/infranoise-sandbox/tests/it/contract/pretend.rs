//! Just enough of a shell for the cases that a scripted engine can answer.

use infranoise_core::{SignalSender, Stop};
use infranoise_sandbox::contract::{ExecSpec, SandboxSpec};
use infranoise_sandbox::fake::Answer;

pub(super) fn pretend(_: &SandboxSpec, exec: &ExecSpec) -> Answer {
    let mut answer = Answer::exits(0);
    let Some(script) = exec.argv.get(2).filter(|_| exec.argv[0] == "/bin/sh") else {
        return Answer::exits(127);
    };
    for part in script.split("; ") {
        match part.split_once(' ') {
            Some(("exit", code)) => answer.stop = Stop::Exited { code: code.parse().expect("a code") },
            Some(("kill", signal)) => {
                let signal =
                    signal.trim_start_matches('-').trim_end_matches(" $$").parse().expect("a signal");
                answer.stop = Stop::Signalled { signal, by: SignalSender::Inside };
            }
            Some(("echo", text)) => answer.prints.push_str(&format!("{text}\n")),
            Some(("sleep", seconds)) => answer.takes_ms = seconds.parse::<u64>().expect("seconds") * 1000,
            _ => assert_eq!(part, "true"),
        }
    }
    answer
}
