//! What the verifier's terminal shows of a verdict that the harness lost.

use infranoise_core::{Cause, ClueKind, Confidence};

use super::pytest::{Summary, last_summary};

/// What the harness types.
const TYPED: &str = "run-tests.sh";
/// What the test runner says first.
const STARTED: &str = "test session starts";

/// What it shows: kind, confidence, the line and a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shows {
    pub(super) kind: ClueKind,
    pub(super) confidence: Confidence,
    pub(super) line: String,
    pub(super) says: &'static str,
}

/// What else is known of the trial.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around<'a> {
    /// The agent's own program, where its command is known.
    pub(super) program: Option<&'a str>,
    /// Whether the verifier's time limit passed.
    pub(super) timed_out: bool,
    /// Whether the agent's time limit had passed before.
    pub(super) agent_late: bool,
}

fn shows(kind: ClueKind, confidence: Confidence, line: &str, says: &'static str) -> Option<Shows> {
    Some(Shows { kind, confidence, line: line.trim().to_owned(), says })
}

/// Looks at the verifier's terminal, without escapes. The order is by what proves most.
pub(super) fn verdict(log: &str, around: Around<'_>) -> Option<Shows> {
    match last_summary(log) {
        Some((_, line, summary)) => counted(line, summary),
        None => never_ready(log, around).or_else(|| unfinished(log, around)),
    }
}

/// The test runner came to its end, and its counts are the verdict.
fn counted(line: &str, summary: Summary) -> Option<Shows> {
    if summary.all_passed() {
        let sure = if summary.skipped == 0 { Confidence::High } else { Confidence::Medium };
        shows(ClueKind::VerdictLost, sure, line, "every test passed, and the harness did not read it")
    } else if summary.failed > 0 {
        shows(ClueKind::TestsFailed, Confidence::High, line, "tests failed, and the harness did not read it")
    } else {
        None
    }
}

/// The verifier could not get ready, for a reason that its terminal names.
fn never_ready(log: &str, around: Around<'_>) -> Option<Shows> {
    let broken = ClueKind::Infra(Cause::VerifierBroken);
    if let Some(line) = keys_lost(log) {
        let says = "the harness typed before the terminal listened: no test was ever started";
        return shows(broken, Confidence::High, line, says);
    }
    if let Some(line) = foreign_environment(log, around.program) {
        let says =
            "the agent's installer left its own environment active in the shell in which the tests must run";
        return shows(broken, Confidence::High, line, says);
    }
    if let Some(line) = log.lines().rev().find(|line| line.contains("Could not get lock /var/lib/dpkg")) {
        let says = "another package manager held the lock: the agent's leftover, in a container that the verifier shares with it";
        return shows(broken, Confidence::Low, line, says);
    }
    if let Some(line) = plugin_breaks(log) {
        let says = "a package that the agent installed breaks the test runner before any test";
        return shows(ClueKind::Agent(Cause::AgentError), Confidence::Medium, line, says);
    }
    let (line, sure) = transfer_broke(log)?;
    let says = "what the verifier needs could not be fetched, and no test was started";
    shows(ClueKind::Infra(Cause::Network), sure, line, says)
}

/// The verifier was still at work when it was cut off.
fn unfinished(log: &str, around: Around<'_>) -> Option<Shows> {
    let last = log.lines().rev().find(|line| !line.trim().is_empty())?;
    if let Some(progress) = downloading(last) {
        let sure = if around.timed_out && !around.agent_late { Confidence::High } else { Confidence::Medium };
        let says = "the verifier was still downloading what it needs when it was cut off";
        return shows(ClueKind::Infra(Cause::Network), sure, progress, says);
    }
    if log.contains(STARTED) || !log.contains(TYPED) {
        return None;
    }
    if around.timed_out {
        let sure = if around.agent_late { Confidence::Low } else { Confidence::Medium };
        let says = "the verifier was still setting itself up when its time was over: no test had begun";
        return shows(ClueKind::Infra(Cause::VerifierTimeOut), sure, last, says);
    }
    let says = "the verifier was cut off before any test, perhaps by the signal of the agent's late command, for which both wait";
    around
        .agent_late
        .then(|| shows(ClueKind::Infra(Cause::VerifierBroken), Confidence::Low, last, says))
        .flatten()
}

