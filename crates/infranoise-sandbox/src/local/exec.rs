//! Starting a command.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, PoisonError};

use infranoise_core::{ExecId, KillScope, Observed};
use infranoise_supervisor::message::{Command, Request};

use super::host;
use super::inside::Obstacle;
use super::output::Output;
use super::sandbox::Sandbox;
use super::state::{Exec, Life, Progress};
use crate::cgroup::Leaf;
use crate::contract::{EngineError, ExecSpec};
use crate::linux::socket;

/// Variables that every command gets unless it is told otherwise.
const USUAL: [(&str, &str); 4] = [
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    ("HOME", "/root"),
    ("LANG", "C.UTF-8"),
    ("TERM", "dumb"),
];

/// A command in a record is shortened to so many characters.
const SHOWN: usize = 200;

impl Sandbox {
    /// Starts a command, detached. Where the memory ceiling has ended the trial, nothing is started: waiting for it says so.
    ///
    /// # Errors
    /// If the sandbox is gone, its output cannot be opened on the host, or the command is too long to be handed over.
    pub fn exec(&self, spec: &ExecSpec) -> Result<ExecId, EngineError> {
        if self.enforcement.kill_scope == KillScope::Trial {
            // A daemon of an earlier command may have run over since.
            self.tell_kills(self.shared.clock.ms());
        }
        let (output, write) = Output::open(&spec.output, spec.output_limit_bytes)
            .map_err(host("open the output", &spec.output))?;
        let (id, leaf) = self.enlist(spec)?;
        let groups = open_all(&leaf).map_err(|error| self.cannot_start("open the control group", error))?;
        // A working folder that is not there is made, as container engines do. Where that fails, so does the command.
        if let Some(root) = &self.root {
            drop(root.make_folder(&spec.cwd, Obstacle::MovedAside));
        }
        let request = Request::Start(Command {
            id: id.0,
            argv: spec.argv.clone(),
            env: self.environment(spec),
            cwd: spec.cwd.to_string_lossy().into_owned(),
        });
        let output = Arc::new(output);
        let listening = self.engine.parts.watcher.output(&output);
        let listening = listening.map_err(|error| self.cannot_start("listen to the output", error))?;
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner).push((output, listening));
        let descriptors: Vec<BorrowedFd<'_>> =
            std::iter::once(&write).chain(&groups).map(AsFd::as_fd).collect();
        if self.shared.lock().exec(id).is_some_and(|exec| exec.progress == Progress::TooLate) {
            return Ok(id);
        }
        socket::send(self.shared.control.as_fd(), &request.encode(), &descriptors)
            .map_err(|error| self.cannot_start("hand the command to the supervisor", error))?;
        Ok(id)
    }

    /// Takes the next number and makes the command's group.
    fn enlist(&self, spec: &ExecSpec) -> Result<(ExecId, Leaf), EngineError> {
        let mut state = self.shared.lock();
        if state.life != Life::Alive {
            return Err(self.gone("its supervisor has ended"));
        }
        let id = ExecId(u32::try_from(state.execs.len()).unwrap_or(u32::MAX));
        if state.execs.last().is_none_or(|last| last.phase != spec.phase)
            && let Some(sampling) = &self.sampling
        {
            self.engine.parts.sampler.mark_phase(sampling, spec.phase);
        }
        let leaf = self.shared.group.leaf(&id.to_string());
        let leaf = leaf.map_err(|error| self.cannot_start("make the control group", error.into_io()))?;
        let progress = if state.trial_ended.is_some() { Progress::TooLate } else { Progress::Asked };
        state.execs.push(Exec {
            phase: spec.phase,
            command: shown(&spec.argv),
            started_ms: self.shared.clock.ms(),
            told_kills: Observed::Observed(0),
            leaf: leaf.clone(),
            progress,
            told_lines: 0,
            ran_over: Vec::new(),
            kills: 0,
            closed: false,
            killed_by_us: false,
        });
        Ok((id, leaf))
    }

    /// Later entries win.
    fn environment(&self, spec: &ExecSpec) -> Vec<(String, String)> {
        let usual = USUAL.map(|(name, value)| (name.to_owned(), value.to_owned()));
        usual.into_iter().chain(self.env.iter().cloned()).chain(spec.env.iter().cloned()).collect()
    }

    fn cannot_start(&self, step: &str, source: io::Error) -> EngineError {
        host(step, Path::new(self.id().as_str()))(source)
    }
}

/// Opened on the host, before the supervisor hands them to the command: inside, nobody could.
fn open_all(leaf: &Leaf) -> io::Result<Vec<OwnedFd>> {
    let open = |file: std::path::PathBuf| std::fs::File::options().write(true).open(file).map(OwnedFd::from);
    leaf.join_files().into_iter().map(open).collect()
}

fn shown(argv: &[String]) -> String {
    let whole = argv.join(" ");
    match whole.char_indices().nth(SHOWN) {
        None => whole,
        Some((end, _)) => whole[..end].to_owned(),
    }
}
