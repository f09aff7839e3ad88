//! Samples for tests of this and other crates (feature `testing`): a host, tasks, arms, plans and records.

use std::collections::BTreeMap;

use crate::{
    Arm, ArmId, AssumeSpec, Attempt, BandPolicy, Bytes, Ceiling, CgroupMode, Context, Enforcement, Evidence,
    ExecId, ExecRecord, Factor, Facts, HostFingerprint, HostWindow, KillScope, MilliCpu, Observed, OomScope,
    Outcome, PLAN_VERSION, Phase, PhaseRecord, Plan, PlannedArm, PlannedTask, Provenance, Resource,
    ResourceEvent, ResourceEventKind, ResourcePolicy, Reward, ScaledPolicy, Stated, Stop, Strategy, Subject,
    SweepId, TaskId, TaskSpec, TelemetrySummary, Timing, TrialKey, TrialRecord, Usage, classify,
};

/// A host with four CPUs and 8 GiB.
#[must_use]
pub fn host() -> HostFingerprint {
    HostFingerprint {
        machine_hash: Observed::default(),
        boot_id: Observed::default(),
        kernel: "6.1".into(),
        cpu_model: Observed::default(),
        cpus: 4,
        cpu_flags_hash: Observed::default(),
        memory_bytes: Bytes::gib(8),
        swap_bytes: Bytes(0),
        cgroup_mode: CgroupMode::V2,
        pressure: true,
        hypervisor: false,
        settings: BTreeMap::new(),
    }
}

/// An arm with floors at the spec and ceilings at a multiple of it.
///
/// # Panics
/// If the name cannot be one.
#[must_use]
pub fn arm(name: &str, ceiling: Ceiling<Factor>) -> Arm {
    Arm {
        name: ArmId::try_new(name).expect("a name"),
        policy: ResourcePolicy::Scaled(ScaledPolicy {
            memory: BandPolicy::up_to(ceiling),
            cpu: BandPolicy::up_to(ceiling),
            pids: Ceiling::Uncapped,
            storage: Ceiling::Uncapped,
            disk_rate: Default::default(),
        }),
        kill_scope: KillScope::Trial,
        time_limit: Ceiling::At(Factor::ONE),
        visible: Default::default(),
        page_cache: Default::default(),
        agent_placement: Default::default(),
    }
}

/// A task that states 64 MiB and half a CPU.
///
/// # Panics
/// If the name cannot be one.
#[must_use]
pub fn task(name: &str) -> PlannedTask {
    PlannedTask {
        id: TaskId::try_new(name).expect("a name"),
        source: "test".into(),
        digest: "0".into(),
        spec: TaskSpec {
            memory: Stated::Value(Bytes::mib(64)),
            cpu: Stated::Value(MilliCpu(500)),
            ..TaskSpec::default()
        },
        labels: BTreeMap::new(),
    }
}

/// A plan with so many tasks, arms (1x, 2x, ...) and repeats.
///
/// # Panics
/// Never, for numbers that a test would use.
#[must_use]
pub fn plan(tasks: u32, arms: u32, repeats: u32) -> Plan {
    let tasks: Vec<_> = (0..tasks).map(|n| task(&format!("task-{n}"))).collect();
    let one = Ceiling::At(Factor::ONE);
    let arms = (0..arms)
        .map(|n| {
            let arm = arm(&format!("{}x", n + 1), Ceiling::At(Factor((n + 1) * 1000)));
            let allocations = tasks
                .iter()
                .map(|task| {
                    let allocation = arm.policy.apply(&task.id, &task.spec, &AssumeSpec::default(), one);
                    (task.id.clone(), allocation.expect("applies"))
                })
                .collect();
            PlannedArm { arm, allocations, without_band: Vec::new() }
        })
        .collect();
    Plan {
        version: PLAN_VERSION,
        sweep: SweepId::try_new("test").expect("a name"),
        made_by: "test".into(),
        planned_at_ms: 0,
        staged: false,
        tasks,
        arms,
        reference: None,
        subject: Subject { agent: "script".into(), model: None },
        agent_command: None,
        repeats,
        seed: 20260205,
        margin_pp: 3.0,
        assume: AssumeSpec::default(),
        engine: "fake".into(),
        root: "host".into(),
        network: "none".into(),
        retries_not_started: 2,
        retries_fault: 0,
        timing: Timing::AtOnce,
        quiesce: false,
        host: host(),
        warnings: Vec::new(),
        imported: None,
    }
}

