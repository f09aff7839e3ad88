//! Images that are built of a folder with a `Dockerfile`: by the daemon's own builder, once for each content, in no trial's time.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::Path;

use bollard::errors::Error;
use bollard::query_parameters::BuildImageOptionsBuilder;
use futures_util::StreamExt;
use infranoise_core::Ceiling;

use super::daemon::Daemon;
use super::failure::whole;
use super::image::{Chunks, Known, from, inspect, missing};
use super::packing::pack;
use crate::contract::{EngineError, Recipe};
use crate::local::LocalEngine;

/// The name of images that are built.
const OURS: &str = "infranoise/task";
/// How many lines of a failed build's log are said.
const TOLD_LINES: usize = 12;

/// Finds or builds the image of a recipe.
pub(super) fn built(
    daemon: &Daemon,
    local: &LocalEngine,
    recipe: &Recipe,
    tell: &mut dyn FnMut(&str),
) -> Result<Known, EngineError> {
    let failed = |why: String| EngineError::Build { context: recipe.context.clone(), why };
    let file = local.home().join("context.tar");
    // Times say nothing: a fresh checkout of the same task is the same image.
    let packed = pack(&recipe.context, &file, true).map_err(|error| failed(error.to_string()))?;
    let name = format!("{OURS}-{}", packed.name());
    let found = match inspect(daemon, &name)? {
        Some(found) => found,
        None => {
            tell(&format!("building `{}` as the image `{name}`", recipe.context.display()));
            build(daemon, recipe, &name, &file, tell)?;
            inspect(daemon, &name)?.ok_or_else(|| missing(&name, "it was built and is not there"))?
        }
    };
    drop(fs::remove_file(&file));
    Ok(from(found))
}

fn build(
    daemon: &Daemon,
    recipe: &Recipe,
    name: &str,
    file: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<(), EngineError> {
    let failed = |why: String| EngineError::Build { context: recipe.context.clone(), why };
    let context = File::open(file).map_err(|error| failed(error.to_string()))?;
    let options = BuildImageOptionsBuilder::default()
        .dockerfile("Dockerfile")
        .t(name)
        .rm(true)
        .forcerm(true)
        .networkmode(daemon.build_network())
        .build();
    let mut last = VecDeque::new();
    let work = daemon.plain(async |client| {
        let body = bollard::body_try_stream(futures_util::stream::iter(Chunks(context)));
        let mut steps = client.build_image(options, None, Some(body));
        let all = async {
            while let Some(step) = steps.next().await {
                let step = step?;
                if let Some(error) = step.error_detail.and_then(|detail| detail.message) {
                    return Err(Error::DockerStreamError { error });
                }
                let text = step.stream.unwrap_or_default();
                for line in text.lines().filter(|line| !line.trim().is_empty()) {
                    tell(line);
                    last.push_back(line.to_owned());
                    if last.len() > TOLD_LINES {
                        last.pop_front();
                    }
                }
            }
            Ok(())
        };
        match recipe.limit {
            Ceiling::Uncapped => all.await,
            Ceiling::At(limit) => match tokio::time::timeout(limit, all).await {
                Ok(done) => done,
                Err(_) => Err(Error::RequestTimeoutError),
            },
        }
    });
    work.map_err(|error| {
        let log: Vec<String> = last.into_iter().collect();
        failed(format!("{}; the end of the log:\n{}", whole(&error), log.join("\n")))
    })
}
