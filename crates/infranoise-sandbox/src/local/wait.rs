//! Waiting for a command: its end, its deadline, the end of its sandbox, or a person who has enough.

use std::sync::PoisonError;
use std::time::Duration;

use infranoise_core::{Ceiling, ExecId};
use infranoise_supervisor::message::Ending;

use super::sandbox::Sandbox;
use super::state::{Life, Progress, State};
use super::{foreground, host};
use crate::contract::{DeadlineKill, EngineError, ExecEnd, Limit};

/// How long a killed command may take to be gone before it is killed again, and how often that is tried.
const DEATH: Duration = Duration::from_millis(200);
const DEATHS: u32 = 100;

/// Why the waiting is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The supervisor recorded its end.
    Ended { ending: Ending, at_ms: u64 },
    /// It never started.
    Refused { errno: i32, at_ms: u64 },
    /// The trial had ended before it could start.
    TooLate,
    /// Its time was over.
    Deadline { limit_ms: u64 },
    /// A person stopped it.
    Interrupted,
    /// The supervisor is gone, and with it everything.
    Gone,
}

impl Sandbox {
    /// Waits for a command. At its limit, counted from its start, it is frozen, killed as told and then recorded as such.
    ///
    /// # Errors
    /// If the sandbox is gone: then nobody knows how the command ended.
    pub fn wait(&self, id: ExecId, limit: Limit, kill: DeadlineKill) -> Result<ExecEnd, EngineError> {
        let started_ms = self.shared.lock().exec(id).map(|exec| exec.started_ms);
        let started = Duration::from_millis(started_ms.ok_or_else(|| self.gone("it has no such command"))?);
        let until = match limit {
            Ceiling::At(limit) => Some(started + limit),
            Ceiling::Uncapped => None,
        };
        let over = self.shared.wait_for(until, |state| look(state, id)).unwrap_or_else(|| Over::Deadline {
            limit_ms: limit.amount().map_or(0, |limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)),
        });
        match over {
            Over::Ended { .. } | Over::Refused { .. } | Over::TooLate => {}
            Over::Gone if self.launcher.is_some_and(|launcher| self.engine.launcher_ended(launcher)) => {
                let why = "it has ended, and with it every sandbox that it made".to_owned();
                return Err(EngineError::Launcher { why });
            }
            Over::Gone => return Err(self.gone("its supervisor has ended")),
            Over::Interrupted => self.end_and_wait(id, DeadlineKill::Everything)?,
            Over::Deadline { .. } => self.end_and_wait(id, kill)?,
        }
        self.flush(id);
        Ok(self.conclude(id, over))
    }

    fn end_and_wait(&self, id: ExecId, kill: DeadlineKill) -> Result<(), EngineError> {
        let ended = |state: &State| match state.exec(id)?.progress {
            Progress::Ended { .. } | Progress::Refused { .. } | Progress::TooLate => Some(()),
            Progress::Asked | Progress::Running { .. } => (state.life != Life::Alive).then_some(()),
        };
        // One that was asked for a moment ago may not be in its group yet: then the next kill meets it.
        for _ in 0..DEATHS {
            self.end(id, kill)?;
            if self.shared.wait_for(Some(self.shared.clock.elapsed() + DEATH), ended).is_some() {
                return Ok(());
            }
        }
        Err(self.gone("a killed command does not end"))
    }

    /// Kills a command.
    pub(super) fn end(&self, id: ExecId, kill: DeadlineKill) -> Result<(), EngineError> {
        let (leaf, inside) = {
            let mut state = self.shared.lock();
            let exec = state.exec_mut(id).ok_or_else(|| self.gone("it has no such command"))?;
            exec.killed_by_us = true;
            let inside = match exec.progress {
                Progress::Running { pid } => Some(pid),
                Progress::Asked => None,
                // It has ended since it was looked at: what is left in its group are daemons.
                Progress::Ended { .. } | Progress::Refused { .. } | Progress::TooLate
                    if kill == DeadlineKill::Foreground =>
                {
                    return Ok(());
                }
                Progress::Ended { .. } | Progress::Refused { .. } | Progress::TooLate => None,
            };
            (exec.leaf.clone(), inside)
        };
        let killed = match (kill, inside) {
            (DeadlineKill::Foreground, Some(inside)) => foreground::kill(&leaf, inside),
            (DeadlineKill::Foreground, None) => {
                self.shared.group.kill_leaf(&leaf).map_err(crate::cgroup::CgroupError::into_io)
            }
            (DeadlineKill::Everything, _) => {
                self.shared.group.kill_work().map_err(crate::cgroup::CgroupError::into_io)
            }
        };
        killed.map_err(host("end the command", std::path::Path::new(&id.to_string())))
    }

    /// Everything that the command printed is in its file after this.
    fn flush(&self, id: ExecId) {
        let outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((output, _)) = usize::try_from(id.0).ok().and_then(|index| outputs.get(index)) {
            output.flush();
        }
    }
}

fn look(state: &State, id: ExecId) -> Option<Over> {
    let exec = state.exec(id)?;
    match exec.progress {
        Progress::Ended { ending, at_ms } => Some(Over::Ended { ending, at_ms }),
        Progress::Refused { errno, at_ms } => Some(Over::Refused { errno, at_ms }),
        Progress::TooLate => Some(Over::TooLate),
        Progress::Asked | Progress::Running { .. } if state.life != Life::Alive => Some(Over::Gone),
        Progress::Asked | Progress::Running { .. } => state.interrupted.then_some(Over::Interrupted),
    }
}
