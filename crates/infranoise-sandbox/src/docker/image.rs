//! Images: fetched once, pinned by what they are, and made of folders where a root is none.

use std::fs::File;
use std::path::{Path, PathBuf};

use bollard::errors::Error;
use bollard::models::{CreateImageInfo, ImageInspect};
use bollard::query_parameters::CreateImageOptionsBuilder;
use bytes::Bytes;
use futures_util::StreamExt;

use super::build::built;
use super::daemon::Daemon;
use super::failure::{image_failure, whole};
use super::packing::pack;
use crate::contract::{EngineError, RootSource};
use crate::local::LocalEngine;
use crate::root::Lowers;

/// The name of images that are made of folders.
const OURS: &str = "infranoise/root";
/// How much of a file is sent at once.
const CHUNK_BYTES: usize = 1 << 20;

/// An image that is there.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// What it is, whatever its name comes to mean.
    pub(super) id: String,
    /// How the registry calls it, if it came from one.
    pub(super) digest: Option<String>,
    /// Variables that it gives to every command.
    pub(super) env: Vec<(String, String)>,
    /// The folder that it says commands start in.
    pub(super) workdir: Option<PathBuf>,
    /// Folders of the host that are laid over it.
    pub(super) above: Option<Lowers>,
}

/// Finds or makes the image of a root; `tell` hears how that goes.
pub(super) fn known(
    daemon: &Daemon,
    local: &LocalEngine,
    source: &RootSource,
    tell: &mut dyn FnMut(&str),
) -> Result<Known, EngineError> {
    match source {
        RootSource::Image(name) => return named(daemon, name, tell),
        RootSource::Build(recipe) => return built(daemon, local, recipe, tell),
        RootSource::HostUserland | RootSource::Folder(_) | RootSource::Tar(_) => {}
    }
    let lowers = local.lowers(source).map_err(|error| EngineError::Host {
        step: error.step.to_owned(),
        path: error.path,
        source: error.source,
    })?;
    let Some((base, above)) = lowers.split() else {
        return Err(super::failure::incapable("a root without layers", "report this as a defect"));
    };
    // The skeleton of the host's userland is made anew by each engine: its times say nothing.
    let plain = *source == RootSource::HostUserland;
    let file = local.home().join("packing.tar");
    let packed = pack(&base, &file, plain).map_err(|source| EngineError::Host {
        step: "pack the root".to_owned(),
        path: base.clone(),
        source,
    })?;
    // The hash is part of the name: not every service takes a tag with an import.
    let name = format!("{OURS}-{}", packed.name());
    let found = match inspect(daemon, &name)? {
        Some(found) => found,
        None => {
            tell(&format!("importing `{}` as the image `{name}`", base.display()));
            import(daemon, &name, &file)?;
            inspect(daemon, &name)?.ok_or_else(|| missing(&name, "it was imported and is not there"))?
        }
    };
    drop(std::fs::remove_file(&file));
    Ok(Known { above: Some(above), ..from(found) })
}

/// An image by its name, fetched if it is not there.
fn named(daemon: &Daemon, name: &str, tell: &mut dyn FnMut(&str)) -> Result<Known, EngineError> {
    if let Some(found) = inspect(daemon, name)? {
        return Ok(from(found));
    }
    fetch(daemon, name, tell)?;
    let found = inspect(daemon, name)?;
    found.map(from).ok_or_else(|| missing(name, "it was fetched and is not there"))
}

pub(super) fn missing(image: &str, why: &str) -> EngineError {
    EngineError::Image {
        image: image.to_owned(),
        failure: crate::contract::ImageFailure::Missing,
        why: why.to_owned(),
    }
}

pub(super) fn inspect(daemon: &Daemon, name: &str) -> Result<Option<ImageInspect>, EngineError> {
    match daemon.plain(async |client| client.inspect_image(name).await) {
        Ok(found) => Ok(Some(found)),
        Err(Error::DockerResponseServerError { status_code: 404, .. }) => Ok(None),
        Err(error) => Err(super::failure::daemon_error(daemon.flavour, "look for the image", &error)),
    }
}

