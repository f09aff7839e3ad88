//! Everything that a terminal or a page shows of one moment.

use std::sync::Arc;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::cause_words;
use infranoise_core::{Attempt, Blame, Cause, Phase, Plan, Shown, StopReason, TrialKey};
use infranoise_report::figures::FigureSpec;

use crate::curve::Curve;
use crate::follow::Follower;
use crate::pressure::{Pressure, Reading};
use crate::think::Thinker;
use crate::writer::Writer;

/// How a sweep stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was planned and nobody has begun it.
    NotBegun,
    /// Its journal is still being read.
    CatchingUp,
    /// A process works on it.
    Running,
    /// Its process is gone without a word: the same command goes on.
    Abandoned,
    /// Its process stopped.
    Stopped(StopReason),
    /// It can no longer be read.
    Gone(String),
}

/// A sweep at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// The moment, in milliseconds since 1970 (UTC).
    pub at_ms: u64,
    /// The plan.
    pub plan: Arc<Plan>,
    /// How it stands.
    pub status: Status,
    /// Planned trials.
    pub planned: u64,
    /// Trials with a record that are not being tried again.
    pub done: u64,
    /// How trials ended, in the order of [`Shown::ALL`].
    pub shown: [u64; Shown::ALL.len()],
    /// The time left in milliseconds, if it goes on as it did.
    pub left_ms: Option<u64>,
    /// The time since the sweep was first begun, in milliseconds.
    pub spent_ms: Option<u64>,
    /// How many trials may run at once.
    pub concurrency: Option<u32>,
    /// Arms, in the plan's order.
    pub arms: Vec<ArmNow>,
    /// Infra errors by cause, commonest first.
    pub causes: Vec<CauseNow>,
    /// Trials in their sandboxes, the oldest first.
    pub running: Vec<TrialNow>,
    /// Trials that ended last, the newest first.
    pub ended: Vec<EndedNow>,
    /// The host's pressure.
    pub pressure: Pressure,
    /// The host's pressure as the last finished trials met it, where it cannot be read here.
    pub pressure_in_records: Option<Reading>,
    /// The last analysis, with its time in milliseconds since 1970 (UTC).
    pub analysis: Option<(Arc<Analysis>, u64)>,
    /// What may be concluded yet: the last look of the sequential monitor; absent before the first whole round.
    pub monitor: Option<String>,
    /// What is wrong with the files.
    pub complaints: Vec<String>,
}

/// An arm now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmNow {
    /// Its name.
    pub name: String,
    /// Planned trials.
    pub planned: u64,
    /// Recorded trials.
    pub done: u64,
    /// Trials in their sandboxes.
    pub running: u64,
    /// How trials ended, in the order of [`Shown::ALL`].
    pub shown: [u64; Shown::ALL.len()],
}

/// How often a cause ended trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseNow {
    /// How such trials are shown.
    pub shown: Shown,
    /// Whom it is put down to.
    pub blame: Blame,
    /// What.
    pub cause: Cause,
    /// In which phase.
    pub phase: Option<Phase>,
    /// How often, by arm in the plan's order.
    pub by_arm: Vec<u64>,
}

impl CauseNow {
    /// How often in all arms together.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.by_arm.iter().sum()
    }
}

/// A trial that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedNow {
    /// Which trial.
    pub key: TrialKey,
    /// Which execution of it.
    pub attempt: Attempt,
    /// What it counts as.
    pub shown: Shown,
    /// Whom it is put down to, by what, and where.
    pub says: String,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// The kernel's memory peak in bytes.
    pub peak_bytes: Option<u64>,
}

/// A running trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialNow {
    /// Which trial.
    pub key: TrialKey,
    /// Which execution of it.
    pub attempt: Attempt,
    /// How long it has been going, in milliseconds.
    pub for_ms: u64,
    /// Its phase, and for how long, in milliseconds.
    pub phase: Option<(Phase, u64)>,
    /// Its memory ceiling in bytes; absent where there is none.
    pub ceiling_bytes: Option<u64>,
    /// Its CPU ceiling in CPUs; absent where there is none.
    pub ceiling_millicpu: Option<u32>,
    /// What it has used; absent where its engine writes no samples while it runs.
    pub curve: Option<Curve>,
}

