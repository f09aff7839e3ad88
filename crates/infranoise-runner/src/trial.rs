//! One trial from start to record: phases in order, each with its limit, then the evidence.

use std::path::{Path, PathBuf};
use std::time::Duration;

use infranoise_core::{
    Allocation, Attempt, Bytes, Context, Enforcement, ExecRecord, Facts, HostAtKill, HostWindow, Observed,
    OomScope, Outcome, Phase, PhaseRecord, Provenance, ResourceEventKind, Reward, SandboxId, Stop, Strategy,
    TelemetrySummary, TrialRecord, Usage, classify,
};
use infranoise_formats::tasks::contract::{AGENT_LOGS, ARTIFACTS, VERIFIER_LOGS};
use infranoise_sandbox::contract::{
    EngineError, Network, Overlay, OverlayKind, RootSource, SandboxEvidence, SandboxSpec,
};
use infranoise_sandbox::{Engine, Interrupter, Sandbox};

use crate::agents::Agent;
use crate::clock::{Stopwatch, now_ms};
use crate::halt::Halt;
use crate::prepare::Prepared;
use crate::schedule::Scheduled;

mod collect;
mod fingerprint;
mod stage;
mod verify;

pub(crate) use stage::{Begun, Command, Stage};

/// What a trial is made of.
pub struct Job<'j> {
    /// Which trial, when.
    pub scheduled: &'j Scheduled,
    /// Which execution of it.
    pub attempt: Attempt,
    /// The task.
    pub task: &'j Prepared,
    /// The arm's other factors.
    pub arm: &'j infranoise_core::Arm,
    /// What is asked for.
    pub allocation: Allocation,
    /// The agent.
    pub agent: &'j Agent,
    /// Where the root comes from.
    pub root: &'j RootSource,
    /// What network sandboxes have.
    pub network: Network,
    /// Files laid over every sandbox (the probe program).
    pub overlays: &'j [Overlay],
    /// Whether every process of the agent is ended before grading.
    pub quiesce: bool,
    /// The sandbox's name.
    pub sandbox: SandboxId,
    /// The trial's folder, empty.
    pub folder: PathBuf,
    /// A folder for what lives only as long as the sandbox.
    pub scratch: PathBuf,
    /// The sweep.
    pub sweep: infranoise_core::SweepId,
    /// How a person stops it.
    pub halt: &'j Halt,
}

/// Who wants to know how a trial goes.
pub trait Watcher: Sync {
    /// A phase began.
    fn phase(&self, phase: Phase);
    /// The sandbox exists; it can be stopped with this.
    fn sandbox(&self, interrupter: Interrupter);
}

/// Carries a trial out and classifies it. A trial that fails is a value; what the engine could not do is in the facts.
#[must_use]
pub fn carry_out(engine: &Engine, job: &Job<'_>, watcher: &dyn Watcher) -> TrialRecord {
    record(engine, run(engine, job, watcher))
}

/// The record of a trial for which this process could not even start a thread.
#[must_use]
pub fn did_not_start(engine: &Engine, job: &Job<'_>, source: std::io::Error) -> TrialRecord {
    let error = EngineError::Host {
        step: "start a thread for the trial".to_owned(),
        path: job.folder.clone(),
        source,
    };
    let start = PhaseRecord { phase: Phase::Start, started_ms: 0, ended_ms: 0, stop: failed(&error) };
    let outcome = outcome(vec![start], Vec::new());
    record(engine, facts(job, now_ms(), outcome, Enforcement::nothing("not started")))
}

fn record(engine: &Engine, mut facts: Facts) -> TrialRecord {
    facts.engine = engine.capabilities().engine.to_owned();
    let classification = classify(&facts, &context(&facts));
    TrialRecord { facts, classification }
}

/// What the classifier may know beyond the facts: how much the trial used against its floor, when the host ran out of memory.
#[must_use]
pub fn context(facts: &Facts) -> Context {
    let host_oom = facts
        .outcome
        .events
        .iter()
        .any(|event| matches!(event.kind, ResourceEventKind::OomKill { scope: OomScope::Host, .. }));
    let used = facts.telemetry.memory_peak_bytes.value().copied();
    let floor = facts.allocation.map(|allocation| allocation.memory.floor());
    let host_at_kill = match (host_oom, used, floor) {
        // The kernel's peak is the most that the trial can have used at the kill.
        (true, Some(own_usage_bytes), Some(own_floor_bytes)) => {
            Some(HostAtKill { own_usage_bytes, own_floor_bytes, largest_user: false })
        }
        _ => None,
    };
    Context { host_at_kill, ..Context::default() }
}

