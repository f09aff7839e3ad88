//! Removing what finished sandboxes leave on disk, in a thread of its own: a layer of ten thousand files never delays the next trial.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use infranoise_core::SandboxId;

use super::home::Home;

enum Job {
    Remove { scratch: PathBuf, sandbox: SandboxId },
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
            for job in queue {
                match job {
                    Job::Remove { scratch, sandbox } => {
                        // What cannot be removed stays noted, for `reap`.
                        if remove(&scratch).is_ok() {
                            home.forget(&sandbox);
                        }
                    }
                    // Whoever asked may have left.
                    Job::Say(asker) => drop(asker.send(())),
                }
            }
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Removes a sandbox's folder and then the note of it, later.
    pub(crate) fn bury(&self, scratch: PathBuf, sandbox: SandboxId) {
        self.send(Job::Remove { scratch, sandbox });
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

/// Removes a folder; one that is not there is removed already.
pub(crate) fn remove(folder: &std::path::Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
