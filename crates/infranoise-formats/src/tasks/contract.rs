//! What Harbor promises inside a trial's sandbox: where logs, tests and solution lie, and how a reward is read.
//!
//! The agent starts in the task's working folder. After it, `tests/` is copied to [`TESTS`] and [`TEST_SCRIPT`] is carried out
//! with its output in [`TEST_OUTPUT`]; its exit code says nothing. Then [`REWARD_JSON`] is read, or else [`REWARD_TEXT`].

/// Where the agent may log.
pub const AGENT_LOGS: &str = "/logs/agent";
/// Where the verifier leaves its reward.
pub const VERIFIER_LOGS: &str = "/logs/verifier";
/// Where a task collects artifacts.
pub const ARTIFACTS: &str = "/logs/artifacts";
/// Where `tests/` is copied to, after the agent.
pub const TESTS: &str = "/tests";
/// Where `solution/` is copied to, for the oracle alone.
pub const SOLUTION: &str = "/solution";
/// The program of the verifier.
pub const TEST_SCRIPT: &str = "/tests/test.sh";
/// The program of the oracle.
pub const SOLUTION_SCRIPT: &str = "/solution/solve.sh";
/// The output of the verifier.
pub const TEST_OUTPUT: &str = "/logs/verifier/test-stdout.txt";
/// The reward by name; goes before [`REWARD_TEXT`].
pub const REWARD_JSON: &str = "/logs/verifier/reward.json";
/// The reward as one number.
pub const REWARD_TEXT: &str = "/logs/verifier/reward.txt";
/// What is removed before the verifier starts, so that no agent grades itself.
pub const STALE_REWARDS: [&str; 2] = [REWARD_JSON, REWARD_TEXT];
/// Where commands start if neither the task file nor its Dockerfile names a folder.
pub const DEFAULT_WORKDIR: &str = "/";
/// Variables of the oracle besides those of the task.
pub const SOLUTION_ENV: [(&str, &str); 1] = [("DEBIAN_FRONTEND", "noninteractive")];
/// The verifier's limit where the task states none, in milliseconds.
pub const DEFAULT_VERIFIER_LIMIT_MS: u64 = 600_000;
/// The limit for building and starting where the task states none, in milliseconds.
pub const DEFAULT_START_LIMIT_MS: u64 = 600_000;
