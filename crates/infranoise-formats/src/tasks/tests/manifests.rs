//! `task.toml`: every form, every refusal.

use infranoise_core::{Bytes, MilliCpu, Stated};

use super::super::{Network, Template, User};
use super::{PLAIN, read, refused};

fn value<T>(stated: Stated<T>) -> Option<T> {
    match stated {
        Stated::Value(value) => Some(value),
        Stated::NotStated => None,
    }
}

#[test]
fn the_newest_schema_is_read_whole() {
    let toml = r#"
schema_version = "1.4"
source = "somewhere"
[task]
name = "org/name"
description = "x"
authors = [{ name = "A" }]
keywords = ["k"]
[metadata]
difficulty = "easy"
tags = ["a", "b"]
[metadata.expected]
"1" = 0
"1.5" = "a coin"
[metadata.infranoise]
pids = 64
egress = "400KiB/s"
cpus = 0.25
[metadata.infranoise.expected.trial]
"1" = "ceiling"
[agent]
timeout_sec = 10
user = "root"
[verifier]
timeout_sec = 0.5
env = { KEY = "${KEY:-none}" }
[environment]
build_timeout_sec = 120.0
cpus = 1
memory_mb = 64
storage_mb = 512
gpus = 0
network_mode = "no-network"
workdir = "/app"
mcp_servers = []
[environment.env]
A = "b"
[solution.env]
C = "d"
"#;
    let task = read(toml, &[]).expect("a task");
    assert_eq!(task.id.as_str(), "org/name");
    assert_eq!(value(task.spec.memory), Some(Bytes::mib(64)));
    assert_eq!(value(task.spec.storage), Some(Bytes::mib(512)));
    assert_eq!(value(task.spec.cpu), Some(MilliCpu(250)), "ours goes before Harbor's");
    assert_eq!(value(task.spec.pids), Some(64));
    assert_eq!(value(task.spec.agent_limit_ms), Some(10_000));
    assert_eq!(value(task.spec.verifier_limit_ms), Some(500));
    assert_eq!(value(task.spec.start_limit_ms), Some(120_000));
    assert_eq!(task.network, Network::NoNetwork);
    assert_eq!(task.users.agent, User::Root);
    assert_eq!(task.workdir.as_deref(), Some("/app"));
    assert_eq!(task.env, [("A".to_owned(), Template::Plain("b".to_owned()))]);
    assert_eq!(task.verifier_env[0].1, Template::parse("${KEY:-none}"));
    assert_eq!(task.solution_env[0].0, "C");
    for (label, text) in [
        ("difficulty", "easy"),
        ("tags", "a, b"),
        ("expected.1", "0"),
        ("expected.1.5", "a coin"),
        ("infranoise.expected.trial.1", "ceiling"),
        ("infranoise.egress", "400KiB/s"),
    ] {
        assert_eq!(task.labels.get(label).map(String::as_str), Some(text), "{label}");
    }
    assert!(task.warnings.is_empty(), "{:?}", task.warnings);
}

#[test]
fn the_legacy_form_is_read() {
    let toml = "version = \"1.0\"\n[environment]\ncpus = 2\nmemory = \"2G\"\nstorage = \"10G\"\nallow_internet = false\n";
    let task = read(toml, &[]).expect("a task");
    assert_eq!(value(task.spec.memory), Some(Bytes::gib(2)));
    assert_eq!(value(task.spec.storage), Some(Bytes::gib(10)));
    assert_eq!(value(task.spec.cpu), Some(MilliCpu(2000)));
    assert_eq!(task.network, Network::NoNetwork);
    assert!(task.warnings.is_empty(), "{:?}", task.warnings);
}

#[test]
fn silence_is_not_a_value() {
    let task = read("", &[]).expect("a task");
    let spec = task.spec;
    assert_eq!((spec.memory, spec.cpu, spec.storage), Default::default());
    assert_eq!((spec.pids, spec.agent_limit_ms, spec.verifier_limit_ms), Default::default());
    assert!(task.id.as_str().starts_with("task-"), "{}", task.id);
    assert_eq!(task.network, Network::Public);
}

#[test]
fn unknown_keys_are_warned_of_with_their_line() {
    let toml = "oops = 1\n[environment]\nmemmory_mb = 64\n[agents]\nx = 1\n[metadata]\nfree = 1\n[metadata.infranoise]\npid = 1\n";
    let warnings: Vec<String> =
        read(toml, &[]).expect("a task").warnings.iter().map(ToString::to_string).collect();
    let parts = [
        "toml:3:1: unknown key `environment.memmory_mb`",
        "toml:9:1: unknown key `metadata.infranoise.pid`",
        "toml:1:1: unknown key `oops`",
        "toml:4:",
    ];
    assert_eq!(warnings.len(), parts.len(), "{warnings:#?}");
    for (warning, part) in warnings.iter().zip(parts) {
        assert!(warning.contains(part), "{part:?} is not in {warning:?}");
    }
}

