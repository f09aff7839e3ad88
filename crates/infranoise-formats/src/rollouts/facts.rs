//! A rollout as the facts of a trial.

use infranoise_core::{
    Allocation, ApiAtDeadline, ArmId, Attempt, Band, Bytes, Ceiling, Clue, Context, Enforcement, Evidence,
    Facts, HostWindow, MilliCpu, Observed, Outcome, Phase, PhaseRecord, Provenance, Reward, SourceRecord,
    Strategy, Subject, TaskId, TaskSpec, TelemetrySummary, TimeLimits, TrialKey, Usage,
};

use super::events::{events, execs};
use super::exception::{self, Read};
use super::phases::phases;
use super::record::Rollout;

/// Why a reading is missing.
const NOT_GIVEN: &str = "the rollout record does not hold it";

/// The facts of a rollout, and what is known beyond it.
pub(super) fn facts(rollout: &Rollout) -> Result<(Facts, Context), String> {
    let read = rollout.exception.as_ref().map(|raised| exception::read(rollout, raised));
    let phases = phases(rollout, read.as_ref());
    let reward = reward(rollout, read.as_ref(), &phases);
    let clues: Vec<Clue> = read.and_then(|read| read.clue).into_iter().collect();
    let execs = execs(rollout, &phases);
    let wall_ms = phases.last().map_or(0, |phase| phase.ended_ms);
    let facts = Facts {
        key: key()?,
        attempt: Attempt(0),
        position: 0,
        block: 0,
        round: 0,
        seed: 0,
        engine: "rollout".to_owned(),
        sandbox: None,
        started_at_ms: 0,
        wall_ms,
        spec: TaskSpec::default(),
        allocation: allocation(rollout)?,
        enforcement: Enforcement::not_known(NOT_GIVEN),
        provenance: Provenance::Declared,
        outcome: Outcome { events: events(rollout, wall_ms), phases, execs, reward, daemons_kept: true },
        telemetry: TelemetrySummary {
            memory_peak_bytes: observed(rollout.memory_peak_bytes.map(Bytes)),
            cpu_us: observed(rollout.cpu_us),
            agent_throttled_us: observed(rollout.agent_throttled_us),
            agent_contention_us: observed(rollout.agent_contention_us),
            ..TelemetrySummary::default()
        },
        host: HostWindow::default(),
        strategy: Strategy::default(),
        usage: Usage::default(),
        notes: Vec::new(),
        source: Some(Box::new(SourceRecord {
            format: "rollout".to_owned(),
            clues,
            ..SourceRecord::default()
        })),
    };
    Ok((facts, context(rollout)))
}

fn context(rollout: &Rollout) -> Context {
    let api = rollout.api_open.map_or(ApiAtDeadline::NotWatched, |cause| ApiAtDeadline::Open {
        cause,
        evidence: Evidence::observed("api_open", cause.to_string(), "it was open when the limit passed"),
    });
    Context { host_at_kill: rollout.host_at_kill, api, ..Context::default() }
}

/// A rollout has no place in a plan; its own id is given back with the verdict.
fn key() -> Result<TrialKey, String> {
    Ok(TrialKey {
        arm: ArmId::try_new("stream").map_err(|error| error.to_string())?,
        subject: Subject { agent: "policy".to_owned(), model: None },
        task: TaskId::try_new("rollout").map_err(|error| error.to_string())?,
        repeat: 0,
    })
}

pub(super) fn observed<T>(value: Option<T>) -> Observed<T> {
    value.map_or_else(|| Observed::Unavailable(NOT_GIVEN.to_owned()), Observed::Observed)
}

/// Floors and ceilings, as far as they are given; `None` if none is.
fn allocation(rollout: &Rollout) -> Result<Option<Allocation>, String> {
    let (floor, ceiling) = (rollout.memory_floor_bytes, rollout.memory_ceiling_bytes);
    if floor.is_none() && ceiling.is_none() && rollout.cpu_floor_millicpu.is_none() {
        return Ok(None);
    }
    let at = |limit: Option<u64>| limit.map_or(Ceiling::Uncapped, Ceiling::At);
    let memory = Band::try_new(Bytes(floor.unwrap_or(0)), at(ceiling).map(Bytes))
        .map_err(|error| format!("memory: {error}"))?;
    let cpu = Band::try_new(MilliCpu(rollout.cpu_floor_millicpu.unwrap_or(0)), Ceiling::Uncapped)
        .map_err(|error| format!("CPU: {error}"))?;
    let limits = &rollout.limits;
    let time = TimeLimits {
        start_ms: at(limits.start_ms),
        agent_ms: at(limits.agent_ms),
        verifier_ms: at(limits.verify_ms),
    };
    Ok(Some(Allocation {
        memory,
        cpu,
        pids: Ceiling::Uncapped,
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time,
    }))
}

fn reward(rollout: &Rollout, read: Option<&Read>, phases: &[PhaseRecord]) -> Reward {
    if let Some(said) = read.and_then(|read| read.reward.clone()) {
        return said;
    }
    let graded = phases.iter().any(|record| record.phase == Phase::Verify);
    match rollout.reward {
        Some(value) if graded => Reward::Given {
            values: [("reward".to_owned(), value)].into(),
            source: "reward of the rollout record".to_owned(),
        },
        None if graded => Reward::Missing,
        Some(_) | None => Reward::NotGraded,
    }
}
