//! What can be read from the message and the traceback of an exception.

/// The exit code in `Command failed (exit 1): …`.
pub(super) fn exit_code(message: &str) -> Option<i32> {
    let (_, rest) = message.split_once("(exit ")?;
    rest.split(')').next()?.trim().parse().ok()
}

/// The limit in `… timed out after 5.0 seconds`, in milliseconds.
pub(super) fn limit_ms(message: &str) -> Option<u64> {
    let (_, rest) = message.rsplit_once("timed out after ")?;
    let seconds: f64 = rest.split_whitespace().next()?.parse().ok()?;
    (seconds >= 0.0).then_some((seconds * 1000.0) as u64)
}

/// What the agent's program printed last, in `…\nstdout: …\n\nstderr: …`.
pub(super) fn last_output(message: &str) -> Option<&str> {
    let output = message.split_once("\nstdout: ").map(|(_, rest)| rest)?;
    let (stdout, stderr) = output.split_once("\nstderr: ").unwrap_or((output, ""));
    let last = |text: &'_ str| -> bool { !text.trim().is_empty() && text.trim() != "None" };
    [stderr, stdout]
        .into_iter()
        .find(|text| last(text))
        .and_then(|text| text.lines().rev().map(str::trim).find(|line| !line.is_empty()))
}

/// The line of a message that tells what went wrong: the last one that speaks of an error, else the first.
pub(super) fn telling(message: &str) -> &str {
    let speaks = |line: &&str| line.trim_start().to_lowercase().starts_with("error");
    message.lines().rev().find(speaks).or_else(|| message.lines().next()).unwrap_or_default()
}

/// Whether a line names this machine itself: what listens there is the agent's or the task's own.
pub(super) fn names_loopback(line: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].iter().any(|host| line.contains(host))
}

/// Whether the harness itself was still preparing when time ran out in the agent phase: the innermost frame of the agent's `run` waits
/// for an upload and not for a command. Returns the frame.
pub(super) fn still_preparing(traceback: &str) -> Option<String> {
    let mut lines = traceback.lines().map(str::trim);
    let mut found = None;
    while let Some(line) = lines.next() {
        let frame = line.starts_with("File ") && line.contains("/agents/");
        if frame && (line.ends_with("in run") || line.ends_with("in setup")) {
            let waits_for = lines.next().unwrap_or_default();
            let uploads = waits_for.contains(".upload_dir(") || waits_for.contains(".upload_file(");
            found = uploads.then(|| format!("{line}: {waits_for}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_give_codes_limits_and_last_lines() {
        let message = "Command failed (exit 7): x; y\nstdout: first\r\nlast line\r\n\nstderr: None";
        assert_eq!(exit_code(message), Some(7));
        assert_eq!(last_output(message), Some("last line"));
        assert_eq!(last_output("Command failed (exit 1): x\nstdout: out\n\nstderr: err\n"), Some("err"));
        assert_eq!(last_output("nothing of the kind"), None);
        assert_eq!(limit_ms("Agent execution timed out after 5.0 seconds"), Some(5_000));
        assert_eq!(limit_ms("timed out after a while"), None);
        assert!(names_loopback("localhost:8080: Connection refused"));
        assert!(!names_loopback("files.example.org: Connection refused"));
    }

    #[test]
    fn an_upload_is_not_the_agent() {
        let frame = |call: &str| {
            format!(
                "Traceback:\n  File \"/lib/harbor/agents/oracle.py\", line 102, in run\n    await environment.{call}(\n"
            )
        };
        assert!(still_preparing(&frame("upload_dir")).is_some());
        assert_eq!(still_preparing(&frame("exec")), None);
        assert_eq!(still_preparing(""), None);
    }
}
