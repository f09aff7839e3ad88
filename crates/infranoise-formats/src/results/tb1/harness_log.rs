//! `run.log`: the only trace of trials that the harness itself gave up.

use std::collections::BTreeMap;
use std::path::Path;

use infranoise_core::Cause;

use crate::results::harbor::start_failure;
use crate::results::read::read_lossy;

/// A log is no larger; what comes after is not looked at.
const LARGEST: u64 = 64 << 20;

/// What the log tells.
#[derive(Debug, Default, PartialEq)]
pub(super) struct HarnessLog {
    /// Trials that the harness gave up, in order.
    pub(super) given_up: Vec<GivenUp>,
    /// The agent's limit by task, in milliseconds, where a trial ran into it.
    pub(super) agent_limit_ms: BTreeMap<String, u64>,
}

/// Where the harness was when it gave a trial up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Building or fetching the image.
    Build,
    /// Starting the containers.
    Up,
    /// The engine did not answer.
    Engine,
    /// The container or the terminal in it was gone: the agent may have done that.
    Gone,
    /// The harness's own code failed while it read the result.
    Capture,
    /// Elsewhere.
    Other,
}

/// One trial that the harness gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GivenUp {
    /// Its task.
    pub(super) task: String,
    /// The compose project, which is the trial's name with dots as dashes.
    pub(super) project: Option<String>,
    /// Where.
    pub(super) stage: Stage,
    /// Why.
    pub(super) cause: Cause,
    /// The line of the log, counted from 1.
    pub(super) line: usize,
    /// What the engine or the harness said.
    pub(super) says: String,
}

impl GivenUp {
    /// Whether this is about the trial of that name.
    pub(super) fn is_of(&self, trial: &str) -> bool {
        self.project.as_deref() == Some(project_name(trial).as_str())
    }

    /// The trial's name, as far as the project tells: the task's name is known, the rest follows it.
    pub(super) fn trial_name(&self) -> String {
        let Some(project) = &self.project else { return format!("{}.?-of-?", self.task) };
        match project.strip_prefix(&project_name(&self.task)).and_then(|rest| rest.strip_prefix('-')) {
            Some(rest) => match rest.char_indices().filter(|(_, c)| *c == '-').map(|(at, _)| at).nth(2) {
                // `1-of-1-<run id>`
                Some(third) => format!("{}.{}.{}", self.task, &rest[..third], &rest[third + 1..]),
                None => format!("{}.{rest}", self.task),
            },
            None => project.clone(),
        }
    }
}

/// Compose wants no dots.
fn project_name(trial: &str) -> String {
    trial.replace('.', "-")
}

impl HarnessLog {
    /// Reads the log of a run, if there is one.
    pub(super) fn read(path: &Path) -> Self {
        read_lossy(path, LARGEST).map(|text| Self::parse(&text)).unwrap_or_default()
    }

    fn parse(text: &str) -> Self {
        let mut log = Self::default();
        let mut stderr: BTreeMap<String, String> = BTreeMap::new();
        let mut failing: Option<String> = None;
        let mut closing: Option<&str> = None;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(command) = line.strip_prefix("Command: docker compose -p ") {
                failing = command.split(' ').next().map(|project| own_name(project).to_owned());
            } else if let Some(command) =
                line.strip_prefix("Running docker compose command: docker compose -p ")
            {
                failing = None;
                closing = command.ends_with(" down").then(|| command.split(' ').next().unwrap_or_default());
            } else if let Some(rest) = line.strip_prefix("Agent timed out after ") {
                log.agent_limit_ms.extend(agent_limit(rest));
            } else if let Some(rest) = line.strip_prefix("Harness execution failed for ") {
                log.given_up.extend(given_up(rest, number, &stderr, closing));
            } else if let (Some(project), true) = (&failing, tells(line)) {
                stderr.insert(project.clone(), line.trim().to_owned());
            }
        }
        log
    }
}

/// Whether a line of the engine says what went wrong.
fn tells(line: &str) -> bool {
    let line = line.trim_start();
    ["STDERR: failed", "failed to", "Error response from daemon", "ERROR: "]
        .iter()
        .any(|start| line.starts_with(start))
        || line.contains("Read timed out.")
        || line.contains("No space left on device")
}

/// Older versions append the service's name.
fn own_name(project: &str) -> &str {
    project.strip_suffix("__client").unwrap_or(project)
}

/// `360.0s for task cartpole-rl-training.`
fn agent_limit(rest: &str) -> Option<(String, u64)> {
    let (seconds, task) = rest.split_once("s for task ")?;
    let ms = (seconds.parse::<f64>().ok()? * 1000.0) as u64;
    Some((task.trim_end().trim_end_matches('.').to_owned(), ms))
}

