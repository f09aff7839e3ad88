//! Ctrl-C: once lets running trials finish, twice ends them.

use infranoise_runner::halt::{Halt, Wish};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;

/// Listens for SIGINT and SIGTERM for as long as the process lives.
///
/// # Errors
/// If the system refuses.
pub fn listen(halt: Halt) -> Result<(), CommandError> {
    let mut signals = Signals::new([SIGINT, SIGTERM])
        .map_err(|error| CommandError::new(Exit::Unexpected, format!("listen for signals: {error}")))?;
    let listener = move || {
        for _ in signals.forever() {
            match halt.step() {
                Wish::Drain => console::say(
                    "stopping: running trials may finish; press Ctrl-C again to end them (the same command goes on later)",
                ),
                Wish::Stop => {
                    console::say("stopping at once: trials in flight are given up and done again later")
                }
                Wish::GoOn => {}
            }
        }
    };
    let started = std::thread::Builder::new().name("signals".into()).spawn(listener);
    started
        .map(|_| ())
        .map_err(|error| CommandError::new(Exit::Unexpected, format!("start a thread: {error}")))
}
