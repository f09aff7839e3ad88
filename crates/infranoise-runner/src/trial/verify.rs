//! The verifier: tests are copied in after the agent, carried out, and the reward is read. The exit code says nothing.

use std::path::Path;

use infranoise_core::{Phase, Reward, Stop};
use infranoise_formats::tasks::contract::{
    REWARD_JSON, REWARD_TEXT, STALE_REWARDS, TEST_SCRIPT, TESTS, VERIFIER_LOGS,
};
use infranoise_formats::tasks::read_reward;
use infranoise_sandbox::contract::EngineError;

use super::stage::{Command, Stage};
use super::{Job, failed};

/// The most that a reward file may hold.
const REWARD_LIMIT_BYTES: u64 = 64 << 10;

/// Carries the verifier out and reads the reward.
pub(super) fn verify(stage: &mut Stage<'_>, job: &Job<'_>) -> Reward {
    let begun = stage.begin(Phase::Verify, job.allocation.time.verifier_ms);
    if job.quiesce
        && let Err(error) = stage.sandbox.quiesce()
    {
        stage.notes.push(format!("quiesce: {error}"));
    }
    if let Err(error) = stage.sandbox.put(&job.task.task.tests, Path::new(TESTS)) {
        stage.end(begun, failed(&error));
        return Reward::NotGraded;
    }
    let script = format!(
        "rm -rf {}; mkdir -p {VERIFIER_LOGS}; chmod +x {TEST_SCRIPT}; exec {TEST_SCRIPT}",
        STALE_REWARDS.join(" ")
    );
    let command = Command::shell(&script, "test-stdout.txt").with_env(job.task.verifier_env.clone());
    let stop = stage.carry_out(&begun, command);
    let graded = stage.alive && !matches!(stop, Stop::Deadline { .. } | Stop::Failed { .. });
    stage.end(begun, stop);
    if graded { reward(stage, job) } else { Reward::NotGraded }
}

fn reward(stage: &mut Stage<'_>, job: &Job<'_>) -> Reward {
    let read = |name: &str| stage.sandbox.read_small(Path::new(name), REWARD_LIMIT_BYTES);
    let (json, text) = match (read(REWARD_JSON), read(REWARD_TEXT)) {
        (Ok(json), Ok(text)) => (json, text),
        (Err(error), _) | (_, Err(error)) => return unreadable(&error),
    };
    keep(&job.folder, REWARD_JSON, json.as_deref(), &mut stage.notes);
    keep(&job.folder, REWARD_TEXT, text.as_deref(), &mut stage.notes);
    read_reward(json.as_deref(), text.as_deref())
}

/// What stands in a reward's place but is no readable file.
fn unreadable(error: &EngineError) -> Reward {
    Reward::Garbled { why: error.to_string(), excerpt: String::new() }
}

/// Keeps the reward file beside the record, as Harbor's tools expect it.
fn keep(folder: &Path, name: &str, content: Option<&[u8]>, notes: &mut Vec<String>) {
    let (Some(content), Some(name)) = (content, Path::new(name).file_name()) else { return };
    let path = folder.join("verifier").join(name);
    if let Err(error) = std::fs::write(&path, content) {
        notes.push(format!("write `{}`: {error}", path.display()));
    }
}