/// `<path of the task>: <message>`
fn given_up(
    rest: &str,
    line: usize,
    stderr: &BTreeMap<String, String>,
    closing: Option<&str>,
) -> Option<GivenUp> {
    let (path, message) = rest.split_once(": ")?;
    let task = path.rsplit('/').next()?.to_owned();
    let named = message
        .split_once("'-p', '")
        .and_then(|(_, rest)| rest.split('\'').next())
        .or_else(|| closing.filter(|project| project.starts_with(&project_name(&task))));
    let project = named.map(|project| own_name(project).to_owned());
    let engine_said = project.as_ref().and_then(|project| stderr.get(project));
    let says = engine_said.cloned().unwrap_or_else(|| message.to_owned());
    let stage = stage(message);
    let cause = match stage {
        Stage::Build => build_failure(&says),
        Stage::Up => start_failure(&says),
        Stage::Engine | Stage::Capture => Cause::EngineError,
        Stage::Gone | Stage::Other => Cause::Unknown,
    };
    Some(GivenUp { task, project, stage, cause, line, says })
}

fn stage(message: &str) -> Stage {
    if message.starts_with("Command '['docker', 'compose'") {
        return if message.contains("'build']") { Stage::Build } else { Stage::Up };
    }
    let engine =
        ["Error creating docker client", "UnixHTTPConnectionPool", "Cannot connect to the Docker daemon"];
    let gone = ["is not running", "is not installed in the container", "No such container"];
    if engine.iter().any(|words| message.contains(words)) {
        Stage::Engine
    } else if gone.iter().any(|words| message.contains(words)) {
        Stage::Gone
    } else if message.contains("codec can't decode") {
        Stage::Capture
    } else {
        Stage::Other
    }
}

/// A build that could not fetch something is the network's.
fn build_failure(says: &str) -> Cause {
    let network =
        ["Read timed out", "i/o timeout", "TLS handshake timeout", "no such host", "Temporary failure"];
    match start_failure(says) {
        Cause::BuildFailed | Cause::StartFailed if network.iter().any(|words| says.contains(words)) => {
            Cause::Network
        }
        Cause::StartFailed => Cause::BuildFailed,
        cause => cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
Agent timed out after 360.0s for task a.hard.
Running docker compose command: docker compose -p a-hard-2-of-5__client -f /x/a.hard/docker-compose.yaml up -d
Docker compose command failed with exit code 1
Command: docker compose -p a-hard-2-of-5__client -f /x/a.hard/docker-compose.yaml up -d
STDERR:  Network x  Creating
Error response from daemon: Conflict. The container name \"/c\" is already in use by container \"d\".

Running docker compose command: docker compose -p a-hard-2-of-5__client -f /x/a.hard/docker-compose.yaml down
Harness execution failed for /x/a.hard: Command '['docker', 'compose', '-p', 'a-hard-2-of-5__client', '-f', '/x', 'up', '-d']' returned non-zero exit status 1.
Command: docker compose -p b-1-of-1-2025-01-01__01-02-03 -f /x/b/docker-compose.yaml build
STDERR: failed to solve: ghcr.example/b: failed to resolve source metadata for ghcr.example/b: dial tcp: i/o timeout
Harness execution failed for /x/b: Command '['docker', 'compose', '-p', 'b-1-of-1-2025-01-01__01-02-03', '-f', '/x', 'build']' returned non-zero exit status 1.
Running docker compose command: docker compose -p c-5-of-5__client -f /x/c/docker-compose.yaml down
Harness execution failed for /x/c: 'utf-8' codec can't decode byte 0x80 in position 2: invalid start byte
Harness execution failed for /x/d: 409 Client Error for http+docker://x: Conflict (\"container 8a is not running\")
";

    #[test]
    fn trials_that_the_harness_gave_up() {
        let log = HarnessLog::parse(LOG);
        let said: Vec<(String, Stage, Cause)> =
            log.given_up.iter().map(|given| (given.trial_name(), given.stage, given.cause)).collect();
        let expected = [
            ("a.hard.2-of-5", Stage::Up, Cause::StartFailed),
            ("b.1-of-1.2025-01-01__01-02-03", Stage::Build, Cause::ImagePull),
            ("c.5-of-5", Stage::Capture, Cause::EngineError),
            ("d.?-of-?", Stage::Gone, Cause::Unknown),
        ];
        assert_eq!(said, expected.map(|(name, stage, cause)| (name.to_owned(), stage, cause)));
        assert!(log.given_up[0].says.starts_with("Error response from daemon"));
        assert!(log.given_up[0].is_of("a.hard.2-of-5") && !log.given_up[0].is_of("a.hard.3-of-5"));
        assert_eq!(log.agent_limit_ms["a.hard"], 360_000);
    }
}
