//! A trial's record with something in every field.

use infranoise_core::{
    Allocation, Attempt, Band, Blame, Bytes, Cause, Ceiling, Classification, Enforcement, Evidence, ExecId,
    ExecRecord, Facts, Held, HostWindow, KillScope, MilliCpu, Observed, OomScope, Outcome, Phase,
    PhaseRecord, Provenance, Resource, ResourceEvent, ResourceEventKind, Reward, RuleId, SandboxId, Stated,
    Stop, Strategy, StrategyCommand, Subject, TaskSpec, TelemetrySummary, TimeLimits, TrialKey, TrialRecord,
    Usage,
};

use crate::fixture::HOSTILE;
use crate::fixture::world::{arm, task};

fn kernel(knob: &str, value: &str) -> Held {
    Held::ByKernel { knob: knob.to_owned(), value: value.to_owned() }
}

fn exec(id: u32, phase: Phase, command: &str, span: (u64, u64), stop: Stop, peak: u64) -> ExecRecord {
    ExecRecord {
        id: ExecId(id),
        phase,
        command: command.to_owned(),
        started_ms: span.0,
        ended_ms: span.1,
        stop,
        memory_peak_bytes: Observed::Observed(Bytes::mib(peak)),
        cpu_us: Observed::Observed(812_000),
        oom_kills: Observed::Observed(0),
        pids_refused: Observed::Unsupported("pids.events does not exist here".to_owned()),
    }
}

fn outcome(evidence: Evidence) -> Outcome {
    let ended = Stop::SandboxEnded { resource: Resource::Memory };
    let phase = |phase, started_ms, ended_ms, stop| PhaseRecord { phase, started_ms, ended_ms, stop };
    Outcome {
        phases: vec![
            phase(Phase::Start, 0, 21, Stop::Exited { code: 0 }),
            phase(Phase::Agent, 21, 1_432, ended.clone()),
        ],
        execs: vec![
            exec(0, Phase::Agent, "cat /app/instruction.md", (30, 41), Stop::Exited { code: 0 }, 2),
            exec(1, Phase::Agent, "probe hold --mib 230 --ms 900", (60, 1_430), ended, 96),
        ],
        events: vec![ResourceEvent {
            at_ms: 1_430,
            phase: Phase::Agent,
            exec: Some(ExecId(1)),
            kind: ResourceEventKind::OomKill {
                scope: OomScope::Own,
                victim: Some("probe".to_owned()),
                victim_rss_bytes: Some(Bytes::mib(94)),
                kills: 2,
                ended_trial: true,
            },
            evidence,
        }],
        reward: Reward::NotGraded,
        daemons_kept: false,
    }
}

