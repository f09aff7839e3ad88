//! The counters of a rollout as commands and resource events.

use infranoise_core::{
    Bytes, Evidence, ExecId, ExecRecord, OomScope, Phase, PhaseRecord, ResourceEvent, ResourceEventKind,
};

use super::facts::observed;
use super::record::Rollout;

const AGENT: ExecId = ExecId(0);
const VERIFIER: ExecId = ExecId(1);

/// One command for the agent and one for the verifier.
pub(super) fn execs(rollout: &Rollout, phases: &[PhaseRecord]) -> Vec<ExecRecord> {
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
pub(super) fn events(rollout: &Rollout, at_ms: u64) -> Vec<ResourceEvent> {
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