impl TrialNow {
    /// Memory now as a share of the ceiling.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let now = self.curve.as_ref()?.last()?.memory_bytes;
        self.ceiling_bytes.filter(|ceiling| *ceiling > 0).map(|ceiling| now as f64 / ceiling as f64)
    }
}

/// So many ended trials are shown.
const ENDED: usize = 12;

/// Records that are looked at for the host's pressure where it cannot be read here.
const LATELY: usize = 8;

impl View {
    /// Puts together what a follower and a thinker know.
    #[must_use]
    pub fn of(follower: &Follower, thinker: &Thinker, at_ms: u64) -> Self {
        let now = follower.now();
        let running_by_arm = now.running_by_arm();
        let arms = now.plan.arms.iter().enumerate().map(|(place, arm)| {
            let shown = Shown::ALL.map(|shown| now.tally.count(place, shown));
            ArmNow {
                name: arm.arm.name.to_string(),
                planned: now.tally.planned(place),
                done: shown.iter().sum(),
                running: running_by_arm.get(place).copied().unwrap_or(0),
                shown,
            }
        });
        Self {
            at_ms,
            status: status(follower),
            planned: now.plan.planned(),
            done: now.done(),
            shown: Shown::ALL.map(|shown| now.tally.total(shown)),
            left_ms: now.left_ms(at_ms),
            spent_ms: now.first_at_ms.map(|first| {
                let until = if now.over() { now.last_at_ms.unwrap_or(at_ms) } else { at_ms };
                until.saturating_sub(first)
            }),
            concurrency: now.concurrency,
            arms: arms.collect(),
            causes: causes(follower),
            running: running(follower, at_ms),
            ended: ended(follower),
            pressure: follower.pressure().clone(),
            pressure_in_records: lately(follower),
            analysis: thinker.last().map(|(analysis, at_ms)| (Arc::clone(analysis), at_ms)),
            monitor: thinker.last().and_then(|(analysis, _)| monitor(analysis)),
            complaints: follower.complaints(),
            plan: Arc::clone(&now.plan),
        }
    }

    /// How many trials are shown so.
    #[must_use]
    pub fn count(&self, shown: Shown) -> u64 {
        self.shown[shown as usize]
    }

    /// Trials that are neither done nor in their sandboxes.
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.planned.saturating_sub(self.done + self.running.len() as u64)
    }
}

fn status(follower: &Follower) -> Status {
    let now = follower.now();
    match (follower.gone(), &now.stopped, follower.writer()) {
        (Some(why), _, _) => Status::Gone(why.to_owned()),
        _ if follower.behind() => Status::CatchingUp,
        (None, Some(reason), _) => Status::Stopped(reason.clone()),
        (None, None, _) if now.plan.imported.is_some() => Status::Stopped(StopReason::Complete),
        (None, None, _) if now.last_at_ms.is_none() => Status::NotBegun,
        (None, None, Writer::Gone) => Status::Abandoned,
        (None, None, Writer::Alive { .. } | Writer::Unknown) => Status::Running,
    }
}

/// The last row of the monitor's figure, under its headings: the same words as in the report.
fn monitor(analysis: &Analysis) -> Option<String> {
    let figure = (FigureSpec::find("monitor")?.draw)(analysis);
    let row = figure.table.rows.last()?;
    let cells = figure.table.columns.iter().zip(row).map(|(column, cell)| format!("{} {cell}", column.head));
    Some(cells.collect::<Vec<_>>().join(" · "))
}

fn causes(follower: &Follower) -> Vec<CauseNow> {
    let rows = follower.now().tally.infra_causes().into_iter();
    rows.map(|((shown, blame, cause, phase), by_arm)| CauseNow { shown, blame, cause, phase, by_arm })
        .collect()
}

