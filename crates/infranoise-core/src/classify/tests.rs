//! One case for each disease: facts in, blame, cause and rule out.

use super::*;
use crate::evidence::Observed;
use crate::outcome::{
    ExecRecord, OomScope, PhaseRecord, ResourceEvent, ResourceEventKind, SignalSender, Stop,
};
use crate::resources::{Band, Ceiling};
use crate::{
    Allocation, ArmId, Attempt, Bytes, Enforcement, ExecId, HostWindow, MilliCpu, Outcome, Phase, Provenance,
    Reward, Strategy, Subject, TaskId, TaskSpec, TelemetrySummary, TimeLimits, TrialKey, Usage,
};

/// A trial in the making: an agent phase of ten seconds that ended well, a verifier that said 0.
struct Trial(Facts);

fn phase(phase: Phase, started_ms: u64, ended_ms: u64, stop: Stop) -> PhaseRecord {
    PhaseRecord { phase, started_ms, ended_ms, stop }
}

fn exited(code: i32) -> Stop {
    Stop::Exited { code }
}

fn signalled(signal: i32, by: SignalSender) -> Stop {
    Stop::Signalled { signal, by }
}

fn reward(value: f64) -> Reward {
    Reward::Given { values: [("reward".to_owned(), value)].into(), source: "reward.txt".into() }
}

impl Trial {
    fn new() -> Self {
        let allocation = Allocation {
            memory: Band::try_new(Bytes::mib(64), Ceiling::At(Bytes::mib(96))).expect("a band"),
            cpu: Band::try_new(MilliCpu(500), Ceiling::At(MilliCpu(1000))).expect("a band"),
            pids: Ceiling::At(64),
            storage: Ceiling::Uncapped,
            disk_rate: Default::default(),
            time: TimeLimits {
                start_ms: Ceiling::Uncapped,
                agent_ms: Ceiling::At(10_000),
                verifier_ms: Ceiling::Uncapped,
            },
        };
        let outcome = Outcome {
            phases: vec![
                phase(Phase::Start, 0, 10, exited(0)),
                phase(Phase::Agent, 10, 10_010, exited(0)),
                phase(Phase::Verify, 10_010, 10_100, exited(0)),
            ],
            execs: Vec::new(),
            events: Vec::new(),
            reward: reward(0.0),
            daemons_kept: true,
        };
        Self(Facts {
            key: TrialKey {
                arm: ArmId::try_new("1x").expect("a name"),
                subject: Subject { agent: "script".into(), model: None },
                task: TaskId::try_new("t").expect("a name"),
                repeat: 0,
            },
            attempt: Attempt(0),
            position: 0,
            block: 0,
            round: 0,
            seed: 1,
            engine: "local".into(),
            sandbox: None,
            started_at_ms: 0,
            wall_ms: 10_100,
            spec: TaskSpec::default(),
            allocation: Some(allocation),
            enforcement: Enforcement::nothing("a test"),
            provenance: Provenance::Enforced,
            outcome,
            telemetry: TelemetrySummary::default(),
            host: HostWindow::default(),
            strategy: Strategy::default(),
            usage: Usage::default(),
            notes: Vec::new(),
            source: None,
        })
        .exec(Phase::Agent, exited(0))
    }

    fn exec(mut self, phase: Phase, stop: Stop) -> Self {
        let id = ExecId(self.0.outcome.execs.len() as u32);
        self.0.outcome.execs.push(ExecRecord {
            id,
            phase,
            command: "step".into(),
            started_ms: 10,
            ended_ms: 20,
            stop,
            memory_peak_bytes: Observed::Observed(Bytes::mib(96)),
            cpu_us: Observed::Observed(1000),
            oom_kills: Observed::Observed(0),
            pids_refused: Observed::Observed(0),
        });
        self
    }

    /// Replaces the stop of a phase, and of its last command.
    fn stops(mut self, phase: Phase, stop: Stop) -> Self {
        for record in self.0.outcome.phases.iter_mut().filter(|record| record.phase == phase) {
            record.stop = stop.clone();
        }
        if let Some(exec) = self.0.outcome.execs.iter_mut().rev().find(|exec| exec.phase == phase) {
            exec.stop = stop;
        }
        self
    }

    fn only(mut self, phases: &[Phase]) -> Self {
        self.0.outcome.phases.retain(|record| phases.contains(&record.phase));
        self.0.outcome.execs.retain(|exec| phases.contains(&exec.phase));
        self
    }

