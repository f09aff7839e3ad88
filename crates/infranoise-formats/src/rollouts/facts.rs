//! A rollout as the facts of a trial.

use infranoise_core::{
    Allocation, ApiAtDeadline, ArmId, Attempt, Band, Bytes, Cause, Ceiling, Clue, Context, Enforcement,
    Evidence, ExecId, ExecRecord, Facts, HostWindow, MilliCpu, Observed, OomScope, Outcome, Phase,
    PhaseRecord, Provenance, Resource, ResourceEvent, ResourceEventKind, Reward, SignalSender, SourceRecord,
    Stop, Strategy, Subject, TaskId, TaskSpec, TelemetrySummary, TimeLimits, TrialKey, Usage,
};

use super::exception::{self, Read};
use super::record::Rollout;

const AGENT: ExecId = ExecId(0);
const VERIFIER: ExecId = ExecId(1);

/// Why a reading is missing.
const NOT_GIVEN: &str = "the rollout record does not hold it";

/// Codes with which a program ends that was killed from outside at its deadline.
const KILLED_CODES: [i32; 5] = [124, 137, 143, -9, -15];

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

fn observed<T>(value: Option<T>) -> Observed<T> {
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
    Ok(Some(Allocation { memory, cpu, pids: Ceiling::Uncapped, storage: Ceiling::Uncapped, time }))
}

/// Whether the agent began: by its own traces, else by the times, else unless an exception came before it.
fn agent_began(rollout: &Rollout, read: Option<&Read>) -> bool {
    if rollout.exit_code.is_some() || rollout.signal.is_some() {
        return true;
    }
    if let Some(last) = rollout.phases.last() {
        return last >= Phase::Agent;
    }
    read.is_none_or(|read| read.phase >= Phase::Agent)
}

fn verifier_began(rollout: &Rollout, read: Option<&Read>) -> bool {
    rollout.phases.verify_ms.is_some()
        || rollout.verifier_exit_code.is_some()
        || rollout.reward.is_some()
        || read.is_some_and(|read| read.phase == Phase::Verify)
}

/// The phases that were begun, one after the other.
fn phases(rollout: &Rollout, read: Option<&Read>) -> Vec<PhaseRecord> {
    let agent = agent_began(rollout, read);
    let mut clock = 0;
    let mut phases = Vec::new();
    for phase in Phase::ALL {
        let raised_here = read.filter(|read| read.phase == phase);
        let began = match phase {
            Phase::Agent => agent,
            Phase::Verify => agent && verifier_began(rollout, read),
            Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => {
                rollout.phases.of(phase).is_some() || (raised_here.is_some() && phase != Phase::Stop)
            }
        };
        if !began {
            continue;
        }
        let started_ms = clock;
        clock += rollout.phases.of(phase).unwrap_or(0);
        let stop = match (raised_here, phase) {
            (Some(read), _) => read.stop.clone(),
            (None, Phase::Agent) => agent_stop(rollout),
            (None, Phase::Verify) => verifier_stop(rollout),
            (None, _) => Stop::Exited { code: 0 },
        };
        phases.push(PhaseRecord { phase, started_ms, ended_ms: clock, stop });
    }
    if let (false, Some(last)) = (agent, phases.last_mut()) {
        not_begun(last);
    }
    phases
}

/// The last phase before an agent that never began did not end well, whatever else is recorded.
fn not_begun(last: &mut PhaseRecord) {
    if last.stop == (Stop::Exited { code: 0 }) {
        let message = "the agent's phase has no time: it was never begun".to_owned();
        last.stop = Stop::Failed { cause: Cause::Unknown, message };
    }
}

fn agent_stop(rollout: &Rollout) -> Stop {
    let kills = rollout.oom_kills.unwrap_or(0);
    if rollout.oom_ended == Some(true) && rollout.oom_phase.is_none_or(|phase| phase == Phase::Agent) {
        return Stop::SandboxEnded { resource: Resource::Memory };
    }
    let reached = passed(rollout, Phase::Agent);
    let code = rollout.signal.map(|signal| -signal).or(rollout.exit_code);
    match (code, reached) {
        (None, Some(limit_ms)) => Stop::Deadline { limit_ms },
        (Some(code), Some(limit_ms)) if KILLED_CODES.contains(&code) && kills == 0 => {
            Stop::Deadline { limit_ms }
        }
        (Some(code), _) if code < 0 => {
            let killed = code == -9 && kills + rollout.host_oom_kills.unwrap_or(0) > 0;
            let by = if killed { SignalSender::OomKiller } else { SignalSender::Unknown };
            Stop::Signalled { signal: -code, by }
        }
        (Some(code), _) => Stop::Exited { code },
        (None, None) if rollout.reward.is_some() => Stop::Exited { code: 0 },
        (None, None) => Stop::Failed {
            cause: Cause::Unknown,
            message: "the record says neither how the agent ended nor what it was worth".to_owned(),
        },
    }
}

