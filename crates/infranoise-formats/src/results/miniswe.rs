//! Trajectories of mini-swe-agent (`<id>/<id>.traj.json`): how the agent ended and what it cost.
//!
//! A trajectory holds no verdict. Beside a SWE-bench evaluation of the same import it completes the instance; alone, it is a trial
//! without one.

use infranoise_core::{
    Cause, Enforcement, Held, KillScope, Observed, Phase, Provenance, SourceFailure, Stop, Subject, Usage,
};
use serde::Deserialize;
use serde_json::Value;

use super::candidate::Candidate;
use super::collect::Collector;
use super::draft::{Draft, Effective, PhaseDraft};
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::inspect::sandbox::band;
use super::read::{Field, excerpt, parse, read_all};
use super::side::Side;

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "mini-swe-agent",
    what: "a trajectory of mini-swe-agent",
    looks_for: "a .traj.json document with info and messages",
    detect,
    read,
};

const LARGEST: u64 = 256 << 20;
const NO_COUNTERS: &str = "mini-swe-agent reads no kernel counters";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Trajectory {
    info: Field<Info>,
    instance_id: Field<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Info {
    exit_status: Field<String>,
    traceback: Field<String>,
    model_stats: Field<Stats>,
    mini_version: Field<String>,
    config: Field<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Stats {
    instance_cost: Field<f64>,
    api_calls: Field<u64>,
}

fn detect(candidate: &Candidate) -> Detection {
    if candidate.is_file_named(".traj.json") && candidate.has_keys(&["info", "messages"]) {
        Detection::Is("a trajectory of mini-swe-agent")
    } else {
        Detection::No
    }
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    let beside = collector.expects("swebench");
    for found in found {
        collector.tell(ImportEvent::Reading { path: found.path.clone(), what: found.what });
        let bytes = read_all(&found.path, LARGEST).map_err(|error| error.to_string());
        let trajectory: Trajectory = match bytes.and_then(|bytes| parse(&bytes)) {
            Ok(trajectory) => trajectory,
            Err(why) => {
                collector.losses.add(&*found.shown, "the trajectory", why);
                continue;
            }
        };
        let info = trajectory.info.take(&mut collector.losses, &found.shown, "info").unwrap_or_default();
        let name = found.path.file_name().unwrap_or_default().to_string_lossy();
        let task = trajectory.instance_id.get().cloned();
        let task = task.unwrap_or_else(|| name.trim_end_matches(".traj.json").to_owned());
        let side = side(&info);
        if beside {
            collector.keep_side(task, side);
            continue;
        }
        let mut draft = Draft::new("mini-swe-agent", found.shown.clone(), &task, NO_COUNTERS);
        draft.id = Some(found.shown.clone());
        draft.task.name = task;
        draft.task.source = "SWE-bench".to_owned();
        draft.source.version = info.mini_version.get().cloned();
        draft.source.failure = info
            .exit_status
            .get()
            .map(|status| SourceFailure { class: status.clone(), message: last_line(info.traceback.get()) });
        draft.phases = vec![PhaseDraft::untimed(Phase::Start), PhaseDraft::untimed(Phase::Agent)];
        side.apply(&mut draft);
        let subject = subject(&info);
        let label = subject.model.clone().unwrap_or_else(|| subject.agent.clone()).replace('/', ".");
        let arm = collector.arm(&label, &subject);
        collector.trial(arm, draft);
    }
}

fn config<'c>(info: &'c Info, pointer: &str) -> Option<&'c Value> {
    info.config.get()?.pointer(pointer)
}

fn subject(info: &Info) -> Subject {
    let model = config(info, "/model/model_name").and_then(Value::as_str);
    Subject { agent: "mini-swe-agent".to_owned(), model: model.map(str::to_owned) }
}

fn side(info: &Info) -> Side {
    let silent = || "the trajectory holds none".to_owned();
    let stats = info.model_stats.get();
    let cost = stats.and_then(|stats| stats.instance_cost.get().copied());
    let calls = stats.and_then(|stats| stats.api_calls.get());
    Side {
        usage: Usage {
            cost_usd: cost.map_or_else(|| Observed::Unavailable(silent()), Observed::Observed),
            ..Usage::default()
        },
        agent_stop: info.exit_status.get().map(|status| stop(status, info)),
        effective: effective(info),
        notes: calls.map(|calls| format!("{calls} calls of the model API")).into_iter().collect(),
    }
}

