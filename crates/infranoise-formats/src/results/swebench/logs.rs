//! The logs of one instance's evaluation: what they prove, before anybody's label.

use std::path::Path;

use infranoise_core::Cause;

use crate::results::harbor::{start_failure, traces::shell_kill};
use crate::results::read::{excerpt, read_ends};

/// So much of each end of a log is looked at.
const END: u64 = 512 << 10;

/// What the logs of an instance tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Logs {
    /// `>>>>> Test Exit Code: N`, which newer scripts echo.
    pub(super) exit_code: Option<i32>,
    /// The shell's line for a killed command, with its file.
    pub(super) killed: Option<String>,
    /// The patch did not apply.
    pub(super) patch_failed: Option<String>,
    /// The evaluation's limit passed, in milliseconds.
    pub(super) timed_out_ms: Option<u64>,
    /// The container could not be made.
    pub(super) engine: Option<(Cause, String)>,
    /// How long the tests took, in milliseconds.
    pub(super) runtime_ms: Option<u64>,
}

impl Logs {
    /// Reads the logs in an instance's folder.
    pub(super) fn read(folder: &Path) -> Self {
        let text = |name: &str| {
            read_ends(&folder.join(name), END)
                .map(|kept| match kept.tail {
                    Some(tail) => format!("{}\n{tail}", kept.head),
                    None => kept.head,
                })
                .unwrap_or_default()
        };
        Self::parse(&text("test_output.txt"), &text("run_instance.log"))
    }

    fn parse(output: &str, log: &str) -> Self {
        let both = || output.lines().chain(log.lines());
        let after = |mark: &str| {
            both().find_map(|line| line.split_once(mark).map(|(_, rest)| rest.trim().to_owned()))
        };
        let first_number = |text: &str| text.split_whitespace().next()?.replace('_', "").parse::<f64>().ok();
        let limit = after("Test timed out after ").or_else(|| after("Timeout error: "));
        let runtime = after("Test runtime: ");
        Self {
            exit_code: after(">>>>> Test Exit Code: ").and_then(|code| code.parse().ok()),
            killed: killed(output),
            patch_failed: both().find(|line| line.contains(">>>>> Patch Apply Failed")).map(str::to_owned),
            timed_out_ms: limit
                .and_then(|limit| first_number(&limit))
                .map(|seconds| (seconds * 1000.0) as u64),
            engine: engine(log),
            runtime_ms: runtime.and_then(|text| first_number(&text)).map(|seconds| (seconds * 1000.0) as u64),
        }
    }
}

/// A shell's line with number and pid, or a bare `Killed` as the last thing that a suite without an end printed.
fn killed(output: &str) -> Option<String> {
    if let Some((line, _)) = shell_kill(output) {
        return Some(excerpt(line, 160));
    }
    let last = output.lines().rev().find(|line| !line.trim().is_empty())?;
    let began = output.contains(">>>>> Start Test Output") && !output.contains(">>>>> End Test Output");
    (began && last.trim() == "Killed").then(|| "Killed (the last line; the suite never ended)".to_owned())
}

/// The harness's own words for an engine that failed before the tests.
fn engine(log: &str) -> Option<(Cause, String)> {
    let line = log.lines().find(|line| {
        line.contains("Error creating container") || (line.contains("Image ") && line.contains(" not found"))
    })?;
    let cause = match start_failure(line) {
        Cause::StartFailed if line.contains("not found") => Cause::ImagePull,
        cause => cause,
    };
    Some((cause, excerpt(line, 300)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = ">>>>> Start Test Output\n";

    #[test]
    fn exit_codes_and_kills_are_read_first() {
        let real = format!(
            "{START}/eval.sh: line 4: 16933 Killed   python\n>>>>> End Test Output\n>>>>> Test Exit Code: 137\n"
        );
        let logs = Logs::parse(&real, "");
        assert_eq!(logs.exit_code, Some(137));
        assert!(logs.killed.is_some_and(|line| line.contains("16933")));
        assert!(Logs::parse(&format!("{START}collecting ...\nKilled\n"), "").killed.is_some());
        let prose = format!("{START}Killed\nassert 'Killed' in out\n>>>>> End Test Output\n");
        assert_eq!(Logs::parse(&prose, "").killed, None);
    }

    #[test]
    fn what_the_harness_says_of_itself() {
        let late = Logs::parse(
            "partial\n\nTimeout error: 1800 seconds exceeded.\n",
            "Test runtime: 1_800.02 seconds\n",
        );
        assert_eq!((late.timed_out_ms, late.runtime_ms), (Some(1_800_000), Some(1_800_020)));
        let full = "Error creating container for x: 500 Server Error: Error response from daemon: no space left on device";
        assert_eq!(Logs::parse("", full).engine.map(|(cause, _)| cause), Some(Cause::DiskFull));
        let gone = "Image sweb.eval.x86_64.x:latest not found";
        assert_eq!(Logs::parse("", gone).engine.map(|(cause, _)| cause), Some(Cause::ImagePull));
        assert!(Logs::parse("", ">>>>> Patch Apply Failed: hunk 1\n").patch_failed.is_some());
        // A test's own assertion about a host is nothing.
        assert_eq!(
            Logs::parse(&format!("{START}E  assert 'Could not resolve host' in x\n"), ""),
            Logs::default()
        );
    }
}
