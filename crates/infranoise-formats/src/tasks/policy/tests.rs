//! Tests over both forms of a policy.

use infranoise_core::{Bytes, Ceiling, Factor, MilliCpu, TaskId};

use super::super::tests::{PLAIN, read, refused};
use super::{Draw, ScriptPolicy, Seen};

fn policy(file: &str, text: &str) -> ScriptPolicy {
    read(PLAIN, &[(file, text)]).unwrap_or_else(|errors| panic!("{errors:#?}")).policy.expect("a policy")
}

fn seen(times: u32) -> Seen {
    let spec = Bytes::mib(64);
    Seen {
        memory: if times == 0 { Ceiling::Uncapped } else { Ceiling::At(spec.times(Factor(times * 1000))) },
        memory_spec: Some(spec),
        cpu: Ceiling::At(MilliCpu(500)),
        cpu_spec: Some(MilliCpu(250)),
    }
}

fn luck(luck: f64) -> Draw {
    Draw { seed: 7, pick: luck, luck }
}

fn names(policy: &ScriptPolicy, draw: &Draw, seen: &Seen) -> Vec<String> {
    policy.order(draw, seen).into_iter().map(|strategy| strategy.name.clone()).collect()
}

const ADAPTIVE: &str = r#"
think_ms = 5
prefer = ["brute", "lean"]
setup = ["prepare"]
env = { DEPTH = "9" }
[strategies.brute]
when = { memory_at_least = "4x" }
steps = ["brute", { run = "report", think_ms = 50, keep_going = true }]
fallback = ["lucky", "lean"]
[strategies.lucky]
when = { luck_below = 0.5 }
steps = ["guess"]
[strategies.lean]
steps = ["lean"]
fallback = "brute"
"#;

#[test]
fn an_agent_that_looks_takes_the_heavy_way_only_where_it_fits() {
    let policy = policy("policy.toml", ADAPTIVE);
    for (times, draw, expected) in [
        (1, luck(0.1), &["lean"][..]),
        (3, luck(0.1), &["lean"]),
        (4, luck(0.1), &["brute", "lucky"]),
        (5, luck(0.9), &["brute", "lean"]),
        (0, luck(0.9), &["brute", "lean"]),
    ] {
        assert_eq!(names(&policy, &draw, &seen(times)), expected, "{times}x");
    }
    assert_eq!(policy.setup, ["prepare"]);
    let steps = &policy.strategies[0].steps;
    assert_eq!((steps[0].think_ms, steps[0].keep_going), (5, false));
    assert_eq!((steps[1].think_ms, steps[1].keep_going), (50, true));
}

