//! Plans for tests.

use std::collections::BTreeMap;

use infranoise_core::{
    Arm, ArmId, AssumeSpec, BandPolicy, Bytes, Ceiling, CgroupMode, Factor, HostFingerprint, KillScope,
    MilliCpu, Observed, PLAN_VERSION, Plan, PlannedArm, PlannedTask, ResourcePolicy, ScaledPolicy, Stated,
    Subject, SweepId, TaskId, TaskSpec, Timing,
};

pub(crate) fn host() -> HostFingerprint {
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

pub(crate) fn arm(name: &str, ceiling: Ceiling<Factor>) -> Arm {
    Arm {
        name: ArmId::try_new(name).expect("a name"),
        policy: ResourcePolicy::Scaled(ScaledPolicy {
            memory: BandPolicy::up_to(ceiling),
            cpu: BandPolicy::up_to(ceiling),
            pids: Ceiling::Uncapped,
            storage: Ceiling::Uncapped,
        }),
        kill_scope: KillScope::Trial,
        time_limit: Ceiling::At(Factor::ONE),
        visible: Default::default(),
        page_cache: Default::default(),
        agent_placement: Default::default(),
    }
}

pub(crate) fn task(name: &str) -> PlannedTask {
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

/// A plan with so many tasks, arms and repeats.
pub(crate) fn plan(tasks: u32, arms: u32, repeats: u32) -> Plan {
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
        retries_not_started: 2,
        retries_fault: 0,
        timing: Timing::AtOnce,
        quiesce: false,
        host: host(),
        warnings: Vec::new(),
    }
}