/// How the agent ended: by itself, at a limit, or with an exception of a model client.
fn stop(status: &str, info: &Info) -> Stop {
    let seconds = config(info, "/agent/time_limit").and_then(Value::as_f64);
    let failed =
        |cause| Stop::Failed { cause, message: format!("{status}: {}", last_line(info.traceback.get())) };
    match status {
        "Submitted" => Stop::Exited { code: 0 },
        "TimeExceeded" => {
            Stop::Deadline { limit_ms: seconds.map_or(0, |seconds| (seconds * 1000.0).max(0.0) as u64) }
        }
        "LimitsExceeded" | "RepeatedFormatError" | "ContextWindowExceededError" => Stop::Exited { code: 1 },
        "RateLimitError" => failed(Cause::ApiRateLimit),
        "InternalServerError" | "ServiceUnavailableError" | "APIConnectionError" | "APIError" => {
            failed(Cause::ApiError)
        }
        "Timeout" | "APITimeoutError" => failed(Cause::ApiStall),
        "KeyboardInterrupt" => Stop::Interrupted,
        // The container was gone, or could not be started, or something else: the class alone does not say.
        _ => failed(Cause::Unknown),
    }
}

fn last_line(traceback: Option<&String>) -> String {
    let last = traceback.and_then(|text| text.lines().rev().find(|line| !line.trim().is_empty()));
    excerpt(last.unwrap_or_default(), 300)
}

/// Resources are recorded only where they stand among the arguments of the container.
fn effective(info: &Info) -> Option<Effective> {
    let arguments = config(info, "/environment/run_args")?.as_array()?;
    let words: Vec<&str> = arguments.iter().filter_map(Value::as_str).collect();
    let value = |option: &str| {
        let with_sign = format!("{option}=");
        words.iter().enumerate().find_map(|(place, word)| {
            word.strip_prefix(&with_sign)
                .or_else(|| (*word == option).then(|| words.get(place + 1).copied()).flatten())
        })
    };
    let (memory, cpus) = (value("--memory").or_else(|| value("-m")), value("--cpus"));
    let held = |value: Option<&str>| match value {
        Some(value) => Held::Inferred {
            knob: "container engine".to_owned(),
            value: value.to_owned(),
            from: "run_args in the trajectory".to_owned(),
        },
        None => Held::NotAsked,
    };
    let bands =
        band::<infranoise_core::Bytes>(None, memory).zip(band::<infranoise_core::MilliCpu>(None, cpus));
    Some(Effective {
        allocation: bands.map(|(memory, cpu)| infranoise_core::Allocation {
            memory,
            cpu,
            pids: infranoise_core::Ceiling::Uncapped,
            storage: infranoise_core::Ceiling::Uncapped,
            disk_rate: Default::default(),
            time: infranoise_core::TimeLimits {
                start_ms: infranoise_core::Ceiling::Uncapped,
                agent_ms: infranoise_core::Ceiling::Uncapped,
                verifier_ms: infranoise_core::Ceiling::Uncapped,
            },
        }),
        enforcement: Enforcement {
            memory_floor: Held::NotAsked,
            memory_ceiling: held(memory),
            cpu_floor: Held::NotAsked,
            cpu_ceiling: held(cpus),
            kill_scope: KillScope::Process,
            ..Enforcement::not_known("not recorded")
        },
        provenance: Provenance::Declared,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::{Bytes, Ceiling};

    fn info(text: &str) -> Info {
        serde_json::from_str(text).expect("a document")
    }

    #[test]
    fn exit_statuses_say_how_the_agent_ended() {
        let ended =
            |status: &str| stop(status, &info(r#"{"traceback": "Traceback\nRateLimitError: 429\n"}"#));
        assert_eq!(ended("Submitted"), Stop::Exited { code: 0 });
        assert_eq!(ended("LimitsExceeded"), Stop::Exited { code: 1 });
        assert!(
            matches!(ended("RateLimitError"), Stop::Failed { cause: Cause::ApiRateLimit, message } if message.contains("429"))
        );
        assert!(matches!(ended("CalledProcessError"), Stop::Failed { cause: Cause::Unknown, .. }));
    }

    #[test]
    fn resources_stand_in_the_arguments_or_nowhere() {
        let memory = |arguments: &str| {
            let text = format!(r#"{{"config": {{"environment": {{"run_args": {arguments}}}}}}}"#);
            effective(&info(&text)).and_then(|effective| effective.allocation).map(|a| a.memory.ceiling())
        };
        assert_eq!(memory(r#"["--rm", "--memory=2g"]"#), Some(Ceiling::At(Bytes::gib(2))));
        assert_eq!(memory(r#"["--rm", "-m", "512m"]"#), Some(Ceiling::At(Bytes::mib(512))));
        assert_eq!(memory(r#"["--rm"]"#), Some(Ceiling::Uncapped));
        assert_eq!(memory(r#"["--memory", 7]"#), Some(Ceiling::Uncapped));
        assert!(effective(&info("{}")).is_none());
    }
}
