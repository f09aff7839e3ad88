//! The program around [`infranoise_supervisor::main`].

fn main() -> std::process::ExitCode {
    infranoise_supervisor::main()
}
