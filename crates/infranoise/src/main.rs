//! The command line of infranoise.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The launcher is this program again, before anything else has happened in it.
    infranoise_sandbox::launcher::main_if_asked();
    infranoise::main()
}