    fn event(mut self, phase: Phase, exec: Option<u32>, kind: ResourceEventKind) -> Self {
        let evidence = Evidence::observed("memory.oom_control", "oom_kill 1", "a kill happened");
        self.0.outcome.events.push(ResourceEvent {
            at_ms: 20,
            phase,
            exec: exec.map(ExecId),
            kind,
            evidence,
        });
        self
    }

    fn oom(self, phase: Phase, exec: u32, scope: OomScope, ended_trial: bool) -> Self {
        let kind = ResourceEventKind::OomKill {
            scope,
            victim: Some("probe".into()),
            victim_rss_bytes: Some(Bytes::mib(95)),
            kills: 1,
            ended_trial,
        };
        self.event(phase, Some(exec), kind)
    }

    fn rewarded(mut self, reward: Reward) -> Self {
        self.0.outcome.reward = reward;
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Facts)) -> Self {
        change(&mut self.0);
        self
    }
}

const DEADLINE: Stop = Stop::Deadline { limit_ms: 10_000 };
const ENDED: Stop = Stop::SandboxEnded { resource: Resource::Memory };
const CEILING: Blame = Blame::Ceiling { resource: Resource::Memory };

fn failed(cause: Cause) -> Stop {
    Stop::Failed { cause, message: "said the engine".into() }
}

#[track_caller]
fn check_in(context: &Context, trial: Trial, blame: Blame, cause: Cause, rule: &str) {
    let said = classify(&trial.0, context);
    assert_eq!((said.blame, said.cause, said.rule.0.as_str()), (blame, cause, rule), "{said:#?}");
    assert!(!said.evidence.is_empty(), "no verdict without evidence");
}

#[track_caller]
fn check(trial: Trial, blame: Blame, cause: Cause, rule: &str) {
    check_in(&Context::default(), trial, blame, cause, rule);
}

#[test]
fn passing_trials_pass_whatever_befell_them() {
    check(Trial::new().rewarded(reward(1.0)), Blame::Nobody, Cause::Solved, "passed");
    let late = Trial::new().stops(Phase::Agent, DEADLINE).rewarded(reward(1.0));
    check(late, Blame::Nobody, Cause::Solved, "passed");
    let survived = Trial::new()
        .exec(Phase::Agent, exited(0))
        .oom(Phase::Agent, 0, OomScope::Own, false)
        .rewarded(reward(1.0));
    let said = classify(&survived.0, &Context::default());
    assert_eq!(said.blame, Blame::Nobody);
    assert_eq!(said.survived.len(), 1, "the event stays visible");
    assert!(said.survived[0].contains("victim `probe` with 95 MiB resident"), "{}", said.survived[0]);
}

#[test]
fn failures_without_events_are_the_agents() {
    check(Trial::new(), Blame::Agent, Cause::WrongAnswer, "wrong-answer");
    check(Trial::new().stops(Phase::Agent, exited(3)), Blame::Agent, Cause::AgentError, "agent-error");
    check(Trial::new().stops(Phase::Agent, DEADLINE), Blame::Agent, Cause::TimeOut, "time-out");
    let killed = Trial::new().stops(Phase::Agent, signalled(9, SignalSender::Inside));
    check(killed, Blame::Agent, Cause::AgentKilledItself, "agent-killed");
    let by_shell = Trial::new().stops(Phase::Agent, exited(137));
    check(by_shell, Blame::Agent, Cause::AgentKilledItself, "agent-killed");
}

#[test]
fn exit_code_137_without_a_counter_is_never_proof() {
    let unknown = Trial::new()
        .stops(Phase::Agent, exited(137))
        .with(|facts| facts.outcome.execs[0].oom_kills = Observed::Unsupported("no counter here".into()));
    check(unknown, Blame::Undetermined, Cause::Unknown, "unexplained-kill");
}

