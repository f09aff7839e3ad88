//! Removing what finished sandboxes leave on disk, in a thread of its own: a layer of ten thousand files never delays the next trial.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use super::home::{Entry, Home};
use super::sandbox::Farewell;
use crate::bridge;
use crate::storage::Volume;

/// The thread's priority: the lowest of the ordinary ones.
const LOWEST: i32 = 19;

/// What is left of a sandbox.
pub(crate) struct Remains {
    /// Its names, and its folder on the host.
    pub(crate) entry: Entry,
    /// The file system of its own.
    pub(crate) volume: Option<Volume>,
    /// Kills and removes its control groups, if that could not be done at once; says whether they are gone.
    pub(crate) groups: Option<Box<dyn Fn() -> bool + Send>>,
    /// What a container engine has to do first.
    pub(crate) farewell: Option<Farewell>,
}

enum Job {
    Remove(Box<Remains>),
    Say(Sender<()>),
}

/// The thread that removes. Dropping it waits until everything is gone.
#[derive(Debug)]
pub(crate) struct Undertaker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Undertaker {
    /// Starts the thread; what is gone is noted as gone.
    pub(crate) fn start(home: Arc<Home>) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        let thread = thread::Builder::new().name("sandbox-undertaker".to_owned()).spawn(move || {
            // Trials come first. A host that does not let us leaves things as they are.
            let _ = rustix::process::setpriority_process(None, LOWEST);
            // What could not be removed is tried again with every job: a host without descriptors has some a moment later. What is left
            // in the end stays noted, for `reap`.
            let mut left: Vec<Remains> = Vec::new();
            for job in queue {
                let asker = match job {
                    Job::Remove(remains) => {
                        left.push(*remains);
                        None
                    }
                    Job::Say(asker) => Some(asker),
                };
                left.retain(|remains| !gone(remains, &home));
                if let Some(asker) = asker {
                    // Whoever asked may have left.
                    let _ = asker.send(());
                }
            }
            left.retain(|remains| !gone(remains, &home));
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Removes what a sandbox left and then the note of it, later.
    pub(crate) fn bury(&self, remains: Remains) {
        self.send(Job::Remove(Box::new(remains)));
    }

    /// Waits until everything that was handed over before is gone.
    pub(crate) fn settle(&self) {
        let (asker, answer) = mpsc::channel();
        self.send(Job::Say(asker));
        let _ = answer.recv();
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // Fails only if the thread has panicked: then `reap` finds the folder.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Undertaker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Removes what is left of a sandbox; whether nothing is left then.
fn gone(remains: &Remains, home: &Home) -> bool {
    let groups = remains.groups.as_ref().is_none_or(|remove| remove());
    // However many files are in there, they are gone at once.
    remains.volume.iter().for_each(Volume::discard);
    let farewell = remains.farewell.as_ref().is_none_or(|farewell| farewell());
    let gone =
        groups && farewell && disconnect(&remains.entry).is_ok() && remove(&remains.entry.scratch).is_ok();
    if gone {
        home.forget(&remains.entry.sandbox);
    }
    gone
}

/// Removes the rules of a sandbox's network, if it had any.
pub(crate) fn disconnect(entry: &Entry) -> io::Result<()> {
    if entry.bridged { bridge::disconnect(&entry.sweep, &entry.sandbox) } else { Ok(()) }
}

/// Removes a folder; one that is not there is removed already.
pub(crate) fn remove(folder: &std::path::Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
