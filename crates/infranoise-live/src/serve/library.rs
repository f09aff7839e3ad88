//! The sweeps that can be looked at, and the workers of those that somebody looks at.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use infranoise_core::SweepId;
use infranoise_store::{PlanFile, sweeps_in};

use super::Options;
use super::worker::Worker;
use crate::find::{Place, place, written};
use crate::{Clock, LiveError};

/// At most so many sweeps are followed at once.
const FOLLOWED: usize = 16;

/// The sweeps at a place.
#[derive(Debug)]
pub(super) struct Library {
    root: Root,
    workers: Mutex<BTreeMap<String, Arc<Worker>>>,
    clock: Clock,
    made_by: &'static str,
}

#[derive(Debug)]
enum Root {
    /// One sweep, by the name that stands in addresses.
    One(String, PathBuf),
    /// A folder with sweeps.
    Many(PathBuf),
}

/// Why a sweep is not shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// There is none of that name.
    Unknown,
    /// Too many others are looked at, or the system is at its end.
    Busy,
    /// It cannot be read.
    Failed(String),
}

impl Library {
    /// Looks what lies at the place.
    ///
    /// # Errors
    /// If there is no sweep.
    pub(super) fn open(options: &Options) -> Result<Self, LiveError> {
        let root = match place(&options.place)? {
            Place::One(path) => Root::One(PlanFile::read(&path)?.plan.sweep.to_string(), path),
            Place::Many(root, _) => Root::Many(root),
        };
        Ok(Self { root, workers: Mutex::default(), clock: options.clock, made_by: options.made_by })
    }

    /// The only sweep's name, if there is but one to show.
    pub(super) fn only(&self) -> Option<&str> {
        match &self.root {
            Root::One(name, _) => Some(name),
            Root::Many(_) => None,
        }
    }

    /// The sweeps, the newest first.
    pub(super) fn sweeps(&self) -> Vec<(String, PathBuf)> {
        match &self.root {
            Root::One(name, path) => vec![(name.clone(), path.clone())],
            Root::Many(root) => {
                let names = sweeps_in(root).unwrap_or_default().into_iter();
                let mut all: Vec<_> =
                    names.map(|name| (name.to_string(), root.join(name.as_str()))).collect();
                all.sort_by_key(|(_, path)| std::cmp::Reverse(written(path)));
                all
            }
        }
    }

    /// Where a sweep lies. A name is one part of a path and never leads out of the place.
    fn path(&self, name: &str) -> Option<PathBuf> {
        match &self.root {
            Root::One(only, path) => (name == only).then(|| path.clone()),
            Root::Many(root) => {
                let name = SweepId::try_new(name).ok()?;
                let path = root.join(name.as_str());
                path.join(PlanFile::NAME).is_file().then_some(path)
            }
        }
    }

    /// The worker of a sweep; it is started if need be.
    pub(super) fn worker(self: &Arc<Self>, name: &str) -> Result<Arc<Worker>, Refused> {
        let mut workers = self.workers();
        if let Some(worker) = workers.get(name) {
            // Looking at it keeps it: whoever wants to retire it has to wait for this lock.
            drop(worker.look());
            return Ok(Arc::clone(worker));
        }
        let path = self.path(name).ok_or(Refused::Unknown)?;
        if workers.len() >= FOLLOWED {
            return Err(Refused::Busy);
        }
        let (library, own_name) = (Arc::downgrade(self), name.to_owned());
        let retire = move |worker: &Arc<Worker>| retire(&library, &own_name, worker);
        let worker = Worker::start(path, self.clock, self.made_by, retire).map_err(|_| Refused::Busy)?;
        workers.insert(name.to_owned(), Arc::clone(&worker));
        Ok(worker)
    }

    fn workers(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Worker>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets a worker go if still nobody looks, or if it failed.
fn retire(library: &Weak<Library>, name: &str, worker: &Arc<Worker>) -> bool {
    let Some(library) = library.upgrade() else { return true };
    let mut workers = library.workers();
    if !worker.idle() && !worker.failed() {
        return false;
    }
    workers.remove(name);
    true
}