#[test]
fn kills_at_the_own_ceiling() {
    let trial_scope = Trial::new()
        .stops(Phase::Agent, ENDED)
        .only(&[Phase::Start, Phase::Agent])
        .oom(Phase::Agent, 0, OomScope::Own, true)
        .rewarded(Reward::NotGraded);
    check(trial_scope, CEILING, Cause::Oom, "ceiling-kill");
    let last_command = Trial::new().stops(Phase::Agent, signalled(9, SignalSender::OomKiller)).oom(
        Phase::Agent,
        0,
        OomScope::Own,
        false,
    );
    check(last_command, CEILING, Cause::Oom, "ceiling-kill");
    let shell_says_137 =
        Trial::new().stops(Phase::Agent, exited(137)).oom(Phase::Agent, 0, OomScope::Own, false);
    check(shell_says_137, CEILING, Cause::Oom, "ceiling-kill");
    let verifier = Trial::new().exec(Phase::Verify, exited(0)).oom(Phase::Verify, 1, OomScope::Own, false);
    check(verifier, CEILING, Cause::Oom, "ceiling-kill-verifier");
}

#[test]
fn kills_that_the_agent_survives_cannot_be_judged() {
    let masked = Trial::new().oom(Phase::Agent, 0, OomScope::Own, false);
    check(masked, Blame::Undetermined, Cause::Oom, "survived-event");
    let earlier = Trial::new().exec(Phase::Agent, exited(0)).oom(Phase::Agent, 0, OomScope::Own, false);
    check(earlier, Blame::Undetermined, Cause::Oom, "survived-event");
    let then_late = Trial::new().stops(Phase::Agent, DEADLINE).oom(Phase::Agent, 0, OomScope::Own, false);
    check(then_late, Blame::Undetermined, Cause::Oom, "survived-event");
    let unknown_scope = Trial::new().oom(Phase::Agent, 0, OomScope::Unknown, false);
    check(unknown_scope, Blame::Undetermined, Cause::Oom, "survived-event");
}

#[test]
fn refusals_end_a_phase_only_within_the_command_that_failed() {
    let refused = || ResourceEventKind::PidsRefused { count: 3 };
    let pids = Blame::Ceiling { resource: Resource::Pids };
    let ended = Trial::new().stops(Phase::Agent, exited(2)).event(Phase::Agent, Some(0), refused());
    check(ended, pids, Cause::Pids, "ceiling-refusal");
    let recovered = Trial::new().exec(Phase::Agent, exited(0)).event(Phase::Agent, Some(0), refused());
    check(recovered, Blame::Undetermined, Cause::Pids, "survived-event");
    let full = ResourceEventKind::StorageRefused { count: 1 };
    let disk = Trial::new().stops(Phase::Agent, exited(1)).event(Phase::Agent, Some(0), full);
    check(disk, Blame::Ceiling { resource: Resource::Storage }, Cause::StorageCeiling, "ceiling-refusal");
}

#[test]
fn a_full_disk_of_the_host_is_nobodys_ceiling() {
    let host = || ResourceEventKind::HostDiskFull { free_bytes: Bytes(4096) };
    let own = ResourceEventKind::StorageRefused { count: 1 };
    let ended = Trial::new().stops(Phase::Agent, exited(1)).event(Phase::Agent, Some(0), host());
    check(ended, Blame::Fault, Cause::DiskFull, "host-disk-full");
    let both = Trial::new().stops(Phase::Agent, exited(1)).event(Phase::Agent, Some(0), own);
    check(both.event(Phase::Agent, Some(0), host()), Blame::Fault, Cause::DiskFull, "host-disk-full");
    let went_on = Trial::new().exec(Phase::Agent, exited(0)).event(Phase::Agent, Some(0), host());
    check(went_on, Blame::Undetermined, Cause::DiskFull, "host-disk-full");
}

#[test]
fn time_outs_look_for_who_held_the_trial_back() {
    let telemetry = |throttled_us, contention_us, cpu_us| {
        move |facts: &mut Facts| {
            facts.telemetry.agent_throttled_us = Observed::Observed(throttled_us);
            facts.telemetry.agent_contention_us = Observed::Observed(contention_us);
            facts.telemetry.cpu_us = Observed::Observed(cpu_us);
        }
    };
    let late = || Trial::new().stops(Phase::Agent, DEADLINE);
    let throttled = late().with(telemetry(4_000_000, 0, 1_000_000));
    check(throttled, Blame::Agent, Cause::Throttled, "time-out-throttled");
    let starved = late().with(telemetry(0, 5_000_000, 1_000_000));
    check(starved, Blame::Fault, Cause::CpuStarved, "time-out-starved");
    let waits_for_itself = late().with(telemetry(0, 9_000_000, 6_000_000));
    check(waits_for_itself, Blame::Agent, Cause::TimeOut, "time-out");
    let in_part = late().with(telemetry(0, 5_000_000, 1_000_000)).with(|facts| {
        facts.telemetry.agent_contention_us = Observed::Partial(5_000_000);
    });
    check(in_part, Blame::Undetermined, Cause::CpuStarved, "time-out-starved");
    let shown = Evidence::observed("gateway", "429 open for 12 s", "the API refused");
    let api = Context {
        api: ApiAtDeadline::Open { cause: Cause::ApiRateLimit, evidence: shown },
        ..Context::default()
    };
    check_in(&api, late(), Blame::Fault, Cause::ApiRateLimit, "time-out-api");
}