#[test]
fn wrong_values_are_named_with_their_place() {
    for (toml, part) in [
        ("[environment]\ncpus = \"two\"", "task.toml:2:8: `environment.cpus` is the text \"two\""),
        ("[environment]\ncpus = 0", "`environment.cpus` is `0`, but must be a number above 0"),
        ("[environment]\ncpus = -1.5", "a number above 0"),
        ("[environment]\ncpus = nan", "a number above 0"),
        ("[environment]\ncpus = inf", "a number above 0"),
        ("[environment]\ncpus = 0.0001", "less than a thousandth"),
        ("[environment]\nmemory_mb = 1.5", "a whole number of at least 1"),
        ("[environment]\nmemory_mb = -64", "a whole number of at least 1"),
        ("[environment]\nmemory = \"2 parsecs\"", "`parsecs` in `2 parsecs` is not a unit"),
        ("[environment]\nmemory = 2", "must be a text in quotes"),
        ("[environment]\nnetwork_mode = \"offline\"", "must be \"public\", \"no-network\" or \"allowlist\""),
        ("[environment]\nworkdir = \"app\"", "must be an absolute path"),
        ("[environment]\nos = \"beos\"", "must be \"linux\" or \"windows\""),
        ("[environment]\nenv = { A = 1 }", "`environment.env.A` is `1`, but must be a text in quotes"),
        ("environment = 1", "`environment` is `1`, but must be a table"),
        ("[agent]\ntimeout_sec = true", "`agent.timeout_sec` is `true`"),
        ("[metadata.infranoise]\npids = 0", "a whole number of at least 1"),
        ("schema_version = \"2.0\"", "schema 2.0 is newer than 1.4"),
        ("schema_version = \"new\"", "`new` is no schema version"),
        ("[task]\nname = \"../etc\"", "cannot be the name of a task"),
        ("[verifier]\nenvironment_mode = \"own\"", "must be \"shared\" or \"separate\""),
    ] {
        refused(toml, &[], &[part]);
    }
}

#[test]
fn what_is_not_toml_is_said_with_line_and_column() {
    for (toml, place) in [
        ("a = 1\nb = = 2\n", "task.toml:2:5: not TOML"),
        ("[environment\n", "task.toml:1:13: not TOML"),
        ("a = 1\na = 2\n", "task.toml:2:1: not TOML"),
        ("a = \"ä\" b", "task.toml:1:9: not TOML"),
        ("\u{0}", "task.toml:1:2: not TOML"),
    ] {
        refused(toml, &[], &[place]);
    }
}

#[test]
fn what_is_not_supported_is_refused_by_name_and_line() {
    for (toml, part) in [
        (
            "[[steps]]\nname = \"one\"",
            "task.toml:1:3: a task of several steps (`[[steps]]`) is not supported yet",
        ),
        ("[environment]\ngpus = 1", "task.toml:2:1: a GPU is not supported"),
        ("[environment]\ntpu = { type = \"v5e\" }", "a TPU is not supported"),
        ("[environment]\nos = \"windows\"", "a Windows environment"),
        ("[environment.healthcheck]\ncommand = \"true\"", "task.toml:1:14: a healthcheck"),
        ("[[environment.mcp_servers]]\nname = \"x\"", "an MCP server"),
        (
            "[environment]\nnetwork_mode = \"allowlist\"\nallowed_hosts = [\"a.b\"]",
            "task.toml:2:1: a network that only reaches listed hosts",
        ),
        ("[environment]\nallowed_hosts = [\"a.b\"]", "only reaches listed hosts"),
        ("[agent]\nnetwork_mode = \"no-network\"", "differs between agent and verifier"),
        ("[agent]\nuser = \"agent\"", "a user other than root inside the sandbox (agent)"),
        ("[verifier]\nuser = 1000", "a user other than root inside the sandbox (1000)"),
        ("[verifier]\nenvironment_mode = \"separate\"", "a verifier in an environment of its own"),
        ("[verifier.environment]\ncpus = 1", "a verifier in an environment of its own"),
        ("[[verifier.collect]]\ncommand = \"x\"", "`[[verifier.collect]]`"),
    ] {
        refused(toml, &[], &[part]);
    }
}

#[test]
fn every_error_is_told_at_once() {
    let toml = "[environment]\ncpus = 0\ngpus = 2\n[agent]\ntimeout_sec = -1\n";
    refused(toml, &[], &["cpus", "GPU", "timeout_sec"]);
}

#[test]
fn a_phase_may_repeat_the_network_of_the_environment() {
    let toml = "[environment]\nnetwork_mode = \"no-network\"\n[agent]\nnetwork_mode = \"no-network\"\n";
    assert_eq!(read(toml, &[]).expect("a task").network, Network::NoNetwork);
}

#[test]
fn a_newer_minor_schema_is_read_with_a_warning() {
    let task = read(&PLAIN.replace("1.4", "1.9"), &[]).expect("a task");
    assert!(task.warnings[0].says.contains("newer than 1.4"), "{:?}", task.warnings);
}