fn running(follower: &Follower, at_ms: u64) -> Vec<TrialNow> {
    let now = follower.now();
    let mut trials: Vec<(u64, TrialNow)> = now
        .running
        .iter()
        .map(|(key, running)| {
            let allocation = now.plan.arm(&key.arm).and_then(|arm| arm.allocations.get(&key.task));
            let trial = TrialNow {
                key: key.clone(),
                attempt: running.attempt,
                for_ms: at_ms.saturating_sub(running.started_at_ms),
                phase: running.phase.map(|(phase, since)| (phase, at_ms.saturating_sub(since))),
                ceiling_bytes: allocation.and_then(|a| a.memory.ceiling().amount()).map(|bytes| bytes.0),
                ceiling_millicpu: allocation.and_then(|a| a.cpu.ceiling().amount()).map(|cpu| cpu.0),
                curve: follower.curve(key).cloned(),
            };
            (running.started_at_ms, trial)
        })
        .collect();
    trials.sort_by_key(|(started, _)| *started);
    trials.into_iter().map(|(_, trial)| trial).collect()
}

fn ended(follower: &Follower) -> Vec<EndedNow> {
    let last = follower.now().records.iter().rev().take(ENDED);
    last.map(|record| {
        let verdict = &record.classification;
        let shown = Shown::of(record);
        let says = match shown {
            Shown::Pass => verdict.cause.to_string(),
            Shown::Fail | Shown::Ceiling | Shown::Fault | Shown::Undetermined | Shown::NotStarted => {
                cause_words(verdict.blame, verdict.cause, verdict.phase)
            }
        };
        EndedNow {
            key: record.facts.key.clone(),
            attempt: record.facts.attempt,
            shown,
            says,
            wall_ms: record.facts.wall_ms,
            peak_bytes: record.facts.telemetry.memory_peak_bytes.value().map(|bytes| bytes.0),
        }
    })
    .collect()
}

/// The mean of what the last finished trials met, where all of it was counted.
fn lately(follower: &Follower) -> Option<Reading> {
    let records = &follower.now().records;
    let last = &records[records.len().saturating_sub(LATELY)..];
    let mean = |pick: fn(&infranoise_core::HostWindow) -> Option<f64>| {
        let seen: Vec<f64> = last.iter().filter_map(|record| pick(&record.facts.host)).collect();
        (!seen.is_empty()).then(|| seen.iter().sum::<f64>() / seen.len() as f64)
    };
    Some(Reading {
        cpu: mean(|host| host.cpu_pressure_share.value().copied())?,
        memory: mean(|host| host.memory_pressure_share.value().copied())?,
        io: mean(|host| host.io_pressure_share.value().copied())?,
    })
}

impl Status {
    /// The status in a word or two.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::NotBegun => "not begun",
            Self::CatchingUp => "reading",
            Self::Running => "running",
            Self::Abandoned => "abandoned",
            Self::Stopped(StopReason::Complete) => "complete",
            Self::Stopped(StopReason::Interrupted) => "interrupted",
            Self::Stopped(StopReason::InfraLimit { .. } | StopReason::StoreFailed { .. }) => "stopped",
            Self::Gone(_) => "gone",
        }
    }

    /// What one should know beyond the word.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        match self {
            Self::NotBegun => Some("planned; no process has begun it yet".to_owned()),
            Self::CatchingUp => Some("the journal is still being read".to_owned()),
            Self::Running | Self::Stopped(StopReason::Complete) => None,
            Self::Abandoned => Some(
                "its process is gone without a word; the same command goes on where it stopped".to_owned(),
            ),
            Self::Stopped(StopReason::Interrupted) => {
                Some("somebody stopped it; the same command goes on".to_owned())
            }
            Self::Stopped(StopReason::InfraLimit { says } | StopReason::StoreFailed { says }) => {
                Some(says.clone())
            }
            Self::Gone(why) => Some(why.clone()),
        }
    }

    /// Whether more can be expected without anybody doing something.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        match self {
            Self::NotBegun | Self::CatchingUp | Self::Running => true,
            Self::Abandoned | Self::Stopped(_) | Self::Gone(_) => false,
        }
    }
}
