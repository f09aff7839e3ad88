//! Becoming a process that can hold trials to their limits, where this one is an ordinary user's.

use std::path::Path;

use infranoise_sandbox::rootless::{Ids, Situation, Way, decide, enter};

use crate::console;
use crate::environment;
use crate::error::{CommandError, at};
use crate::exit::Exit;

/// Executes the program again in a scope, enters a user namespace, or does nothing, as is needed. To be called before anything is made:
/// the program may begin again.
///
/// # Errors
/// If limits cannot be held, with what to type.
pub fn become_able() -> Result<(), CommandError> {
    match decide(&Situation::now()) {
        Way::AsItIs => Ok(()),
        Way::Again(scope) => {
            let program =
                environment::program().map_err(at("find this program in", Path::new("/proc/self/exe")))?;
            let error = scope.execute(&program, &environment::arguments());
            Err(CommandError::new(Exit::Unfit, format!("execute `systemd-run`: {error}"))
                .hint("become root: `sudo infranoise …`"))
        }
        Way::Enter => match enter() {
            Ok(Ids::Many) => Ok(()),
            Ok(Ids::One) => {
                console::warnings([
                    "without root and with one id: what changes owners inside a sandbox fails there; \
                     newuidmap and a range in /etc/subuid and /etc/subgid give more",
                ]);
                Ok(())
            }
            Err(error) => Err(CommandError::new(Exit::Unfit, &error).hint(error.way_out())),
        },
        Way::Refused { what, way_out } => Err(CommandError::new(Exit::Unfit, what).hint(way_out)),
    }
}
