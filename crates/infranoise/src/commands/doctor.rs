//! `infranoise doctor`: can this host hold what a sweep asks for? A way out beside each failure.

use crate::cli::Doctor;
use crate::error::CommandError;
use crate::exit::Exit;

pub(super) fn run(_args: &Doctor) -> Result<Exit, CommandError> {
    Err(CommandError::usage("not there yet"))
}
