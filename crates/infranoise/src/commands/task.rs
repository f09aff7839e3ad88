//! `infranoise task build`: the images of tasks, fetched or built before a sweep needs them.

use infranoise_formats::tasks::Selection;
use infranoise_sandbox::contract::RootSource;

use crate::cli::{Task, TaskBuild};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sweep::images::{Made, make_ready};
use crate::sweep::{Engines, own_images};

pub(super) fn run(args: &Task) -> Result<Exit, CommandError> {
    match args {
        Task::Build(args) => build(args),
    }
}

fn build(args: &TaskBuild) -> Result<Exit, CommandError> {
    let engine = Engines::named(&args.engine)?;
    if !engine.has_images() {
        return Err(CommandError::usage(format!("the engine `{}` has no images yet", engine.name()))
            .hint("use -e docker or -e podman"));
    }
    let selection = Selection { include: args.include.clone(), exclude: args.exclude.clone(), first: None };
    let tasks = own_images(&args.tasks, &selection)?;
    let engine = engine.start()?;
    let made = make_ready(&engine, &tasks, &RootSource::HostUserland, &args.log)?;
    let failed = made.iter().filter(|made| made.root.is_err()).count();
    if args.json {
        console::json(&made.iter().map(row).collect::<Vec<_>>())?;
    } else {
        made.iter().try_for_each(|made| console::data(&line(made)))?;
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Incomplete })
}

fn row(made: &Made) -> serde_json::Value {
    match &made.root {
        Ok(root) => serde_json::json!({
            "task": made.task.to_string(),
            "image": root.image,
            "digest": root.digest,
            "workdir": root.workdir,
        }),
        Err(error) => serde_json::json!({
            "task": made.task.to_string(),
            "cause": error.cause().to_string(),
            "error": error.to_string(),
        }),
    }
}

fn line(made: &Made) -> String {
    match &made.root {
        Ok(root) => {
            let image = root.image.as_deref().unwrap_or("no image");
            let digest = root.digest.as_deref().map_or(String::new(), |digest| format!("  {digest}"));
            format!("{}  {image}{digest}", made.task)
        }
        Err(error) => format!("{}  {}: {error}", made.task, error.cause()),
    }
}