/// What a sample record shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Solved.
    Pass,
    /// Not solved, by the agent's own doing.
    Fail,
    /// The sandbox was ended at its own memory ceiling.
    CeilingKill,
    /// A tool was killed at the ceiling, the agent went on and failed.
    SurvivedKill,
    /// The engine failed in the agent phase.
    Fault,
    /// The sandbox could not be started.
    NotStarted,
}

/// The facts of a trial that started, ran its agent for a second and was graded 0.
///
/// # Panics
/// If the plan does not hold the trial.
#[must_use]
pub fn facts(plan: &Plan, key: TrialKey) -> Facts {
    let task = plan.task(&key.task).expect("a planned task");
    let allocation = plan.arm(&key.arm).expect("a planned arm").allocations[&key.task];
    let phase = |phase, started_ms, ended_ms| PhaseRecord {
        phase,
        started_ms,
        ended_ms,
        stop: Stop::Exited { code: 0 },
    };
    let exec = |id, phase| ExecRecord {
        id: ExecId(id),
        phase,
        command: "step".into(),
        started_ms: 10,
        ended_ms: 900,
        stop: Stop::Exited { code: 0 },
        memory_peak_bytes: Observed::Observed(Bytes::mib(40)),
        cpu_us: Observed::Observed(200_000),
        oom_kills: Observed::Observed(0),
        pids_refused: Observed::Observed(0),
    };
    Facts {
        attempt: Attempt(0),
        position: 0,
        block: 0,
        round: key.repeat,
        seed: 1,
        engine: "local".into(),
        sandbox: None,
        started_at_ms: plan.planned_at_ms,
        wall_ms: 1_100,
        spec: task.spec,
        allocation: Some(allocation),
        enforcement: Enforcement { kill_scope: KillScope::Trial, ..Enforcement::nothing("a sample") },
        provenance: Provenance::Enforced,
        outcome: Outcome {
            phases: vec![
                phase(Phase::Start, 0, 10),
                phase(Phase::Agent, 10, 1_010),
                phase(Phase::Verify, 1_010, 1_100),
            ],
            execs: vec![exec(0, Phase::Agent), exec(1, Phase::Verify)],
            events: Vec::new(),
            reward: reward(0.0),
            daemons_kept: true,
        },
        telemetry: TelemetrySummary {
            memory_peak_bytes: Observed::Observed(Bytes::mib(40)),
            ..TelemetrySummary::default()
        },
        host: HostWindow::default(),
        strategy: Strategy::default(),
        usage: Usage::default(),
        notes: Vec::new(),
        source: None,
        key,
    }
}

/// A reward of this value.
#[must_use]
pub fn reward(value: f64) -> Reward {
    Reward::Given { values: [("reward".to_owned(), value)].into(), source: "reward.txt".into() }
}

/// An out-of-memory kill in the agent phase's first command.
#[must_use]
pub fn oom_kill(scope: OomScope, ended_trial: bool) -> ResourceEvent {
    ResourceEvent {
        at_ms: 500,
        phase: Phase::Agent,
        exec: Some(ExecId(0)),
        kind: ResourceEventKind::OomKill {
            scope,
            victim: Some("probe".into()),
            victim_rss_bytes: Some(Bytes::mib(63)),
            kills: 1,
            ended_trial,
        },
        evidence: Evidence::observed("memory.oom_control", "oom_kill 1", "a kill happened"),
    }
}

/// A classified record that shows this ending.
///
/// # Panics
/// If the plan does not hold the trial.
#[must_use]
pub fn record(plan: &Plan, key: TrialKey, ending: Ending) -> TrialRecord {
    let mut facts = facts(plan, key);
    let outcome = &mut facts.outcome;
    let keep = |outcome: &mut Outcome, last: Phase, stop: Stop| {
        outcome.phases.retain(|record| record.phase <= last);
        outcome.execs.retain(|exec| exec.phase <= last);
        if let Some(record) = outcome.phases.last_mut() {
            record.stop = stop;
        }
        outcome.reward = Reward::NotGraded;
    };
    let failed = |cause| Stop::Failed { cause, message: "said the engine".into() };
    match ending {
        Ending::Pass => outcome.reward = reward(1.0),
        Ending::Fail => {}
        Ending::CeilingKill => {
            keep(outcome, Phase::Agent, Stop::SandboxEnded { resource: Resource::Memory });
            outcome.events.push(oom_kill(OomScope::Own, true));
        }
        Ending::SurvivedKill => outcome.events.push(oom_kill(OomScope::Own, false)),
        Ending::Fault => keep(outcome, Phase::Agent, failed(crate::Cause::SandboxGone)),
        Ending::NotStarted => keep(outcome, Phase::Start, failed(crate::Cause::StartFailed)),
    }
    let classification = classify(&facts, &Context::default());
    TrialRecord { facts, classification }
}
