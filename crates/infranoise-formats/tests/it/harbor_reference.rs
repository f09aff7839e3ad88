//! Real jobs of Harbor with known causes: the right statement about each, "cannot be known" included.

use infranoise_core::{Attempt, Bytes, Ceiling, EvidenceState, Provenance, TrialRecord};
use infranoise_formats::results::{Imported, detect_any};

use crate::reference::{imported, reference, words};

struct Jobs(Imported);

impl Jobs {
    fn trials<'j>(&'j self, job: &str) -> Vec<&'j TrialRecord> {
        let of_job = |record: &&TrialRecord| {
            let source = record.facts.source.as_ref().expect("a source");
            source.file.starts_with(&format!("{job}/"))
        };
        self.0.records.iter().filter(of_job).collect()
    }

    #[track_caller]
    fn check(&self, job: &str, expected: &[&str]) {
        let said: Vec<String> = self.trials(job).into_iter().map(words).collect();
        assert_eq!(said, expected, "{job}");
    }
}

fn jobs() -> Option<Jobs> {
    Some(Jobs(imported(&reference("harbor/jobs")?)))
}

#[test]
fn the_right_statement_about_each_job() {
    let Some(jobs) = jobs() else { return };
    jobs.check("infra-compose-up-failed", &["not started/start failed/not-started"]);
    jobs.check("infra-image-pull-failed", &["not started/image pull/not-started"]);
    jobs.check("s-envtimeout", &["not started/start failed/not-started"]);
    jobs.check("s-agent-timeout-before-start", &["not started/start failed/not-started"]);
    jobs.check("s-conn_refused_task", &["agent/agent's own error/foreign-agent"]);
    jobs.check("s-overload", &["fault/API error/foreign-infra"]);
    jobs.check("s-retry", &["fault/API error/foreign-infra"]);
    jobs.check("s-multistep", &["nobody/solved/passed"]);
    jobs.check("s-pass", &["nobody/solved/passed"]);
    jobs.check("s-nop-ignore", &["agent/wrong answer/wrong-answer"]);
    jobs.check("s-oom_soft", &["agent/wrong answer/wrong-answer"]);
    jobs.check(
        "suite",
        &[
            "nobody/solved/passed",
            "nobody/solved/passed",
            "agent/wrong answer/wrong-answer",
            "agent/wrong answer/wrong-answer",
            "undetermined/no reward file/no-verdict",
            "undetermined/no reward file/no-verdict",
            "undetermined/out of memory/foreign-killed",
            "undetermined/out of memory/foreign-killed",
            "nobody/solved/passed",
            "nobody/solved/passed",
            "agent/time-out/time-out",
            // Its traceback shows the harness in an upload when the time ran out: the agent's script was not there yet.
            "not started/start failed/not-started",
        ],
    );
    let interrupted = [
        "undetermined/interrupted/interrupted",
        "undetermined/interrupted/interrupted",
        "nobody/solved/passed",
        "undetermined/verifier time-out/no-verdict",
        "nobody/solved/passed",
        "nobody/solved/passed",
        "undetermined/verifier time-out/no-verdict",
        "undetermined/verifier time-out/no-verdict",
        "not started/interrupted/not-started",
        "undetermined/verifier time-out/no-verdict",
    ];
    jobs.check("t20n4init", &interrupted);
}

#[test]
fn a_kill_that_nobody_saw_is_said_to_be_unseen() {
    let Some(jobs) = jobs() else { return };
    for job in ["s-oom_soft", "suite"] {
        for record in jobs.trials(job) {
            let agent = record.classification.blame == infranoise_core::Blame::Agent;
            let unseen = record.classification.weakest_evidence() == EvidenceState::Unsupported;
            assert!(!agent || unseen, "{:?}", record.classification);
        }
    }
}

#[test]
fn resources_follow_from_task_file_override_mode_and_back_end() {
    let Some(jobs) = jobs() else { return };
    let ceiling = |job: &str| {
        let record = jobs.trials(job)[0];
        let allocation = record.facts.allocation.expect("known");
        assert_eq!(allocation.memory.floor(), Bytes(0), "podman guarantees nothing");
        assert_eq!(record.facts.provenance, Provenance::Inferred);
        allocation.memory.ceiling()
    };
    assert_eq!(ceiling("s-pass"), Ceiling::At(Bytes::mib(256)));
    assert_eq!(ceiling("s-multistep"), Ceiling::At(Bytes::mib(128)));
    assert_eq!(ceiling("s-nop-ignore"), Ceiling::Uncapped);
    let oom = jobs.trials("suite")[6].facts.allocation.expect("known");
    assert_eq!(oom.memory.ceiling(), Ceiling::At(Bytes::mib(64)));
}

#[test]
fn what_was_planned_what_was_retried_and_what_it_cost() {
    let Some(jobs) = jobs() else { return };
    let plan = &jobs.0.plan;
    let init = plan.arms.iter().find(|arm| arm.arm.name.as_str() == "t20n4init").expect("an arm");
    assert_eq!(
        plan.repeats_of(
            &init.arm.name,
            &plan.tasks.iter().find(|t| t.id.as_str() == "noise/hello-pass").expect("a task").id
        ),
        20
    );
    let retried = jobs.trials("s-retry")[0];
    assert_eq!(retried.facts.attempt, Attempt(1));
    assert!(plan.warnings.iter().any(|says| says.contains("s-retry")), "{:?}", plan.warnings);
    assert!(plan.warnings.iter().any(|says| says.contains("t20n4init was interrupted")));
    let suite =
        plan.imported.as_ref().expect("imported").arms.iter().find(|(name, _)| name.as_str() == "suite");
    let settings = &suite.expect("an arm").1.settings;
    assert_eq!(settings["score of the source"], ["mean 0.4 (oracle__tasks)"]);
    assert_eq!(settings["harness version"], ["harbor 0.26.0"]);
    let usage = &jobs.trials("s-pass")[0].facts.usage;
    assert_eq!(usage.tokens_in.value(), Some(&1200));
    assert_eq!(usage.cost_usd.value(), Some(&0.0123));
    let silent = &jobs.trials("suite")[0].facts.usage;
    assert_eq!(silent.tokens_in.value(), None, "null is not 0");
}

#[test]
fn one_job_and_one_trial_are_recognised_too() {
    let Some(path) = reference("harbor/jobs/s-pass") else { return };
    assert_eq!(detect_any(&path).expect("known")[0].what, "a job of Harbor");
    let trial = path.join("hello-pass__sTzbVpX");
    assert_eq!(detect_any(&trial).expect("known")[0].what, "a trial of Harbor");
    assert_eq!(imported(&trial).records.len(), 1);
    assert_eq!(imported(&trial.join("result.json")).records.len(), 1);
}
