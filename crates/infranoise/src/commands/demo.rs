//! `infranoise demo`: a real sweep of the bundled probes, in the first minute.

use crate::cli::Demo;
use crate::console;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::sweep::{execute, resolve_demo};

pub(super) fn run(args: &Demo) -> Result<Exit, CommandError> {
    if let Some(folder) = &args.export {
        infranoise_probes::materialise(infranoise_probes::BUNDLED, folder)
            .map_err(at("write the bundled tasks to", folder))?;
        console::say(&format!(
            "{} tasks are in {}; try them with: infranoise sweep -p {} -a script",
            infranoise_probes::BUNDLED.len(),
            folder.display(),
            folder.display()
        ));
        return Ok(Exit::Done);
    }
    console::say(
        "demo: bundled probes under real kernel limits in six arms. It is staged: a check of the instrument, no model is measured.",
    );
    super::sweeping::show(&execute(resolve_demo(args)?)?, args.json)
}
