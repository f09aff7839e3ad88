//! The same task file on every back end, in both eras.

use super::*;

fn spec() -> Spec {
    Spec::Known(TaskSpec {
        memory: Stated::Value(Bytes::mib(2048)),
        cpu: Stated::Value(MilliCpu(1000)),
        ..TaskSpec::default()
    })
}

fn resolved(environment: &str, spec: &Spec, era: Era) -> Effective {
    let config = format!(r#"{{"environment": {environment}}}"#);
    effective(&serde_json::from_str(&config).expect("a configuration"), spec, era)
}

/// Floor and ceiling of memory in MiB; `-` where there is none, `?` where it is not known.
#[track_caller]
fn check(environment: &str, spec: &Spec, era: Era, expected: &str, provenance: Provenance) {
    let effective = resolved(environment, spec, era);
    let words = effective.allocation.map_or("?".to_owned(), |allocation| {
        let ceiling = allocation.memory.ceiling().amount();
        let mib = |bytes: Bytes| (bytes.0 / Bytes::MIB).to_string();
        format!("{}..{}", mib(allocation.memory.floor()), ceiling.map_or("-".to_owned(), mib))
    });
    assert_eq!((words.as_str(), effective.provenance), (expected, provenance), "{environment}");
}

#[test]
fn the_same_number_means_something_else_on_each_back_end() {
    use Provenance::{Declared, Inferred, Unknown};
    let cases = [
        (r#"{"type": "docker"}"#, "0..2048", Inferred),
        (r#"{"type": "podman", "memory_enforcement_policy": "ignore"}"#, "0..-", Inferred),
        (r#"{"type": "gke"}"#, "2048..-", Inferred),
        (r#"{"type": "gke", "kwargs": {"memory_limit_multiplier": 1.5}}"#, "2048..3072", Inferred),
        (r#"{"type": "gke", "memory_enforcement_policy": "limit"}"#, "2048..2048", Inferred),
        (r#"{"type": "modal"}"#, "2048..-", Inferred),
        (r#"{"type": "daytona"}"#, "2048..2048", Inferred),
        (r#"{"type": "singularity"}"#, "0..1945", Inferred),
        (r#"{"type": "docker", "override_memory_mb": 6144}"#, "0..6144", Inferred),
        (
            r#"{"type": "docker", "override_memory_mb": 6144, "memory_enforcement_policy": "limit",
                "override_cpus": 2, "cpu_enforcement_policy": "limit"}"#,
            "0..6144",
            Declared,
        ),
        (r#"{"type": "docker", "memory_enforcement_policy": "guarantee"}"#, "?", Inferred),
        (r#"{"import_path": "my.module:Env"}"#, "?", Unknown),
        (r#"{"type": "langsmith"}"#, "?", Unknown),
    ];
    for (environment, expected, provenance) in cases {
        check(environment, &spec(), Era::Silence, expected, provenance);
    }
}

#[test]
fn silence_of_the_task_file_meant_two_gigabytes_once() {
    let silent = Spec::Known(TaskSpec::default());
    let docker = r#"{"type": "docker"}"#;
    check(docker, &silent, Era::Defaults, "0..2048", Provenance::Inferred);
    check(docker, &silent, Era::Silence, "0..-", Provenance::Inferred);
    check(r#"{"type": "daytona"}"#, &silent, Era::Silence, "?", Provenance::Unknown);
    let lost = Spec::NotFound("no task.toml".to_owned());
    check(docker, &lost, Era::Silence, "?", Provenance::Unknown);
}

#[test]
fn time_limits_are_overrides_or_the_tasks_up_to_a_maximum_times_a_factor() {
    let spec = TaskSpec { agent_limit_ms: Stated::Value(60_000), ..TaskSpec::default() };
    let agent = |config: &str| {
        time_limits(&serde_json::from_str(config).expect("a configuration"), Some(spec)).agent_ms
    };
    assert_eq!(agent("{}"), Ceiling::At(60_000));
    assert_eq!(agent(r#"{"timeout_multiplier": 2}"#), Ceiling::At(120_000));
    assert_eq!(
        agent(
            r#"{"timeout_multiplier": 2, "agent_timeout_multiplier": 3, "agent": {"max_timeout_sec": 30}}"#
        ),
        Ceiling::At(90_000)
    );
    assert_eq!(agent(r#"{"agent": {"override_timeout_sec": 5, "max_timeout_sec": 1}}"#), Ceiling::At(5_000));
}
