//! The rules, in order of precedence. To add one: a function here, an entry in [`RULES`], and a specimen task that shows it.

use super::{Blame, Cause, Rule, Verdict};
use crate::evidence::{Evidence, EvidenceState};

mod agent;
mod ceiling;
mod fault;
pub(super) mod foreign;
mod host_disk;
mod host_oom;
mod passed;
mod started;
mod survived;
mod time_out;
mod verifier;

/// Every rule; the first that applies decides.
pub const RULES: &[Rule] = &[
    Rule {
        id: "not-started",
        sentence: "The agent phase was never begun: not a verdict on the trial; the cause of the failed start is kept.",
        decide: started::not_started,
    },
    Rule {
        id: "passed",
        sentence: "The verifier's reward is at least 1: the trial passed, whatever else befell it.",
        decide: passed::passed,
    },
    Rule {
        id: "interrupted",
        sentence: "A person stopped the trial: nothing can be said about it.",
        decide: started::interrupted,
    },
    Rule {
        id: "host-oom",
        sentence: "The host ran out of memory and ended the trial: a fault if the trial used no more than its floor, its ceiling's \
                   (host) if it was above its floor and the largest user, else undetermined.",
        decide: host_oom::host_oom,
    },
    Rule {
        id: "ceiling-kill",
        sentence: "Memory ran over the trial's own ceiling and the kill ended the agent phase.",
        decide: ceiling::memory_ended_agent,
    },
    Rule {
        id: "ceiling-kill-verifier",
        sentence: "Memory ran over the trial's own ceiling while the verifier was at work.",
        decide: ceiling::memory_ended_verifier,
    },
    Rule {
        id: "host-disk-full",
        sentence: "The host's disk was full while the command ran with which the phase ended, and it failed: a fault, since no ceiling of \
                   the trial's own was met. If the agent went on after it, it is not known what was lost.",
        decide: host_disk::full,
    },
    Rule {
        id: "ceiling-refusal",
        sentence: "The trial's own ceiling refused an allocation (pids, storage) and the phase ended within the same command, which \
                   failed.",
        decide: ceiling::refusal_ended_phase,
    },
    Rule {
        id: "foreign-verdict-lost",
        sentence: "Another harness lost a verdict that the verifier's own output shows: the tests passed, so the fault is not the agent's.",
        decide: foreign::verdict_lost,
    },
    Rule {
        id: "foreign-task-defect",
        sentence: "The task or its verifier fails in the same way for everybody: the task's.",
        decide: foreign::task_defect,
    },
    Rule {
        id: "foreign-infra",
        sentence: "In another harness's record, the last thing that happened was a failure outside the agent, as phase, position and \
                   times show together: a fault, or undetermined where other explanations fit too.",
        decide: foreign::infra,
    },
    Rule {
        id: "foreign-tests-failed",
        sentence: "Another harness lost a verdict that the verifier's own output shows: tests failed, so it is the agent's.",
        decide: foreign::tests_failed,
    },
    Rule {
        id: "foreign-killed",
        sentence: "In another harness's record, a process was killed and the trial ended with it; no counter says by whom, so that it \
                   cannot be known whether a ceiling did it.",
        decide: foreign::killed_unseen,
    },
    Rule {
        id: "foreign-agent",
        sentence: "Another harness calls it an infrastructure failure, but it was the agent's own doing, inside its own sandbox.",
        decide: foreign::agents_own,
    },
    Rule {
        id: "fault",
        sentence: "The engine, the host, the network or the model API ended a phase.",
        decide: fault::phase_failed,
    },
    Rule {
        id: "survived-event",
        sentence: "A ceiling refused or killed something in the agent phase, the agent went on, and the trial failed: whether it \
                   would have passed is settled only by a pair or a replay at a higher ceiling.",
        decide: survived::survived_and_failed,
    },
    Rule {
        id: "time-out-api",
        sentence: "The agent's limit passed while a stall, a rate limit or an outage of the model API was open.",
        decide: time_out::api_open,
    },
    Rule {
        id: "time-out-starved",
        sentence: "A limit passed while the guaranteed CPU was not delivered: pressure minus own throttling was at least 20 % of the \
                   phase and less CPU than the floor was received.",
        decide: time_out::starved,
    },
    Rule {
        id: "time-out-throttled",
        sentence: "The agent's limit passed while its own CPU ceiling held it back: the agent's, with a resource event; throttling is \
                   no excuse.",
        decide: time_out::throttled,
    },
    Rule {
        id: "time-out",
        sentence: "The agent's wall-clock limit passed and nothing else explains it: the agent's.",
        decide: time_out::plain,
    },
    Rule {
        id: "no-verdict",
        sentence: "The verifier left no reward, or something that is none, without a kill: the task's if oracle or nop show it too, a \
                   fault if it ran in a clean sandbox, else undetermined.",
        decide: verifier::no_verdict,
    },
    Rule {
        id: "unexplained-kill",
        sentence: "A signal ended the agent and it cannot be observed whether the kernel ran out of memory: 137 alone is never proof.",
        decide: agent::unexplained_kill,
    },
    Rule {
        id: "agent-killed",
        sentence: "A signal from inside the sandbox ended the agent; the kernel's counters show no out-of-memory kill.",
        decide: agent::killed_itself,
    },
    Rule {
        id: "agent-error",
        sentence: "The agent's program ended with an error of its own, and the verifier found the task unsolved.",
        decide: agent::error,
    },
    Rule {
        id: "wrong-answer",
        sentence: "The agent ended by itself and the verifier found the task unsolved.",
        decide: agent::wrong_answer,
    },
];

/// The verdict where no rule applies.
pub(super) fn nothing_known() -> Verdict {
    Verdict {
        blame: Blame::Undetermined,
        cause: Cause::Unknown,
        phase: None,
        evidence: vec![Evidence::missing(
            EvidenceState::Unavailable,
            "trial record",
            "nothing that was recorded explains how the trial ended",
        )],
    }
}
