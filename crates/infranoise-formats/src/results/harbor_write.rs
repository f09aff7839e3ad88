//! A trial's `result.json`: a superset of Harbor's `TrialResult`, so that Harbor's own tools still read it.
//!
//! Harbor's fields hold what they can; the whole record stands under `infranoise`. Exception names are Harbor's, so that its error
//! policies apply; what Harbor has no word for (a survived kill, who is to blame) is only in our part.

use infranoise_core::{Blame, Cause, Facts, Observed, Phase, PhaseRecord, Plan, Reward, Stop, TrialRecord};
use serde_json::{Value, json};

/// The document for one recorded attempt.
#[must_use]
pub fn harbor_result(plan: &Plan, record: &TrialRecord) -> Value {
    let facts = &record.facts;
    let task = plan.task(&facts.key.task);
    let path = task.map_or("", |task| task.source.as_str());
    let trial = facts.key.folder();
    let exception = exception(record);
    json!({
        "schema_version": 1,
        "task_name": facts.key.task,
        "trial_name": trial,
        "trial_uri": format!("trials/{trial}"),
        "task_id": { "path": path },
        "source": null,
        "task_checksum": task.map_or("", |task| task.digest.as_str()),
        "config": config(facts, path, &trial),
        "agent_info": {
            "name": facts.key.subject.agent,
            "version": env!("CARGO_PKG_VERSION"),
            "model_info": facts.key.subject.model.as_deref().map(model),
        },
        "agent_result": usage(facts),
        "verifier_result": rewards(&facts.outcome.reward),
        "verifier_environment_mode": "shared",
        "exception_info": exception,
        "started_at": moment(facts, 0),
        "finished_at": moment(facts, facts.wall_ms),
        "environment_setup": timing(facts, Phase::Start),
        "agent_setup": timing(facts, Phase::Setup),
        "agent_execution": timing(facts, Phase::Agent),
        "verifier": timing(facts, Phase::Verify),
        "step_results": null,
        "reward_valid": reward_valid(record),
        "infranoise": record,
    })
}

fn config(facts: &Facts, path: &str, trial: &str) -> Value {
    let amount = |bytes: Option<infranoise_core::Bytes>| bytes.map(|bytes| bytes.0 >> 20);
    json!({
        "task": { "path": path },
        "trial_name": trial,
        "agent": { "name": facts.key.subject.agent, "model_name": facts.key.subject.model },
        "environment": {
            "override_memory_mb": facts.allocation.and_then(|a| amount(a.memory.ceiling().amount())),
        },
    })
}

fn model(name: &str) -> Value {
    match name.split_once('/') {
        Some((provider, name)) => json!({ "name": name, "provider": provider }),
        None => json!({ "name": name, "provider": null }),
    }
}

fn usage(facts: &Facts) -> Value {
    fn known<T: Clone + Into<Value>>(observed: &Observed<T>) -> Value {
        observed.value().cloned().map_or(Value::Null, Into::into)
    }
    let usage = &facts.usage;
    json!({
        "n_input_tokens": known(&usage.tokens_in),
        "n_cache_tokens": known(&usage.tokens_cached),
        "n_output_tokens": known(&usage.tokens_out),
        "cost_usd": known(&usage.cost_usd),
    })
}

fn rewards(reward: &Reward) -> Value {
    match reward {
        Reward::Given { values, .. } => json!({ "rewards": values }),
        Reward::Missing | Reward::Garbled { .. } | Reward::NotGraded => Value::Null,
    }
}

/// The same for an exception, of which Harbor wants a moment whatever is known: 1970 where nothing is.
fn occurred(facts: &Facts, after_ms: u64) -> Value {
    match moment(facts, after_ms) {
        Value::Null => Value::String(jiff::Timestamp::UNIX_EPOCH.to_string()),
        at => at,
    }
}

/// So many milliseconds after the trial's beginning; null where that is not known.
fn moment(facts: &Facts, after_ms: u64) -> Value {
    let began = facts.started_at().or(None);
    let at = began.and_then(|began| i64::try_from(began.saturating_add(after_ms)).ok());
    at.and_then(|at| jiff::Timestamp::from_millisecond(at).ok())
        .map_or(Value::Null, |at| Value::String(at.to_string()))
}

fn timing(facts: &Facts, phase: Phase) -> Value {
    facts.outcome.phase(phase).map_or(Value::Null, |record| {
        json!({
            "started_at": moment(facts, record.started_ms),
            "finished_at": moment(facts, record.ended_ms),
        })
    })
}

/// Whether Harbor would count the reward: what the agent or its ceiling brought about counts, faults do not.
fn reward_valid(record: &TrialRecord) -> bool {
    match record.classification.blame {
        Blame::Nobody | Blame::Agent | Blame::Ceiling { .. } => true,
        Blame::Fault | Blame::NotStarted => false,
        Blame::Task | Blame::Undetermined => record.facts.outcome.reward.main().is_some(),
    }
}