#[test]
fn a_host_out_of_memory_is_a_fault_only_within_the_floor() {
    let trial = || {
        Trial::new().stops(Phase::Agent, signalled(9, SignalSender::OomKiller)).oom(
            Phase::Agent,
            0,
            OomScope::Host,
            false,
        )
    };
    let host = |own_usage_bytes, largest_user| Context {
        host_at_kill: Some(HostAtKill { own_usage_bytes, own_floor_bytes: Bytes::mib(64), largest_user }),
        ..Context::default()
    };
    check_in(&host(Bytes::mib(60), true), trial(), Blame::Fault, Cause::HostOom, "host-oom");
    check_in(&host(Bytes::mib(90), true), trial(), CEILING, Cause::HostOom, "host-oom");
    check_in(&host(Bytes::mib(90), false), trial(), Blame::Undetermined, Cause::HostOom, "host-oom");
    check(trial(), Blame::Undetermined, Cause::HostOom, "host-oom");
    let survived = Trial::new().oom(Phase::Agent, 0, OomScope::Host, false);
    check_in(&host(Bytes::mib(60), true), survived, Blame::Undetermined, Cause::HostOom, "host-oom");
}

#[test]
fn verifiers_that_leave_no_verdict() {
    let missing = || Trial::new().exec(Phase::Verify, exited(0)).rewarded(Reward::Missing);
    check(missing(), Blame::Undetermined, Cause::RewardMissing, "no-verdict");
    let broken = missing().stops(Phase::Verify, exited(127));
    check(broken, Blame::Undetermined, Cause::VerifierBroken, "no-verdict");
    let garbled = Reward::Garbled { why: "not a number".into(), excerpt: "yes".into() };
    check(Trial::new().rewarded(garbled), Blame::Undetermined, Cause::RewardGarbled, "no-verdict");
    let late = missing().stops(Phase::Verify, DEADLINE).rewarded(Reward::NotGraded);
    check(late, Blame::Undetermined, Cause::VerifierTimeOut, "no-verdict");
    let oracle = Context {
        qualification: Qualification { oracle_shows_it: Some(true), nop_shows_it: None },
        ..Context::default()
    };
    check_in(&oracle, missing(), Blame::Task, Cause::RewardMissing, "no-verdict");
    let clean = Context { verifier_clean: true, ..Context::default() };
    check_in(&clean, missing(), Blame::Fault, Cause::RewardMissing, "no-verdict");
}

#[test]
fn faults_and_starts() {
    let gone = Trial::new().stops(Phase::Agent, failed(Cause::SandboxGone)).rewarded(Reward::NotGraded);
    check(gone, Blame::Fault, Cause::SandboxGone, "fault");
    let start = Trial::new()
        .only(&[Phase::Start])
        .stops(Phase::Start, failed(Cause::StartFailed))
        .rewarded(Reward::NotGraded);
    check(start, Blame::NotStarted, Cause::StartFailed, "not-started");
    let setup = Trial::new().only(&[Phase::Start]).with(|facts| {
        facts.outcome.phases.push(phase(Phase::Setup, 10, 20, ENDED));
        facts.outcome.reward = Reward::NotGraded;
    });
    check(setup, Blame::NotStarted, Cause::Oom, "not-started");
    let stopped = Trial::new().stops(Phase::Agent, Stop::Interrupted).rewarded(Reward::NotGraded);
    check(stopped, Blame::Undetermined, Cause::Interrupted, "interrupted");
    let nothing = Trial::new().only(&[]).rewarded(Reward::NotGraded);
    check(nothing, Blame::NotStarted, Cause::Unknown, "not-started");
}

#[test]
fn rules_have_names_of_their_own_and_sentences() {
    let mut names: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        assert!(rule.sentence.ends_with('.') && rule.sentence.len() > 30, "{}", rule.id);
    }
}
