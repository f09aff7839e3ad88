//! Sandboxes that a container engine started: the same supervisor, the same groups and the same evidence, another launcher.

use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, PoisonError};

use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::LocalEngine;
use super::clock::Clock;
use super::create::{Failed, bury_unborn, greeted, lay_copies, oom_watch, step};
use super::home::Entry;
use super::sandbox::{Farewell, Made, Sandbox};
use super::space::Space;
use super::state::Shared;
use super::undertaker::Remains;
use crate::cgroup::TrialGroup;
use crate::contract::SandboxSpec;
use crate::linux::socket;

/// A container whose supervisor has called.
pub(crate) struct Adopted {
    /// Its pid 1, on the host.
    pub(crate) pid: i32,
    /// The connection to it.
    pub(crate) control: OwnedFd,
    /// The empty file for its records.
    pub(crate) records: OwnedFd,
    /// Its groups.
    pub(crate) group: TrialGroup,
    /// Where it comes from, in sentences for the record.
    pub(crate) origin: Vec<String>,
}

impl LocalEngine {
    /// Takes note of a sandbox before anything of it is made.
    pub(crate) fn note(&self, spec: &SandboxSpec) -> Result<(), Failed> {
        let entry = entry(spec);
        let mut sweeps = self.parts.sweeps.lock().unwrap_or_else(PoisonError::into_inner);
        sweeps.insert(spec.sweep.clone());
        drop(sweeps);
        self.parts.home.note(&entry).map_err(step("note the sandbox"))
    }

    /// Removes what came of a sandbox that did not start.
    pub(crate) fn bury(&self, spec: &SandboxSpec, farewell: Option<Farewell>) {
        self.parts.undertaker.bury(Remains { entry: entry(spec), volume: None, groups: None, farewell });
    }

    /// Takes a container over: listens to its supervisor, lays copies in, and samples it.
    pub(crate) fn adopt(
        &self,
        spec: &SandboxSpec,
        clock: Clock,
        adopted: Adopted,
        farewell: Farewell,
    ) -> Result<Sandbox, (Failed, Farewell)> {
        let Adopted { pid, control, records, group, origin } = adopted;
        let prepared = (|| {
            let pidfd = Pid::from_raw(pid)
                .ok_or_else(|| std::io::ErrorKind::NotFound.into())
                .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).map_err(std::io::Error::from))
                .map_err(step("open the container's pid 1"))?;
            let oom = oom_watch(&group)?;
            Ok((pidfd, oom))
        })();
        let (pidfd, oom) = match prepared {
            Ok(prepared) => prepared,
            Err(failed) => {
                let _ = group.destroy();
                return Err((failed, farewell));
            }
        };
        let shared = Arc::new(Shared::new(spec.id.clone(), clock, group, control, oom));
        shared.change(|state| state.pid1 = Some((pid, pidfd)));
        let listening = match self.parts.watcher.sandbox(&shared).map_err(step("listen to the sandbox")) {
            Ok(listening) => listening,
            Err(failed) => {
                let _ = shared.group.destroy();
                return Err((failed, farewell));
            }
        };
        let started = socket::send(shared.control.as_fd(), b"records", &[records.as_fd()])
            .map_err(step("hand the records to the supervisor"))
            .and_then(|()| greeted(&shared, || {}))
            .and_then(|root| lay_copies(spec, &root).map(|()| root));
        match started {
            Ok(root) => {
                let space = Space::elsewhere(shared.group.enforcement().storage_ceiling.clone());
                let farewell = Some(farewell);
                let made = Made { root, launcher: None, space, listening, farewell, origin };
                Ok(Sandbox::new(self.clone(), spec, shared, made))
            }
            Err(failed) => {
                bury_unborn(self, &shared, listening);
                Err((failed, farewell))
            }
        }
    }
}

fn entry(spec: &SandboxSpec) -> Entry {
    Entry {
        sandbox: spec.id.clone(),
        sweep: spec.sweep.clone(),
        scratch: spec.scratch.clone(),
        bridged: false,
    }
}

/// Writes the supervisor's program where a container can be given it.
pub(crate) fn write_supervisor(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, crate::launcher::supervisor_program())?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}