#[test]
fn commands_learn_their_luck_and_their_limit() {
    let policy = policy("policy.toml", ADAPTIVE);
    let value = |seen: &Seen, name: &str| {
        let variables = policy.variables(&luck(0.25), seen);
        variables.into_iter().find(|(other, _)| other == name).map(|(_, value)| value)
    };
    for (name, expected) in [("SEED", "7"), ("LUCK", "0.250000"), ("LUCK_PERCENT", "25"), ("DEPTH", "9")] {
        assert_eq!(value(&seen(2), name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(value(&seen(2), "MEM_LIMIT_MB").as_deref(), Some("128"));
    assert_eq!(value(&seen(0), "MEM_LIMIT_MB").as_deref(), Some("none"));
}

#[test]
fn weights_share_the_first_choice() {
    let text = "[strategies.a]\nweight = 3\nsteps = [\"x\"]\n[strategies.b]\nsteps = [\"y\"]\n[strategies.c]\nweight = 0\nsteps = [\"z\"]\n";
    let policy = policy("policy.toml", text);
    let task = TaskId::try_new("t").expect("a name");
    let first = |seed| policy.first(&Draw::new(&task, seed), &seen(1)).expect("one").name.clone();
    let share = (0..4_000).filter(|&seed| first(seed) == "a").count();
    assert!((2_900..3_100).contains(&share), "{share} of 4000 at weight 3 of 4");
    assert!((0..4_000).all(|seed| first(seed) != "c"));
}

#[test]
fn a_ring_of_fallbacks_ends() {
    let text = "[strategies.a]\nsteps = [\"x\"]\nfallback = \"b\"\n[strategies.b]\nweight = 0\nsteps = [\"y\"]\nfallback = \"a\"\n";
    assert_eq!(names(&policy("policy.toml", text), &luck(0.0), &seen(1)), ["a", "b"]);
}

#[test]
fn the_prototype_form_states_the_spec() {
    let text = "{\"scales\":[\"mem\"],\"strategies\":{\"b\":{\"weight\":0.5,\"steps\":[\"x\"],\"fallback\":\"a\"},\
                \"a\":{\"steps\":[\"y\"]}},\"env\":{\"N\":\"\"},\"pids\":64,\"cpu_quota\":0.2}";
    let task = read(PLAIN, &[("policy.json", text)]).expect("a task");
    assert_eq!(task.spec.pids.or(None), Some(64));
    assert_eq!(task.spec.cpu.or(None), Some(MilliCpu(200)));
    let policy = task.policy.expect("a policy");
    assert_eq!(policy.strategies.len(), 2);
    assert_eq!(policy.env, [("N".to_owned(), String::new())]);
    assert_eq!(policy.sha256.len(), 64);
}

#[test]
fn bad_policies_are_refused_with_their_place() {
    for (file, text, part) in [
        ("policy.toml", "", "names no strategy"),
        ("policy.toml", "[strategies.a]\n", "the strategy `a` has no steps"),
        ("policy.toml", "[strategies.a]\nsteps = \"x\"", "policy.toml:2:9: `strategies.a.steps` is the text"),
        ("policy.toml", "[strategies.a]\nsteps = [1]", "neither a text nor a table"),
        ("policy.toml", "[strategies.a]\nsteps = [{ think_ms = 1 }]", "has no `run`"),
        (
            "policy.toml",
            "[strategies.a]\nsteps = [\"x\"]\nfallback = \"b\"",
            "`fallback` names a strategy `b`",
        ),
        ("policy.toml", "prefer = [\"b\"]\n[strategies.a]\nsteps = [\"x\"]", "`prefer` names a strategy `b`"),
        ("policy.toml", "[strategies.a]\nweight = 0\nsteps = [\"x\"]", "no strategy has a weight above 0"),
        ("policy.toml", "[strategies.a]\nsteps = [\"x\"]\nwhen = { memory_below = \"2 moons\" }", "`moons`"),
        (
            "policy.toml",
            "[strategies.a]\nsteps = [\"x\"]\nfalback = \"a\"",
            "policy.toml:3:1: unknown key `strategies.a.falback`",
        ),
        ("policy.toml", "[strategies.a]\nsteps = [{ run = \"x\", think = 1 }]", "unknown key `think`"),
        ("policy.toml", "x = = 1", "policy.toml:1:5: not TOML"),
        ("policy.json", "{", "policy.json:1:1: not JSON"),
        ("policy.json", "[]", "is not a JSON object"),
        ("policy.json", "{\"strategies\":{}}", "names no strategy"),
        ("policy.json", "{\"strategies\":{\"a\":{\"steps\":\"x\"}}}", "`steps` must be a list of commands"),
        (
            "policy.json",
            "{\n\"server\":\"s.py\",\"strategies\":{\"a\":{\"steps\":[\"x\"]}}}",
            "policy.json:2:1: a script policy with a local server (`server`) is not supported yet",
        ),
        (
            "policy.json",
            "{\"disk_kind\":\"tmpfs\",\"strategies\":{\"a\":{\"steps\":[\"x\"]}}}",
            "(`disk_kind`)",
        ),
        ("policy.json", "{\"pids\":-1,\"strategies\":{\"a\":{\"steps\":[\"x\"]}}}", "`pids` must be"),
        (
            "policy.json",
            "{\"cpu_quota\":0,\"strategies\":{\"a\":{\"steps\":[\"x\"]}}}",
            "`cpu_quota` must be",
        ),
    ] {
        let errors = read(PLAIN, &[(file, text)]).expect_err(text);
        assert!(errors[0].to_string().contains(part), "{part:?} is not in {}", errors[0]);
    }
    refused(PLAIN, &[("policy.json", "{\"strategies\":[]}")], &["an object by name", "names no strategy"]);
}
