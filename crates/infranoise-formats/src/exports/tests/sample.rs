//! A sweep with every outcome, a second attempt, an uncapped arm, readings of every state and a trial of another harness.

use infranoise_core::testing::{Ending, plan, record};
use infranoise_core::{
    Attempt, Bytes, Ceiling, Context, Enforcement, Observed, Phase, Plan, Provenance, Reward, SandboxId,
    SourceFailure, SourceRecord, TrialKey, TrialRecord, classify,
};

/// The moment at which the sample begins.
pub(super) const BEGAN_MS: u64 = 1_764_428_400_000;

/// Two tasks in two arms, each twice; one planned trial has no record.
pub(super) fn sweep() -> (Plan, Vec<TrialRecord>) {
    let mut plan = plan(2, 2, 2);
    plan.planned_at_ms = BEGAN_MS;
    plan.arms[1].arm = infranoise_core::testing::arm("uncapped", Ceiling::Uncapped);
    for allocation in plan.arms[1].allocations.values_mut() {
        allocation.memory =
            infranoise_core::Band::try_new(Bytes::mib(64), Ceiling::Uncapped).expect("a band");
        allocation.pids = Ceiling::At(100);
    }
    let endings = [
        Ending::Pass,
        Ending::CeilingKill,
        Ending::Fail,
        Ending::SurvivedKill,
        Ending::NotStarted,
        Ending::Fault,
        Ending::Pass,
    ];
    let keys: Vec<TrialKey> = plan.keys().collect();
    let mut records: Vec<TrialRecord> =
        keys.iter().zip(endings).map(|(key, ending)| record(&plan, key.clone(), ending)).collect();
    // The trial that did not start is done again; the journal holds the second attempt first.
    let mut again = record(&plan, keys[4].clone(), Ending::Pass);
    again.facts.attempt = Attempt(1);
    records.insert(0, again);
    for (place, record) in (0..).zip(&mut records) {
        let facts = &mut record.facts;
        facts.position = keys.iter().position(|key| *key == facts.key).unwrap_or(0) as u64;
        facts.started_at_ms += place * 1_500;
        facts.seed = u64::MAX - place;
        facts.sandbox = SandboxId::try_new(format!("s{place}")).ok();
        facts.telemetry.cpu_us = Observed::Partial(123_456);
        facts.telemetry.throttled_us = Observed::Unsupported("no CPU controller".into());
        facts.host.cpu_pressure_share = Observed::Observed(0.125);
        facts.usage.cost_usd = Observed::Observed(0.1 + 0.2);
    }
    (plan, records)
}

/// The last trial of the sample as another harness would have left it: hardly any times, no resources, an exception.
pub(super) fn foreign(mut record: TrialRecord) -> TrialRecord {
    let facts = &mut record.facts;
    (facts.started_at_ms, facts.wall_ms, facts.allocation) = (0, 10, None);
    facts.provenance = Provenance::Unknown;
    facts.enforcement = Enforcement::not_known("the source does not say");
    facts.spec = Default::default();
    facts.telemetry = Default::default();
    facts.host = Default::default();
    facts.usage = Default::default();
    facts.outcome.reward = Reward::Missing;
    for phase in facts.outcome.phases.iter_mut().filter(|phase| phase.phase != Phase::Start) {
        (phase.started_ms, phase.ended_ms) = (10, 10);
    }
    for exec in &mut facts.outcome.execs {
        exec.oom_kills = Observed::Unsupported("no counter".into());
    }
    facts.source = Some(Box::new(SourceRecord {
        format: "elsewhere".into(),
        file: "jobs/x/result.json".into(),
        trial: "x__1".into(),
        failure: Some(SourceFailure {
            class: "RewardFileNotFoundError".into(),
            message: "no \"reward\"".into(),
        }),
        counted: Some(false),
        ..SourceRecord::default()
    }));
    record.classification = classify(&record.facts, &Context::default());
    record
}

/// The sample, its last trial as another harness would have left it.
pub(super) fn mixed() -> (Plan, Vec<TrialRecord>) {
    let (plan, mut records) = sweep();
    let last = records.pop().expect("a record");
    records.push(foreign(last));
    (plan, records)
}