fn run(engine: &Engine, job: &Job<'_>, watcher: &dyn Watcher) -> Facts {
    let started_at_ms = now_ms();
    let watch = Stopwatch::start();
    watcher.phase(Phase::Start);
    let created = engine.create(&sandbox_spec(job));
    let start = |stop| PhaseRecord { phase: Phase::Start, started_ms: 0, ended_ms: watch.ms(), stop };
    let sandbox = match created {
        Ok(sandbox) => sandbox,
        Err(error) => {
            let phases = vec![start(failed(&error))];
            let mut facts =
                facts(job, started_at_ms, outcome(phases, Vec::new()), Enforcement::nothing("not started"));
            facts.wall_ms = watch.ms();
            return facts;
        }
    };
    watcher.sandbox(sandbox.interrupter());
    let offset_ms = watch.ms().saturating_sub(millis(sandbox.elapsed()));
    let made = make_folders(&sandbox, job);
    let mut stage = Stage::new(&sandbox, job, watch, offset_ms);
    stage.phases.push(start(made.as_ref().err().map_or(Stop::Exited { code: 0 }, failed)));
    let (reward, named) = match made {
        Ok(()) => phases(&mut stage, job, watcher),
        Err(_) => (Reward::NotGraded, Vec::new()),
    };
    collect::collect(&sandbox, &job.folder, &mut stage.notes);
    let Stage { phases, execs, mut notes, .. } = stage;
    let enforcement = sandbox.enforcement().clone();
    let stop_started = watch.ms();
    let finalized = sandbox.finalize();
    let stop = match &finalized {
        Ok(_) => Stop::Exited { code: 0 },
        Err(error) => {
            notes.push(format!("teardown: {error}"));
            Stop::Exited { code: 1 }
        }
    };
    let mut outcome = outcome(phases, execs);
    outcome.reward = reward;
    outcome.daemons_kept = !job.quiesce;
    outcome.phases.push(PhaseRecord {
        phase: Phase::Stop,
        started_ms: stop_started,
        ended_ms: watch.ms(),
        stop,
    });
    let mut facts = facts(job, started_at_ms, outcome, enforcement);
    facts.sandbox = Some(job.sandbox.clone());
    facts.wall_ms = watch.ms();
    facts.strategy = fingerprint::strategy(&facts.outcome.execs, named);
    facts.notes = job.task.environment.substitutions.clone();
    if let Ok(evidence) = finalized {
        add_evidence(&mut facts, evidence, offset_ms);
    }
    facts.notes.append(&mut notes);
    facts
}

/// Makes the folders that Harbor promises and that the task's environment asks for, by laying an empty one there.
fn make_folders(sandbox: &Sandbox, job: &Job<'_>) -> Result<(), EngineError> {
    let empty = log_folder(&job.folder, Phase::Agent);
    std::fs::create_dir_all(&empty).map_err(|source| EngineError::Host {
        step: "make the trial's folder".to_owned(),
        path: empty.clone(),
        source,
    })?;
    let wanted = job.task.environment.folders.iter().map(String::as_str);
    wanted
        .chain([AGENT_LOGS, VERIFIER_LOGS, ARTIFACTS])
        .try_for_each(|folder| sandbox.put(&empty, Path::new(folder)))
}

/// The phases between start and stop. Returns the reward and the agent's own names for what it did.
fn phases(stage: &mut Stage<'_>, job: &Job<'_>, watcher: &dyn Watcher) -> (Reward, Vec<String>) {
    if job.agent.setup(stage, job, watcher).is_some_and(|setup| !setup.succeeded()) {
        return (Reward::NotGraded, Vec::new());
    }
    watcher.phase(Phase::Agent);
    let named = job.agent.act(stage, job);
    let over = match stage.phases.last().map(|record| &record.stop) {
        Some(Stop::Failed { .. } | Stop::SandboxEnded { .. } | Stop::Interrupted) => true,
        Some(Stop::Exited { .. } | Stop::Signalled { .. } | Stop::Deadline { .. }) | None => !stage.alive,
    };
    if over {
        return (Reward::NotGraded, named);
    }
    watcher.phase(Phase::Verify);
    (verify::verify(stage, job), named)
}

