//! What is asked for, one entry each.

use infranoise_core::{Ceiling, EvidenceState, Facts, Held, Plan, Provenance, TrialRecord};

use super::{AuditItem, Disclosed};
use crate::doc::Analysis;

/// One entry.
pub(super) struct Item {
    id: &'static str,
    asks: &'static str,
    add: &'static str,
    look: fn(&Plan, &[TrialRecord], &Analysis) -> (Disclosed, String),
}

impl Item {
    pub(super) fn look(&self, plan: &Plan, records: &[TrialRecord], analysis: &Analysis) -> AuditItem {
        let (disclosed, found) = (self.look)(plan, records, analysis);
        AuditItem {
            id: self.id.to_owned(),
            asks: self.asks.to_owned(),
            disclosed,
            found,
            add: (disclosed != Disclosed::Yes).then(|| self.add.to_owned()),
        }
    }
}

/// Every entry.
pub(super) const ITEMS: &[Item] = &[
    Item {
        id: "memory-band",
        asks: "memory floor and ceiling of every task, separately",
        add: "Memory: each task was guaranteed [floor] and cut off at [ceiling], [x] and [y] times its spec.",
        look: |_, records, _| {
            share(records, "memory bands", |facts| {
                facts.allocation.map(|a| a.memory.ceiling() != Ceiling::Uncapped || a.memory.floor().0 > 0)
            })
        },
    },
    Item {
        id: "cpu-band",
        asks: "CPU floor and ceiling of every task, separately",
        add: "CPU: each task was guaranteed [floor] and throttled at [ceiling].",
        look: |_, records, _| {
            share(records, "CPU bands", |facts| {
                facts.allocation.map(|a| a.cpu.ceiling() != Ceiling::Uncapped || a.cpu.floor().0 > 0)
            })
        },
    },
    Item {
        id: "enforcement",
        asks: "how limits are enforced, read back from what enforces them",
        add: "Enforcement: [Docker | Kubernetes | kernel], [engine version]; limits were read back from [where].",
        look: |_, records, _| {
            let known =
                records.iter().filter(|record| record.facts.provenance == Provenance::Enforced).count();
            let by_kernel = records
                .iter()
                .filter(|record| {
                    matches!(record.facts.enforcement.memory_ceiling, Held::ByKernel { .. } | Held::NotAsked)
                })
                .count();
            let said = format!(
                "set and read back for {known} of {} trials, memory by the kernel for {by_kernel}",
                records.len()
            );
            (grade(known, records.len()), said)
        },
    },
    Item {
        id: "kill-scope",
        asks: "what dies when memory runs over: a process, a command, the trial",
        add: "Kill scope: running over memory ended [one process | the container].",
        look: |plan, _, _| {
            if plan.imported.is_some() {
                return (Disclosed::No, "the source does not say".to_owned());
            }
            let mut scopes: Vec<String> =
                plan.arms.iter().map(|arm| arm.arm.kill_scope.to_string()).collect();
            scopes.dedup();
            (Disclosed::Yes, scopes.join(", "))
        },
    },
    Item {
        id: "oom-evidence",
        asks: "out-of-memory kills seen in kernel counters, not guessed from exit codes",
        add: "Kills: out-of-memory kills were read from [memory.events | the runtime's flag | not observed].",
        look: |_, _, analysis| {
            let states: Vec<EvidenceState> =
                analysis.arms.iter().map(|arm| arm.ceiling_kills.observable).collect();
            match states.iter().max() {
                Some(EvidenceState::Observed) => (Disclosed::Yes, "observed in every arm".to_owned()),
                Some(EvidenceState::Partial) => (Disclosed::Partly, "observed in part".to_owned()),
                Some(EvidenceState::Unavailable | EvidenceState::Unsupported) | None => {
                    (Disclosed::No, "not observable".to_owned())
                }
            }
        },
    },
    Item {
        id: "infra-rate",
        asks: "the infra-error rate and how such trials are scored",
        add: "Infra errors: [n] of [N] trials ended in an infrastructure error and were [scored as failures | dropped | retried].",
        look: |_, _, analysis| {
            let hidden = analysis
                .arms
                .iter()
                .any(|arm| arm.infra_errors.estimate.is_none() && arm.infra_errors.of > 0);
            if hidden {
                return (
                    Disclosed::No,
                    "ceiling kills are not observable, so that the rate is not known".to_owned(),
                );
            }
            let (count, of) = analysis
                .arms
                .iter()
                .fold((0, 0), |(c, o), arm| (c + arm.infra_errors.count, o + arm.infra_errors.of));
            (
                Disclosed::Yes,
                format!("{count} of {of} started trials; strict, valid-only and bounds are given"),
            )
        },
    },
    Item {
        id: "retries",
        asks: "whether failed trials were retried, and which attempt counts",
        add: "Retries: trials that [did not start | failed with an infrastructure error] were retried up to [n] times; the [first started] attempt counts.",
        look: |plan, _, _| {
            if plan.imported.is_some() {
                return (Disclosed::Partly, "attempts as far as the source kept them".to_owned());
            }
            let said = format!(
                "{} retries of trials that did not start, {} of faults; the first started attempt counts",
                plan.retries_not_started, plan.retries_fault
            );
            (Disclosed::Yes, said)
        },
    },
    Item {
        id: "repeats",
        asks: "repeats of each task",
        add: "Repeats: each task was tried [k] times.",
        look: |plan, _, _| {
            let grade = if plan.repeats > 1 { Disclosed::Yes } else { Disclosed::Partly };
            (grade, format!("{} of each of {} tasks", plan.repeats, plan.tasks.len()))
        },
    },
    Item {
        id: "intervals",
        asks: "intervals, and what they are about",
        add: "Scores are [value] [low, high], 95 % intervals for [these tasks | tasks like these] by [method].",
        look: |plan, _, _| match plan.tasks.len() {
            0 | 1 => (Disclosed::Partly, "one task gives no interval".to_owned()),
            _ => (Disclosed::Yes, "for these tasks and for tasks like these".to_owned()),
        },
    },
    Item {
        id: "time-limits",
        asks: "time limits of agent and verifier",
        add: "Time limits: [seconds] for the agent, [seconds] for the verifier, [scale] of the task's.",
        look: |_, records, _| share(records, "time limits", |facts| facts.allocation.map(|_| true)),
    },
    Item {
        id: "time-of-day",
        asks: "when trials ran, and whether configurations were interleaved",
        add: "Time: trials ran from [date] to [date]; configurations were [interleaved at random | one after another].",
        look: |plan, records, _| {
            let dated = records.iter().filter(|record| record.facts.started_at().or(None).is_some()).count();
            match (plan.imported.is_some(), grade(dated, records.len())) {
                (false, Disclosed::Yes) => {
                    (Disclosed::Yes, format!("dated; interleaved from seed {}", plan.seed))
                }
                (_, Disclosed::Yes) => {
                    (Disclosed::Partly, "dated; not interleaved as far as is known".to_owned())
                }
                (_, grade) => (grade, format!("{dated} of {} trials are dated", records.len())),
            }
        },
    },
    Item {
        id: "hardware",
        asks: "hardware and kernel",
        add: "Hardware: [processor], [n] CPUs, [memory], Linux [version].",
        look: |plan, _, _| {
            if plan.imported.is_some() {
                return (Disclosed::No, "the source does not say".to_owned());
            }
            let host = &plan.host;
            (Disclosed::Yes, format!("{} CPUs, {}, Linux {}", host.cpus, host.memory_bytes, host.kernel))
        },
    },
    Item {
        id: "concurrency",
        asks: "how many trials ran at once",
        add: "Concurrency: up to [n] trials at once on [m] machines.",
        look: |_, records, _| {
            share(records, "concurrency", |facts| {
                let told = facts.source.as_ref().and_then(|source| source.concurrency);
                (facts.host.concurrent_trials > 0 || told.is_some_and(|n| n > 0)).then_some(true)
            })
        },
    },
    Item {
        id: "versions",
        asks: "versions of agent, model, harness and tasks",
        add: "Versions: agent [version], model [id], harness [version], tasks [digest].",
        look: |plan, _, _| {
            let digests = plan.tasks.iter().filter(|task| !task.digest.is_empty()).count();
            let said =
                format!("made by {}; {digests} of {} tasks have a digest", plan.made_by, plan.tasks.len());
            (grade(digests, plan.tasks.len()), said)
        },
    },
    Item {
        id: "api-latency",
        asks: "latency and errors of the model API",
        add: "API: median latency [s], [n] rate limits, [n] errors.",
        look: |_, _, _| (Disclosed::No, "not measured".to_owned()),
    },
    Item {
        id: "egress",
        asks: "network access and bandwidth",
        add: "Network: sandboxes had [none | bandwidth].",
        look: |plan, _, _| {
            if plan.imported.is_some() {
                return (Disclosed::No, "the source does not say".to_owned());
            }
            let grade = if plan.network == "none" { Disclosed::Yes } else { Disclosed::Partly };
            (grade, format!("network: {}", plan.network))
        },
    },
];

/// How far something holds of all trials.
fn grade(holds: usize, of: usize) -> Disclosed {
    match holds {
        0 => Disclosed::No,
        _ if holds == of => Disclosed::Yes,
        _ => Disclosed::Partly,
    }
}

fn share(records: &[TrialRecord], what: &str, of: impl Fn(&Facts) -> Option<bool>) -> (Disclosed, String) {
    let known = records.iter().filter(|record| of(&record.facts) == Some(true)).count();
    let inferred = records.iter().filter(|record| record.facts.provenance == Provenance::Inferred).count();
    let said = format!("{what} known for {known} of {} trials", records.len());
    match grade(known, records.len()) {
        Disclosed::Yes if inferred > 0 => (Disclosed::Partly, format!("{said}, inferred for {inferred}")),
        grade => (grade, said),
    }
}