fn verifier_stop(rollout: &Rollout) -> Stop {
    match (rollout.reward, passed(rollout, Phase::Verify)) {
        (None, Some(limit_ms)) => Stop::Deadline { limit_ms },
        _ => Stop::Exited { code: rollout.verifier_exit_code.unwrap_or(0) },
    }
}

/// The limit of a phase, if the phase took as long.
fn passed(rollout: &Rollout, phase: Phase) -> Option<u64> {
    let limit_ms = rollout.limits.of(phase)?;
    (rollout.phases.of(phase)? >= limit_ms).then_some(limit_ms)
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

/// One command for the agent and one for the verifier.
fn execs(rollout: &Rollout, phases: &[PhaseRecord]) -> Vec<ExecRecord> {
    let killed_in = rollout.oom_phase.unwrap_or(Phase::Agent);
    let exec = |record: &PhaseRecord, id| ExecRecord {
        id,
        phase: record.phase,
        command: format!("the {} phase as a whole", record.phase),
        started_ms: record.started_ms,
        ended_ms: record.ended_ms,
        stop: record.stop.clone(),
        memory_peak_bytes: observed(rollout.memory_peak_bytes.map(Bytes)),
        cpu_us: observed(None),
        oom_kills: observed(rollout.oom_kills.map(|kills| if record.phase == killed_in { kills } else { 0 })),
        pids_refused: observed(rollout.pids_refused),
    };
    phases
        .iter()
        .filter_map(|record| match record.phase {
            Phase::Agent => Some(exec(record, AGENT)),
            Phase::Verify => Some(exec(record, VERIFIER)),
            Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => None,
        })
        .collect()
}

/// What the counters tell.
fn events(rollout: &Rollout, at_ms: u64) -> Vec<ResourceEvent> {
    let phase = rollout.oom_phase.unwrap_or(Phase::Agent);
    let exec = if phase == Phase::Verify { VERIFIER } else { AGENT };
    let kill = |kills, scope, evidence| ResourceEvent {
        at_ms,
        phase,
        exec: Some(exec),
        kind: ResourceEventKind::OomKill {
            scope,
            victim: None,
            victim_rss_bytes: None,
            kills,
            ended_trial: rollout.oom_ended == Some(true),
        },
        evidence,
    };
    let refused = |kind, field: &str, count: u64| ResourceEvent {
        at_ms,
        phase: Phase::Agent,
        exec: Some(AGENT),
        kind,
        evidence: Evidence::observed(field, count.to_string(), "the own limit refused"),
    };
    let some = |count: Option<u64>| count.filter(|count| *count > 0);
    let mut events = Vec::new();
    if let Some(kills) = some(rollout.oom_kills) {
        let (scope, evidence) = own_kill(kills, rollout.oom_events);
        events.push(kill(kills, scope, evidence));
    }
    if let Some(kills) = some(rollout.host_oom_kills) {
        let evidence = Evidence::observed("host_oom_kills", kills.to_string(), "the host ran out of memory");
        events.push(kill(kills, OomScope::Host, evidence));
    }
    if let Some(count) = some(rollout.pids_refused) {
        events.push(refused(ResourceEventKind::PidsRefused { count }, "pids_refused", count));
    }
    if let Some(count) = some(rollout.storage_refused) {
        events.push(refused(ResourceEventKind::StorageRefused { count }, "storage_refused", count));
    }
    events
}

/// Whose limit the kills were about: the counter of the own limit knows, where it is given.
fn own_kill(kills: u64, own_limit: Option<u64>) -> (OomScope, Evidence) {
    let says = "processes were killed at the own memory limit";
    match own_limit {
        Some(0) => {
            let says = "kills, although the own limit was never reached: the host ran out of memory";
            (OomScope::Host, Evidence::observed("oom_kills, oom_events", format!("{kills}, 0"), says))
        }
        Some(own) => {
            (OomScope::Own, Evidence::observed("oom_kills, oom_events", format!("{kills}, {own}"), says))
        }
        None => (OomScope::Own, Evidence::observed("oom_kills", kills.to_string(), says)),
    }
}
