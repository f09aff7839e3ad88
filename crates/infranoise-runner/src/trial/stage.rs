//! The stage that agents and the verifier act on: commands in a sandbox, recorded, within a phase's limit.

use std::path::PathBuf;
use std::time::Duration;

use infranoise_core::{Ceiling, ExecRecord, Phase, PhaseRecord, Stop};
use infranoise_sandbox::Sandbox;
use infranoise_sandbox::contract::{DeadlineKill, ExecSpec};

use super::{Job, failed, log_folder};
use crate::clock::Stopwatch;
use crate::halt::Halt;

/// How much output of one command is kept.
const OUTPUT_LIMIT_BYTES: u64 = 16 << 20;

/// One command as a phase asks for it.
pub(crate) struct Command {
    pub(crate) argv: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
    /// The name of its log file in the phase's folder.
    pub(crate) log: &'static str,
}

impl Command {
    /// A command for `/bin/sh -c`.
    pub(crate) fn shell(script: &str, log: &'static str) -> Self {
        let argv = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
        Self { argv, env: Vec::new(), log }
    }

    pub(crate) fn with_env(mut self, env: impl IntoIterator<Item = (String, String)>) -> Self {
        self.env.extend(env);
        self
    }
}

/// What happens in a sandbox, and the record of it.
pub(crate) struct Stage<'s> {
    pub(crate) sandbox: &'s Sandbox,
    pub(crate) phases: Vec<PhaseRecord>,
    pub(crate) execs: Vec<ExecRecord>,
    pub(crate) notes: Vec<String>,
    /// Whether the sandbox can still carry out commands.
    pub(crate) alive: bool,
    folder: PathBuf,
    workdir: PathBuf,
    watch: Stopwatch,
    offset_ms: u64,
    quiesce: bool,
    halt: &'s Halt,
}

/// A phase that has begun.
pub(crate) struct Begun {
    phase: Phase,
    started_ms: u64,
    limit_ms: Ceiling<u64>,
}

impl<'s> Stage<'s> {
    pub(crate) fn new(sandbox: &'s Sandbox, job: &'s Job<'_>, watch: Stopwatch, offset_ms: u64) -> Self {
        Self {
            sandbox,
            phases: Vec::new(),
            execs: Vec::new(),
            notes: Vec::new(),
            alive: true,
            folder: job.folder.clone(),
            workdir: job.task.workdir(),
            watch,
            offset_ms,
            quiesce: job.quiesce,
            halt: job.halt,
        }
    }

    pub(crate) fn begin(&self, phase: Phase, limit_ms: Ceiling<u64>) -> Begun {
        Begun { phase, started_ms: self.watch.ms(), limit_ms }
    }

    pub(crate) fn end(&mut self, begun: Begun, stop: Stop) {
        let Begun { phase, started_ms, .. } = begun;
        self.phases.push(PhaseRecord { phase, started_ms, ended_ms: self.watch.ms(), stop });
    }

    /// What is left of a phase's time: nothing once it has passed.
    pub(crate) fn left(&self, begun: &Begun) -> Ceiling<Duration> {
        let passed_ms = self.watch.ms().saturating_sub(begun.started_ms);
        begun.limit_ms.map(|limit_ms| Duration::from_millis(limit_ms.saturating_sub(passed_ms)))
    }

    /// The stop of a phase whose time has passed, if it has.
    pub(crate) fn deadline(&self, begun: &Begun) -> Option<Stop> {
        match (self.left(begun), begun.limit_ms) {
            (Ceiling::At(Duration::ZERO), Ceiling::At(limit_ms)) => Some(Stop::Deadline { limit_ms }),
            (Ceiling::At(_) | Ceiling::Uncapped, _) => None,
        }
    }

    /// Carries out a command within what is left of the phase's time. Its deadline is the phase's.
    pub(crate) fn carry_out(&mut self, begun: &Begun, command: Command) -> Stop {
        if let Some(stop) = self.deadline(begun) {
            return stop;
        }
        let folder = log_folder(&self.folder, begun.phase);
        if let Err(error) = std::fs::create_dir_all(&folder) {
            self.notes.push(format!("make `{}`: {error}", folder.display()));
        }
        let spec = ExecSpec {
            phase: begun.phase,
            argv: command.argv,
            env: command.env,
            cwd: self.workdir.clone(),
            output: folder.join(command.log),
            output_limit_bytes: OUTPUT_LIMIT_BYTES,
        };
        let kill = if self.quiesce { DeadlineKill::Everything } else { DeadlineKill::Foreground };
        match self.sandbox.run(&spec, self.left(begun), kill) {
            Ok(end) => {
                self.alive = end.sandbox_alive;
                let mut record = end.record;
                record.started_ms += self.offset_ms;
                record.ended_ms += self.offset_ms;
                // A command's limit is what was left of the phase's; the record names the phase's own.
                if let (Stop::Deadline { .. }, Ceiling::At(limit_ms)) = (&record.stop, begun.limit_ms) {
                    record.stop = Stop::Deadline { limit_ms };
                }
                let stop = record.stop.clone();
                self.execs.push(record);
                stop
            }
            Err(error) => {
                self.alive = false;
                failed(&error)
            }
        }
    }

    /// Lets time pass, as an agent that thinks does, but not beyond the phase's limit or the sandbox's interruption.
    pub(crate) fn think(&self, begun: &Begun, think_ms: u64) {
        let wanted = Duration::from_millis(think_ms);
        let span = match self.left(begun) {
            Ceiling::At(left) => left.min(wanted),
            Ceiling::Uncapped => wanted,
        };
        self.halt.pause(span);
    }
}
