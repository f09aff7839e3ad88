//! What is taken out of a sandbox before it goes: logs of the agent and artifacts, within limits.

use std::path::Path;

use infranoise_formats::tasks::contract::{AGENT_LOGS, ARTIFACTS};
use infranoise_sandbox::Sandbox;

/// Copies logs and artifacts; what cannot be had is noted, never an error of the trial.
pub(super) fn collect(sandbox: &Sandbox, folder: &Path, notes: &mut Vec<String>) {
    for (inside, outside) in [(AGENT_LOGS, "agent/logs"), (ARTIFACTS, "artifacts")] {
        let to = folder.join(outside);
        match sandbox.get(Path::new(inside), &to) {
            Ok(fetched) => {
                if !fetched.left_out.is_empty() {
                    notes.push(format!(
                        "`{inside}`: {} entries are neither files nor folders and were left out",
                        fetched.left_out.len()
                    ));
                }
                if let Some(first) = fetched.beyond.first() {
                    notes.push(format!(
                        "`{inside}`: {} entries went beyond the bounds of what is fetched (1 GiB, 100,000 entries, 64 folders deep, \
                         a minute) and were left out, the first at `{}`",
                        fetched.beyond.len(),
                        first.strip_prefix(folder).unwrap_or(first).display()
                    ));
                }
            }
            Err(error) if is_missing(&error) => {}
            Err(error) => notes.push(format!("`{inside}`: {error}")),
        }
    }
}

fn is_missing(error: &infranoise_sandbox::contract::EngineError) -> bool {
    use infranoise_sandbox::contract::EngineError;
    match error {
        EngineError::Host { source, .. } => source.kind() == std::io::ErrorKind::NotFound,
        EngineError::Gone { .. } => true,
        EngineError::Start { .. }
        | EngineError::Incapable { .. }
        | EngineError::Daemon { .. }
        | EngineError::Image { .. }
        | EngineError::Build { .. }
        | EngineError::Launcher { .. } => false,
    }
}