pub(super) fn from(found: ImageInspect) -> Known {
    let pair = |text: String| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = found.config.unwrap_or_default();
    let env = config.env.unwrap_or_default();
    Known {
        id: found.id.unwrap_or_default(),
        digest: found.repo_digests.unwrap_or_default().into_iter().next(),
        env: env.into_iter().filter_map(pair).collect(),
        workdir: config.working_dir.filter(|folder| !folder.is_empty()).map(PathBuf::from),
        above: None,
    }
}

/// Fetches an image from its registry.
fn fetch(daemon: &Daemon, name: &str, tell: &mut dyn FnMut(&str)) -> Result<(), EngineError> {
    let options = CreateImageOptionsBuilder::default().from_image(&with_tag(name)).build();
    let pulled = daemon.plain(async |client| {
        let mut progress = client.create_image(Some(options), None, None);
        while let Some(step) = progress.next().await {
            if let Some(line) = line(name, &step?) {
                tell(&line);
            }
        }
        Ok(())
    });
    pulled.map_err(|error| {
        let why = whole(&error);
        match error {
            Error::DockerResponseServerError { .. } | Error::DockerStreamError { .. } => {
                EngineError::Image { image: name.to_owned(), failure: image_failure(&why), why }
            }
            _ => super::failure::daemon_error(daemon.flavour, &format!("fetch the image `{name}`"), &error),
        }
    })
}

/// Without a tag a daemon would fetch all of them.
fn with_tag(name: &str) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    if last.contains(':') || name.contains('@') { name.to_owned() } else { format!("{name}:latest") }
}

/// One line of progress; the many steps of a layer's download are left to whoever draws bars.
fn line(name: &str, step: &CreateImageInfo) -> Option<String> {
    let status = step.status.as_deref()?;
    let quiet = ["Downloading", "Extracting", "Waiting", "Verifying Checksum", "Pulling fs layer"];
    if quiet.contains(&status) {
        return None;
    }
    let id = step.id.as_deref().map_or(String::new(), |id| format!("{id}: "));
    Some(format!("{name}: {id}{status}"))
}

fn import(daemon: &Daemon, name: &str, file: &Path) -> Result<(), EngineError> {
    let host =
        |source| EngineError::Host { step: "read the packed root".to_owned(), path: file.to_owned(), source };
    let tar = File::open(file).map_err(host)?;
    let chunks = futures_util::stream::iter(Chunks(tar));
    let options = CreateImageOptionsBuilder::default().from_src("-").repo(name).tag("latest").build();
    daemon.call("import the root", async |client| {
        let body = bollard::body_try_stream(chunks);
        let mut steps = client.create_image(Some(options), Some(body), None);
        while let Some(step) = steps.next().await {
            step?;
        }
        Ok(())
    })
}

/// A file in pieces.
pub(super) struct Chunks(pub(super) File);

impl Iterator for Chunks {
    type Item = std::io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut chunk = vec![0; CHUNK_BYTES];
        match std::io::Read::read(&mut self.0, &mut chunk) {
            Ok(0) => None,
            Ok(length) => {
                chunk.truncate(length);
                Some(Ok(Bytes::from(chunk)))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_tag_means_the_latest() {
        let cases = [
            ("debian", "debian:latest"),
            ("debian:12", "debian:12"),
            ("127.0.0.1:5000/a/b", "127.0.0.1:5000/a/b:latest"),
            ("127.0.0.1:5000/a/b:1", "127.0.0.1:5000/a/b:1"),
            ("a/b@sha256:00", "a/b@sha256:00"),
        ];
        for (name, expected) in cases {
            assert_eq!(with_tag(name), expected);
        }
    }
}
