//! Garbage in every file: a task or errors, never a panic.

use proptest::prelude::*;

use super::super::read_reward;
use super::{PLAIN, read};

const MANIFEST: &str = "schema_version = \"1.4\"\n[task]\nname = \"a/b\"\n[metadata.infranoise]\npids = 3\n\
[agent]\ntimeout_sec = 1.5\n[environment]\ncpus = 0.5\nmemory = \"2G\"\nenv = { A = \"${B:-c}\" }\n";
const DOCKERFILE: &str = "FROM a AS b\nRUN apt-get update && apt-get install -y x \\\n  y\nENV A=\"b c\" D=$A\nCOPY [\"a\", \"/b/\"]\n";
const POLICY: &str = "prefer = [\"a\"]\n[strategies.a]\nwhen = { memory_at_least = \"4x\" }\nsteps = [\"x\", { run = \"y\" }]\n";
const JSON: &str = "{\"strategies\":{\"a\":{\"weight\":0.5,\"steps\":[\"x\"],\"fallback\":\"a\"}},\"pids\":3,\"cpu_quota\":0.2}";

/// A text with some characters replaced, dropped or repeated.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let changes = prop::collection::vec(
        (any::<prop::sample::Index>(), "[\\[\\]{}\"'=\\\\$#\n\u{0}-\u{ff}]{0,3}"),
        1..6,
    );
    changes.prop_map(move |changes| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, new) in changes {
            if chars.is_empty() {
                break;
            }
            let at = at.index(chars.len());
            chars.splice(at..=at, new.chars());
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_give_a_task_or_errors_with_a_way_out(
        manifest in damaged(MANIFEST),
        dockerfile in damaged(DOCKERFILE),
        toml in damaged(POLICY),
        json in damaged(JSON),
        which in 0..4,
    ) {
        let files: Vec<(&str, &str)> = match which {
            0 => vec![("task.toml", &manifest)],
            1 => vec![("environment/Dockerfile", &dockerfile)],
            2 => vec![("policy.toml", &toml)],
            _ => vec![("policy.json", &json)],
        };
        match read(PLAIN, &files) {
            Ok(task) => {
                let root = super::super::Root::StandIn { is_installed: &|_| true };
                let _plan_or_errors = super::super::plan_environment(&task, root);
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                for error in errors {
                    prop_assert!(!error.what.is_empty() && !error.way_out.is_empty());
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_a_reward_or_garbled(json: Option<Vec<u8>>, txt: Option<Vec<u8>>) {
        let _never_panics = read_reward(json.as_deref(), txt.as_deref());
    }
}