/// curl's last words before no test was started. A transfer that broke off is the network's; a name or a port that was not found may be
/// what the agent or the task did to the container.
fn transfer_broke(log: &str) -> Option<(&str, Confidence)> {
    if log.contains(STARTED) {
        return None;
    }
    let line = log.lines().rev().find(|line| line.trim_start().starts_with("curl: ("))?;
    let code = line.split_once('(')?.1.split(')').next()?;
    match code {
        "18" | "28" | "35" | "52" | "56" | "92" => Some((line, Confidence::Medium)),
        "6" | "7" => Some((line, Confidence::Low)),
        _ => None,
    }
}

/// The command to run the tests was typed, and nothing came of it.
fn keys_lost(log: &str) -> Option<&str> {
    let typed = log.lines().find(|line| line.contains(TYPED))?;
    let quiet = |line: &str| {
        let line = line.trim();
        line.is_empty()
            || line == "exit"
            || line == "clear"
            || line.starts_with("asciinema: ")
            || line.contains("asciinema rec ")
            || line.contains(TYPED)
            || line.ends_with('#')
            || line.ends_with('$')
    };
    // The recorder's own words show that the session was seen to its end.
    let whole = log.contains("asciinema: recording finished");
    (whole && log.lines().all(quiet)).then_some(typed)
}

/// `/opt/openhands-venv/bin/python: No module named pytest`, where that environment is the agent's own.
fn foreign_environment<'l>(log: &'l str, program: Option<&str>) -> Option<&'l str> {
    let program = program?;
    let own = |environment: &str| match program.split_once("/bin/") {
        Some((home, _)) => environment == home,
        None => environment.contains(program),
    };
    log.lines().rev().find(|line| {
        let Some((environment, rest)) = line.trim_start().split_once("/bin/python") else { return false };
        environment.starts_with('/') && rest.contains(": No module named pytest") && own(environment)
    })
}

/// The runner fails while it loads plug-ins from installed packages.
fn plugin_breaks(log: &str) -> Option<&str> {
    if !log.contains("load_setuptools_entrypoints") {
        return None;
    }
    log.lines()
        .rev()
        .find(|line| line.starts_with("ModuleNotFoundError: ") || line.starts_with("ImportError: "))
}

/// apt's progress, `16% [41 libicu72 4777 kB/9376 kB 51%]   129 kB/s 18min 5s`: the last of several on one line.
fn downloading(line: &str) -> Option<&str> {
    let open = line.rfind("% [")?;
    let start = line[..open].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let progress = &line[start..];
    let rate = progress.contains(" kB/s ") || progress.contains(" MB/s ") || progress.contains(" B/s ");
    let amount = progress.contains(" kB/") || progress.contains(" MB/") || progress.contains(" B/");
    let busy = rate || amount || progress.contains("[Waiting for headers]") || progress.contains("[Working]");
    (busy && start < open).then_some(progress)
}

