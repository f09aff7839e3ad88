//! The launcher alone, for tests and benchmarks. With `enter PROGRAM ARGUMENT...` it becomes that program in a user namespace, as
//! `infranoise` does for an ordinary user: a test program has too many threads to do so itself.

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use infranoise_sandbox::rootless::enter;

#[expect(clippy::print_stderr, reason = "a program for tests, whose words are read there")]
fn main() -> ExitCode {
    infranoise_sandbox::launcher::main_if_asked();
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if let [first, program, arguments @ ..] = words.as_slice()
        && first == "enter"
    {
        match enter() {
            Ok(ids) => {
                eprintln!("entered a user namespace with {ids:?}");
                let error = Command::new(program).args(arguments).exec();
                eprintln!("{}: {error}", program.display());
            }
            Err(error) => eprintln!("{error}; {}", error.way_out()),
        }
    }
    ExitCode::FAILURE
}
