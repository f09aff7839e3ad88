//! What an engine knows about one of its sandboxes, shared between the thread that watches and those that wait.

use std::os::fd::OwnedFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use infranoise_core::{Bytes, ExecId, Observed, Phase, SandboxId};
use infranoise_supervisor::message::{Ending, Report};

use super::clock::Clock;
use crate::cgroup::oom::{OomFinding, OomReading};
use crate::cgroup::{Leaf, OomWatch, TrialGroup};
use crate::storage::Fullness;

/// Whether a sandbox can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// Its supervisor has not spoken yet.
    Starting,
    /// Its supervisor is there.
    Alive,
    /// A step before the supervisor failed.
    Failed { step: String, errno: i32 },
    /// The supervisor is gone.
    Gone,
}

/// How a command is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It was asked for.
    Asked,
    /// The trial had ended before it could start.
    TooLate,
    /// It runs; its process id inside.
    Running { pid: u32 },
    /// It could not be started.
    Refused { errno: i32, at_ms: u64 },
    /// Its own process ended.
    Ended { ending: Ending, at_ms: u64 },
}

/// One command of a sandbox.
#[derive(Debug)]
pub(crate) struct Exec {
    pub(crate) phase: Phase,
    pub(crate) command: String,
    pub(crate) started_ms: u64,
    pub(crate) leaf: Leaf,
    pub(crate) progress: Progress,
    /// Kills by the kernel that have been told.
    pub(crate) told_kills: Observed<u64>,
    /// Lines of the kernel log about its group that have been told.
    pub(crate) told_lines: usize,
    /// Where the kernel's killer is off: that it ran over and was ended by us. Not told yet.
    pub(crate) ran_over: Vec<RanOver>,
    /// Its processes that died of memory, as far as they were told.
    pub(crate) kills: u64,
    /// It has ended and left no process: nothing more will be counted for it.
    pub(crate) closed: bool,
    /// Whether infranoise killed in its group.
    pub(crate) killed_by_us: bool,
}

/// A command, or the whole trial, ran over its memory and was ended for it.
#[derive(Clone, Debug)]
pub(crate) struct RanOver {
    pub(crate) at_ms: u64,
    /// The command, where that is known.
    pub(crate) exec: Option<ExecId>,
    pub(crate) finding: OomFinding,
}

/// How much of the trial's counters is among the events.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    pub(crate) throttled_us: u64,
    pub(crate) floor_breaches: u64,
    pub(crate) space: Fullness,
}

/// The part that changes.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) life: Life,
    /// Pid 1: its process id on the host and a descriptor for it.
    pub(crate) pid1: Option<(i32, OwnedFd)>,
    pub(crate) gaps: Vec<String>,
    pub(crate) execs: Vec<Exec>,
    /// What the trial's counters said when they were last told.
    pub(crate) told: Told,
    /// What the counters of memory said of the whole trial when a kill was last told.
    pub(crate) oom: OomReading,
    /// Set when the kill scope ended the whole trial.
    pub(crate) trial_ended: Option<RanOver>,
    /// Whether that is among the events.
    pub(crate) trial_end_told: bool,
    /// Whether a thread is killing what ran over.
    pub(crate) killing: bool,
    pub(crate) interrupted: bool,
}

/// A sandbox as all threads see it.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) id: SandboxId,
    pub(crate) clock: Clock,
    pub(crate) group: TrialGroup,
    pub(crate) control: OwnedFd,
    pub(crate) oom: Option<OomWatch>,
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    pub(crate) fn new(
        id: SandboxId,
        clock: Clock,
        group: TrialGroup,
        control: OwnedFd,
        oom: Option<OomWatch>,
    ) -> Self {
        let state = State {
            life: Life::Starting,
            pid1: None,
            gaps: Vec::new(),
            execs: Vec::new(),
            told: Told::default(),
            oom: nothing_yet(),
            trial_ended: None,
            trial_end_told: false,
            killing: false,
            interrupted: false,
        };
        Self { id, clock, group, control, oom, state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes whoever waits.
    pub(crate) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until the state gives an answer, or, with a limit, until that has passed since the sandbox was created; then `None`.
    pub(crate) fn wait_for<T>(
        &self,
        until: Option<Duration>,
        mut answer: impl FnMut(&State) -> Option<T>,
    ) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(answer) = answer(&state) {
                return Some(answer);
            }
            state = match until {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_sub(self.clock.elapsed());
                    if left.is_zero() {
                        return None;
                    }
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Takes note of what was said about this sandbox.
    pub(crate) fn hear(&self, report: Report, mut descriptors: Vec<OwnedFd>) {
        let at_ms = self.clock.ms();
        self.change(|state| match report {
            Report::Cloned { pid } => state.pid1 = descriptors.pop().map(|pidfd| (pid, pidfd)),
            Report::Failed { step, errno } => state.life = Life::Failed { step, errno },
            Report::Hello { gaps } => {
                state.gaps.extend(gaps);
                state.life = Life::Alive;
            }
            Report::Started { id, pid } => state.progress(id, Progress::Running { pid }),
            Report::Refused { id, errno } => state.progress(id, Progress::Refused { errno, at_ms }),
            Report::Ended { id, ending } => state.progress(id, Progress::Ended { ending, at_ms }),
        });
    }

    /// The supervisor is gone, or never came.
    pub(crate) fn hung_up(&self) {
        self.change(|state| {
            if !matches!(state.life, Life::Failed { .. }) {
                state.life = Life::Gone;
            }
        });
    }
}

/// A new group has counted nothing.
fn nothing_yet() -> OomReading {
    let zero = || Observed::Observed(0);
    OomReading { kills: zero(), at_own_limit: zero(), limit_hits: zero(), peak: Observed::Observed(Bytes(0)) }
}

impl State {
    fn progress(&mut self, id: u32, progress: Progress) {
        let exec = usize::try_from(id).ok().and_then(|index| self.execs.get_mut(index));
        if let Some(exec) = exec {
            exec.progress = progress;
        }
    }

    /// A command by its number.
    pub(crate) fn exec(&self, id: ExecId) -> Option<&Exec> {
        self.execs.get(usize::try_from(id.0).ok()?)
    }

    /// The same, to change it.
    pub(crate) fn exec_mut(&mut self, id: ExecId) -> Option<&mut Exec> {
        self.execs.get_mut(usize::try_from(id.0).ok()?)
    }
}