fn facts(evidence: Evidence) -> Facts {
    Facts {
        key: TrialKey {
            arm: arm(1),
            subject: Subject { agent: "script".to_owned(), model: None },
            task: task(1),
            repeat: 2,
        },
        attempt: Attempt(0),
        position: 113,
        block: 30,
        round: 2,
        seed: 9_312_277,
        engine: "local".to_owned(),
        sandbox: Some(SandboxId::try_new("in-demo-113").expect("a name")),
        started_at_ms: 1_770_301_900_000,
        wall_ms: 1_450,
        spec: TaskSpec {
            memory: Stated::Value(Bytes::mib(64)),
            cpu: Stated::Value(MilliCpu(500)),
            agent_limit_ms: Stated::Value(10_000),
            ..TaskSpec::default()
        },
        allocation: Some(Allocation {
            memory: Band::try_new(Bytes::mib(64), Ceiling::At(Bytes::mib(96))).expect("a band"),
            cpu: Band::try_new(MilliCpu(500), Ceiling::At(MilliCpu(750))).expect("a band"),
            pids: Ceiling::At(64),
            storage: Ceiling::Uncapped,
            disk_rate: Default::default(),
            time: TimeLimits {
                start_ms: Ceiling::Uncapped,
                agent_ms: Ceiling::At(10_000),
                verifier_ms: Ceiling::Uncapped,
            },
        }),
        enforcement: Enforcement {
            memory_floor: Held::BestEffort { knob: "admission".to_owned(), value: "64 MiB".to_owned() },
            memory_ceiling: kernel("memory.limit_in_bytes", "100663296"),
            swap_closed: kernel("memory.memsw.limit_in_bytes", "100663296"),
            cpu_floor: Held::BestEffort { knob: "cpu.shares".to_owned(), value: "512".to_owned() },
            cpu_ceiling: kernel("cpu.cfs_quota_us", "75000"),
            pids_ceiling: kernel("pids.max", "64"),
            storage_ceiling: Held::NotAsked,
            disk_rate: Held::NotAsked,
            kill_scope: KillScope::Trial,
            kill_scope_held: Held::BestEffort { knob: "eventfd".to_owned(), value: "armed".to_owned() },
            gaps: vec!["oom_score_adj: EACCES".to_owned()],
        },
        provenance: Provenance::Enforced,
        outcome: outcome(evidence),
        telemetry: TelemetrySummary {
            memory_peak_bytes: Observed::Observed(Bytes::mib(96)),
            nonreclaimable_peak_bytes: Observed::Partial(Bytes::mib(91)),
            cpu_us: Observed::Observed(830_000),
            samples: 14,
            interval_ms: 100,
            longest_gap_ms: 104,
            ..TelemetrySummary::default()
        },
        host: HostWindow {
            cpu_pressure_share: Observed::Observed(0.213),
            memory_available_min_bytes: Observed::Observed(Bytes::gib(5)),
            concurrent_trials: 4,
            ..HostWindow::default()
        },
        strategy: Strategy {
            named: vec!["heavy".to_owned()],
            packages: vec![],
            heaviest: vec![StrategyCommand {
                command: "probe hold --mib 230 --ms 900".to_owned(),
                memory_peak_bytes: Observed::Observed(Bytes::mib(96)),
                cpu_us: Observed::Observed(812_000),
                stop: Stop::SandboxEnded { resource: Resource::Memory },
            }],
        },
        usage: Usage::default(),
        notes: vec!["the sampler missed one tick".to_owned()],
        source: None,
    }
}

/// A trial that its memory ceiling ended.
pub fn ceiling_kill() -> TrialRecord {
    let evidence = Evidence::observed(
        "memory.oom_control (leaf e1)",
        "under_oom 1",
        "memory ran over the trial's own ceiling",
    );
    let classification = Classification {
        blame: Blame::Ceiling { resource: Resource::Memory },
        cause: Cause::Oom,
        phase: Some(Phase::Agent),
        rule: RuleId("ceiling-kill".to_owned()),
        evidence: vec![
            evidence.clone(),
            Evidence::missing(
                infranoise_core::EvidenceState::Unavailable,
                "kernel log",
                "the victim is not named",
            ),
        ],
        survived: vec!["e0: 3 forks refused".to_owned()],
    };
    TrialRecord { facts: facts(evidence), classification }
}

/// The same with hostile text wherever a text is free.
pub fn hostile() -> TrialRecord {
    let mut record = ceiling_kill();
    let bad = || HOSTILE.to_owned();
    record.facts.engine = bad();
    record.facts.notes = vec![bad(), "y".repeat(1 << 20)];
    record.facts.outcome.reward = Reward::Garbled { why: bad(), excerpt: bad() };
    for exec in &mut record.facts.outcome.execs {
        exec.command = bad();
        exec.stop = Stop::Failed { cause: Cause::EngineError, message: bad() };
    }
    record.facts.strategy.named = vec![bad()];
    record.classification.rule = RuleId(bad());
    record.classification.evidence = vec![Evidence::observed(bad(), bad(), bad())];
    record.classification.survived = vec![bad()];
    record
}