fn sandbox_spec(job: &Job<'_>) -> SandboxSpec {
    let copied = job.task.environment.copies.iter().map(|copied| Overlay {
        from: copied.from.clone(),
        to: copied.to.clone().into(),
        how: OverlayKind::Copy,
    });
    SandboxSpec {
        id: job.sandbox.clone(),
        sweep: job.sweep.clone(),
        allocation: job.allocation,
        kill_scope: job.arm.kill_scope,
        visible: job.arm.visible,
        page_cache: job.arm.page_cache,
        root: job.task.root.as_ref().unwrap_or(job.root).clone(),
        network: job.network.clone(),
        overlays: job.overlays.iter().cloned().chain(copied).collect(),
        env: job.task.env.clone(),
        scratch: job.scratch.clone(),
        telemetry_file: Some(job.folder.join("telemetry.csv")),
    }
}

fn outcome(phases: Vec<PhaseRecord>, execs: Vec<ExecRecord>) -> Outcome {
    Outcome { phases, execs, events: Vec::new(), reward: Reward::NotGraded, daemons_kept: true }
}

fn facts(job: &Job<'_>, started_at_ms: u64, outcome: Outcome, enforcement: Enforcement) -> Facts {
    Facts {
        key: job.scheduled.key.clone(),
        attempt: job.attempt,
        position: job.scheduled.position,
        block: job.scheduled.block,
        round: job.scheduled.round,
        seed: job.scheduled.seed,
        engine: String::new(),
        sandbox: None,
        started_at_ms,
        wall_ms: 0,
        spec: job.task.spec(),
        allocation: Some(job.allocation),
        enforcement,
        provenance: Provenance::Enforced,
        outcome,
        telemetry: TelemetrySummary::default(),
        host: HostWindow::default(),
        strategy: Strategy::default(),
        usage: Usage::default(),
        notes: Vec::new(),
        source: None,
    }
}

fn add_evidence(facts: &mut Facts, evidence: SandboxEvidence, offset_ms: u64) {
    facts.outcome.events = evidence.events;
    for event in &mut facts.outcome.events {
        event.at_ms += offset_ms;
    }
    facts.telemetry = evidence.telemetry;
    facts.telemetry.nonreclaimable_peak_bytes = at_least(&facts.telemetry, &facts.outcome.events);
    facts.host = evidence.host;
    facts.notes.extend(evidence.notes);
}

/// The non-reclaimable peak with what the kernel log adds: a victim's resident memory is a sample too. Read once a second, it is a lower
/// bound for a trial of a few seconds.
fn at_least(telemetry: &TelemetrySummary, events: &[infranoise_core::ResourceEvent]) -> Observed<Bytes> {
    let victim = events.iter().filter_map(|event| match event.kind {
        ResourceEventKind::OomKill { victim_rss_bytes, .. } => victim_rss_bytes,
        _ => None,
    });
    let few = u64::from(telemetry.samples) * u64::from(telemetry.interval_ms) < 10_000;
    match (telemetry.nonreclaimable_peak_bytes.clone(), victim.max()) {
        (Observed::Observed(peak) | Observed::Partial(peak), Some(victim)) => {
            Observed::Partial(peak.max(victim))
        }
        (Observed::Observed(peak), None) if few => Observed::Partial(peak),
        (read, _) => read,
    }
}

/// A stop for what the engine could not do.
pub(crate) fn failed(error: &EngineError) -> Stop {
    Stop::Failed { cause: error.cause(), message: error.to_string() }
}

pub(crate) fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// The place inside the trial's folder for a phase's logs.
pub(crate) fn log_folder(folder: &Path, phase: Phase) -> PathBuf {
    folder.join(match phase {
        Phase::Agent => "agent",
        Phase::Verify => "verifier",
        Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => "setup",
    })
}