/// The first thing that went wrong, under Harbor's name for it.
fn exception(record: &TrialRecord) -> Value {
    let facts = &record.facts;
    let found = facts.outcome.phases.iter().find_map(|phase| name(phase).map(|name| (phase, name)));
    let (at_ms, name, message) = match (found, &facts.outcome.reward) {
        (Some((phase, name)), _) => (phase.ended_ms, name, message(phase)),
        (None, Reward::Missing) => {
            (facts.wall_ms, "RewardFileNotFoundError", "the verifier left no reward file".to_owned())
        }
        (None, Reward::Garbled { why, .. }) => (facts.wall_ms, "VerifierOutputParseError", why.clone()),
        (None, Reward::Given { .. } | Reward::NotGraded) => return Value::Null,
    };
    json!({
        "exception_type": name,
        "exception_message": message,
        "exception_traceback": "",
        "occurred_at": occurred(facts, at_ms),
        "policy": {
            "should_retry": record.classification.blame == Blame::NotStarted,
            "should_grade": false,
            "has_valid_reward": reward_valid(record),
        },
    })
}

fn name(record: &PhaseRecord) -> Option<&'static str> {
    Some(match (record.phase, &record.stop) {
        (Phase::Stop, _) | (_, Stop::Exited { code: 0 }) => return None,
        (Phase::Agent, Stop::Deadline { .. }) => "AgentTimeoutError",
        (Phase::Verify, Stop::Deadline { .. }) => "VerifierTimeoutError",
        (Phase::Setup, Stop::Deadline { .. }) => "AgentSetupTimeoutError",
        (_, Stop::Deadline { .. }) => "EnvironmentStartTimeoutError",
        (_, Stop::SandboxEnded { .. }) => "SandboxLikelyOutOfMemoryError",
        (Phase::Agent, Stop::Exited { .. } | Stop::Signalled { .. }) => "NonZeroAgentExitCodeError",
        // The exit code of a test script says nothing, to Harbor as to us.
        (Phase::Verify, Stop::Exited { .. } | Stop::Signalled { .. }) => return None,
        (_, Stop::Interrupted) => "CancelledError",
        (_, Stop::Failed { cause: Cause::Network | Cause::Dns, .. }) => "NetworkConnectionError",
        (_, Stop::Failed { .. } | Stop::Exited { .. } | Stop::Signalled { .. }) => "RuntimeError",
    })
}

fn message(record: &PhaseRecord) -> String {
    match &record.stop {
        Stop::Exited { code } => format!("{} phase: exit code {code}", record.phase),
        Stop::Signalled { signal, by } => format!("{} phase: signal {signal} by {by:?}", record.phase),
        Stop::Deadline { limit_ms } => format!("{} phase: limit of {limit_ms} ms passed", record.phase),
        Stop::SandboxEnded { resource } => {
            format!("{} phase: the sandbox was ended at its {resource} ceiling", record.phase)
        }
        Stop::Failed { message, .. } => message.clone(),
        Stop::Interrupted => format!("{} phase: interrupted", record.phase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::testing::{Ending, plan, record};

    fn document(ending: Ending) -> Value {
        let plan = plan(1, 1, 1);
        let key = plan.keys().next().expect("a trial");
        harbor_result(&plan, &record(&plan, key, ending))
    }

    #[test]
    fn harbors_fields_say_what_harbor_has_words_for() {
        let cases = [
            (Ending::Pass, Value::Null, true, json!({"rewards": {"reward": 1.0}})),
            (Ending::Fail, Value::Null, true, json!({"rewards": {"reward": 0.0}})),
            (Ending::CeilingKill, json!("SandboxLikelyOutOfMemoryError"), true, Value::Null),
            (Ending::Fault, json!("RuntimeError"), false, Value::Null),
            (Ending::NotStarted, json!("RuntimeError"), false, Value::Null),
        ];
        for (ending, exception, valid, rewards) in cases {
            let document = document(ending);
            assert_eq!(document["exception_info"]["exception_type"], exception, "{ending:?}");
            assert_eq!(document["reward_valid"], json!(valid), "{ending:?}");
            assert_eq!(document["verifier_result"], rewards, "{ending:?}");
        }
    }

    #[test]
    fn the_whole_record_is_there_and_every_field_that_harbor_requires() {
        let document = document(Ending::SurvivedKill);
        let back: TrialRecord = serde_json::from_value(document["infranoise"].clone()).expect("reads");
        assert_eq!(back.classification.blame, Blame::Undetermined);
        for required in [
            "task_name",
            "trial_name",
            "trial_uri",
            "task_id",
            "task_checksum",
            "config",
            "agent_info",
            "reward_valid",
        ] {
            assert!(!document[required].is_null(), "{required}");
        }
        assert_eq!(document["started_at"], json!("1970-01-01T00:00:00Z"));
    }
}
