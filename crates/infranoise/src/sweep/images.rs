//! Images made ready before the first trial: fetched or built once, and in no trial's time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use infranoise_core::TaskId;
use infranoise_runner::prepare::Prepared;
use infranoise_sandbox::Engine;
use infranoise_sandbox::contract::{EngineError, ReadyRoot, RootSource};

use crate::console;
use crate::error::{CommandError, at};

/// What came of making one task's image ready.
pub struct Made {
    /// The task.
    pub task: TaskId,
    /// The image, or why there is none.
    pub root: Result<ReadyRoot, EngineError>,
}

/// Makes the image of every task ready, and whatever else trials start from. What is fetched or built goes to the log, line by line.
///
/// # Errors
/// If the log cannot be written.
pub fn make_ready(
    engine: &Engine,
    tasks: &BTreeMap<TaskId, Prepared>,
    given: &RootSource,
    log: &Path,
) -> Result<Vec<Made>, CommandError> {
    let mut file = None;
    let mut failed = None;
    let mut made = Vec::new();
    for (task, prepared) in tasks {
        let root = prepared.root.as_ref().unwrap_or(given);
        let mut first = true;
        let mut tell = |line: &str| {
            if std::mem::take(&mut first) {
                console::say(&format!("{task}: {line}"));
            }
            if file.is_none() {
                file = File::create(log).map_err(|error| failed = Some(error)).ok();
            }
            if let Some(Err(error)) = file.as_mut().map(|file| writeln!(file, "{task}: {line}")) {
                failed = Some(error);
            }
        };
        let root = engine.prepare(root, &mut tell);
        made.push(Made { task: task.clone(), root });
    }
    match failed {
        Some(error) => Err(at("write the log of images", log)(error)),
        None => Ok(made),
    }
}

/// Takes over what the images say; those that there are none of are named, and their trials will say so too.
pub fn settle(made: Vec<Made>, tasks: &mut BTreeMap<TaskId, Prepared>) {
    for Made { task, root } in made {
        match (root, tasks.get_mut(&task)) {
            (Ok(root), Some(prepared)) => {
                let own = prepared.root.is_some() && prepared.task.workdir.is_none();
                if let Some(workdir) = root.workdir.filter(|_| own) {
                    prepared.environment.workdir = workdir.to_string_lossy().into_owned();
                }
            }
            (Err(error), _) => console::warnings([format!("task `{task}`: {error}")]),
            (Ok(_), None) => {}
        }
    }
}
