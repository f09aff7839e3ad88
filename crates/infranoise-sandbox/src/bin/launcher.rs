//! The launcher as a program of its own, for tests and examples that have no `main` of infranoise.

fn main() {
    infranoise_sandbox::launcher::main_if_asked();
}
