//! Where a sandbox's files come from: layers of the host that it reads, and its own that it writes.

mod etc;
mod fit;
mod host;
mod tar;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::contract::RootSource;
use crate::launcher::plan::Layer;

pub use fit::{UnfitRoot, fit_root};

/// A folder that could not be made ready, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{step}: `{path}`: {source}")]
pub(crate) struct RootError {
    pub(crate) step: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

/// Names the step and the path of an error.
fn at<'a>(step: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> RootError + 'a {
    move |source| RootError { step, path: path.to_owned(), source }
}

/// Read-only folders that together are a root: the first is the root itself, the others are laid at a place in it.
#[derive(Clone, Debug)]
pub(crate) struct Lowers(Vec<(PathBuf, PathBuf)>);

/// Resolves a source into folders; what has to be made for that is kept in `cache` and made once.
pub(crate) fn lowers(source: &RootSource, cache: &Path) -> Result<Lowers, RootError> {
    match source {
        RootSource::HostUserland => host::lowers(&cache.join("host")),
        RootSource::Folder(folder) => {
            let folder = fs::canonicalize(folder).map_err(at("find the root folder", folder))?;
            Ok(Lowers(vec![(PathBuf::new(), folder)]))
        }
        RootSource::Tar(file) => {
            tar::unpacked(file, cache).map(|folder| Lowers(vec![(PathBuf::new(), folder)]))
        }
        RootSource::Image(name) => Err(no_images(Path::new(name))),
        RootSource::Build(recipe) => Err(no_images(&recipe.context)),
    }
}

fn no_images(path: &Path) -> RootError {
    let step = "this engine has no images yet (`-e docker` and `-e podman` have): use the image";
    RootError { step, path: path.to_owned(), source: io::ErrorKind::Unsupported.into() }
}

impl Lowers {
    /// The root itself, and what is laid at places in it.
    #[cfg(feature = "docker")]
    pub(crate) fn split(mut self) -> Option<(PathBuf, Self)> {
        (!self.0.is_empty()).then(|| (self.0.remove(0).1, self))
    }

    /// Makes the writable side of each layer under a new folder; the sandbox will find that folder at `seen_at`.
    pub(crate) fn layers(&self, writable: &Path, seen_at: &Path) -> Result<Vec<Layer>, RootError> {
        let layer = |(number, (place, lower)): (usize, &(PathBuf, PathBuf))| {
            let (upper, work) = (format!("u{number}"), format!("w{number}"));
            for folder in [&upper, &work].map(|name| writable.join(name)) {
                fs::create_dir(&folder).map_err(at("make a layer", &folder))?;
            }
            let [upper, work] = [upper, work].map(|name| seen_at.join(name));
            Ok(Layer { at: place.clone(), lower: lower.clone(), upper, work })
        };
        self.0.iter().enumerate().map(layer).collect()
    }
}