/// A test file that does not even load, `…/test_outputs.py - TypeError: …` in place of a test, and how far it shows that nobody can pass.
/// A mistake in the file itself is nobody else's, since tests are copied in after the agent; a missing module may be the agent's.
pub(super) fn broken_file(collected: &str) -> Option<Confidence> {
    let (file, error) = collected.split_once(" - ")?;
    let class = error.split(": ").next()?;
    if !(file.contains("test") && file.ends_with(".py") && class.ends_with("Error")) {
        return None;
    }
    let own = ["TypeError", "SyntaxError", "IndentationError", "NameError"].contains(&class);
    Some(if own { Confidence::High } else { Confidence::Low })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPED_LINE: &str = "root@a:/app# bash /tests/run-tests.sh; tmux wait -S done\n";

    #[track_caller]
    fn check(log: &str, around: Around<'_>, expected: Option<(ClueKind, Confidence)>) {
        assert_eq!(verdict(log, around).map(|shown| (shown.kind, shown.confidence)), expected, "{log}");
    }

    #[test]
    fn verdicts_that_were_lost() {
        let lost =
            |counts: &str| format!("{TYPED_LINE}=== test session starts ===\n=== {counts} in 0.1s ===\n");
        let none = Around::default();
        check(&lost("4 passed"), none, Some((ClueKind::VerdictLost, Confidence::High)));
        check(&lost("1 passed, 4 skipped"), none, Some((ClueKind::VerdictLost, Confidence::Medium)));
        check(&lost("1 failed, 3 passed"), none, Some((ClueKind::TestsFailed, Confidence::High)));
        check(&lost("1 error"), none, None);
    }

    #[test]
    fn verifiers_that_never_got_to_their_tests() {
        let broken = ClueKind::Infra(Cause::VerifierBroken);
        let keys = "root@a:/app# asciinema rec --stdin /logs/tests.cast\nclear\nasciinema: press <ctrl-d>\nbash /tests/run-tests.sh; tmux wait -S done\nroot@a:/app# \nexit\nasciinema: recording finished\n";
        check(keys, Around::default(), Some((broken, Confidence::High)));
        let with_output = keys.replace("exit\n", "Hit:1 http://mirror\nexit\n");
        check(&with_output, Around::default(), None);
        let leak = format!("{TYPED_LINE}/opt/openhands-venv/bin/python: No module named pytest\n");
        let agent = Around { program: Some("openhands"), ..Around::default() };
        check(&leak, agent, Some((broken, Confidence::High)));
        check(&leak, Around { program: Some("mini"), ..agent }, None);
        let by_path = Around { program: Some("/opt/openhands-venv/bin/python"), ..agent };
        check(&leak, by_path, Some((broken, Confidence::High)));
        check(
            &format!(
                "{TYPED_LINE}E: Could not get lock /var/lib/dpkg/lock-frontend.\nuv: command not found\n"
            ),
            agent,
            Some((broken, Confidence::Low)),
        );
        let network = ClueKind::Infra(Cause::Network);
        let fetch = |curl: &str| format!("{TYPED_LINE}{curl}\nuv: command not found\n");
        check(&fetch("curl: (18) Transferred a partial file"), agent, Some((network, Confidence::Medium)));
        check(&fetch("curl: (6) Could not resolve host"), agent, Some((network, Confidence::Low)));
        check(&fetch("sh: 1: DNS: not found"), agent, None);
        let cut = format!("{TYPED_LINE}downloading uv 0.8.6\n");
        check(&cut, Around { agent_late: true, ..agent }, Some((broken, Confidence::Low)));
        check(&cut, agent, None);
    }

    #[test]
    fn verifiers_whose_time_was_over() {
        let late = Around { timed_out: true, ..Around::default() };
        let apt = format!(
            "{TYPED_LINE}13% [40 a 1 B/2 kB 1%]   160 kB/s 15min 6s16% [41 libicu72 4777 kB/9376 kB 51%]   129 kB/s 18min 5s"
        );
        check(&apt, late, Some((ClueKind::Infra(Cause::Network), Confidence::High)));
        check(
            &apt,
            Around { agent_late: true, ..late },
            Some((ClueKind::Infra(Cause::Network), Confidence::Medium)),
        );
        let compiles = format!("{TYPED_LINE}gcc -c x.c\n");
        check(&compiles, late, Some((ClueKind::Infra(Cause::VerifierTimeOut), Confidence::Medium)));
        check(&compiles, Around::default(), None);
        check(&format!("{TYPED_LINE}=== test session starts ===\ncollecting\n"), late, None);
        assert_eq!(downloading("16% done"), None);
    }

    #[test]
    fn a_test_file_that_does_not_load() {
        let of = |error: &str| broken_file(&format!("../tests/test_outputs.py - {error}"));
        assert_eq!(of("TypeError: bad operand type for unary +: 'str'"), Some(Confidence::High));
        assert_eq!(of("ModuleNotFoundError: No module named 'x'"), Some(Confidence::Low));
        assert_eq!(of("a word"), None);
        assert_eq!(broken_file("test_a"), None);
    }
}
