//! What a terminal showed when the agent was done: whether the agent ever ran, and what ended it.

use infranoise_core::Cause;

/// How the harness lets an installed agent signal its end; it stands at the end of the agent's own command.
const SIGNAL: &str = "; tmux wait -S done";

/// The agent's command as typed, what came before and what it printed.
pub(super) struct AgentCommand<'p> {
    /// The agent's own program: the first word that sets no variable.
    pub(super) program: &'p str,
    typed: &'p str,
    before: &'p str,
    output: &'p str,
}

/// Finds the agent's command on the pane: the last one that ends in the harness's signal.
pub(super) fn agent_command(pane: &str) -> Option<AgentCommand<'_>> {
    let signal = pane.rfind(SIGNAL)?;
    let end = pane[signal..].find('\n').map_or(pane.len(), |at| signal + at + 1);
    let mut start = 0;
    let mut typed = None;
    for line in pane[..signal].split_inclusive('\n') {
        if let Some(command) = after_prompt(line) {
            typed = Some((start, command));
        }
        start += line.len();
    }
    let (start, command) = typed?;
    let program = command.split_whitespace().find(|word| !word.contains('='))?;
    Some(AgentCommand { program, typed: command, before: &pane[..start], output: &pane[end..] })
}

/// What follows a prompt such as `root@79069cf0b7d2:/app# `, if the line begins with one and something follows.
fn after_prompt(line: &str) -> Option<&str> {
    let line = prompt_end(line).map(|end| &line[end..])?;
    let command = line.trim();
    (!command.is_empty()).then_some(command)
}

/// Where a prompt at the beginning of a line ends.
fn prompt_end(line: &str) -> Option<usize> {
    let marks = ["# ", "$ ", "#", "$"];
    let at = line.find('@')?;
    let who = |c: char| c.is_alphanumeric() || "()-_. ".contains(c);
    if !line[..at].chars().all(who) {
        return None;
    }
    let colon = at + line[at..].find(':')?;
    marks.iter().find_map(|mark| line[colon..].find(mark).map(|found| colon + found + mark.len()))
}

/// The last place in a pane at which a command with these words was typed at a prompt.
pub(super) fn typed_at_prompt<'p>(pane: &'p str, words: &str) -> Option<&'p str> {
    let mut found = None;
    let mut start = 0;
    for line in pane.split_inclusive('\n') {
        if after_prompt(line).is_some_and(|command| command.contains(words)) {
            found = Some(&pane[start..]);
        }
        start += line.len();
    }
    found
}

fn is_prompt(line: &str) -> bool {
    prompt_end(line).is_some_and(|end| line[end..].trim().is_empty())
}

/// Why an agent never ran: the line that shows it, and the cause that its installation names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NeverRan {
    pub(super) line: String,
    pub(super) cause: Cause,
    pub(super) install: Option<String>,
}

/// Whether the agent's program could not even be started: its whole output is a few lines that say so, and the prompt is back.
pub(super) fn never_ran(command: &AgentCommand<'_>) -> Option<NeverRan> {
    let printed: Vec<&str> =
        command.output.lines().filter(|line| !line.trim().is_empty() && !is_prompt(line)).collect();
    if printed.len() > 3 {
        return None;
    }
    let program = command.program.rsplit('/').next().unwrap_or(command.program);
    let line = printed.iter().find(|line| {
        let own = line.contains(&format!("{program}: command not found"))
            || (line.contains(&format!("/{program}: ")) && line.contains("No such file or directory"));
        own || missing_module(line).is_some_and(|module| command.typed.contains(module))
    })?;
    let (cause, install) = install_failure(command.before);
    Some(NeverRan { line: (*line).trim().to_owned(), cause, install })
}

/// The module in `ModuleNotFoundError: No module named 'x.y'`, by its first part.
fn missing_module(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("ModuleNotFoundError: No module named '")?;
    rest.split(['\'', '.']).next().filter(|module| !module.is_empty())
}

/// What an installer's own output says of its failure.
pub(super) fn install_failure(before: &str) -> (Cause, Option<String>) {
    const WORDS: &[(&str, Cause)] = &[
        ("No space left on device", Cause::DiskFull),
        ("Temporary failure resolving", Cause::Dns),
        ("Could not resolve", Cause::Dns),
        ("Could not connect to", Cause::Network),
        ("Connection refused", Cause::Network),
        ("Connection timed out", Cause::Network),
        ("Failed to fetch", Cause::Network),
        ("externally-managed-environment", Cause::AgentInstall),
        ("Permission denied", Cause::AgentInstall),
        ("command not found", Cause::AgentInstall),
    ];
    let found = WORDS.iter().find_map(|(words, cause)| {
        before.lines().rev().find(|line| line.contains(words)).map(|line| (*cause, line.trim().to_owned()))
    });
    found.map_or((Cause::AgentInstall, None), |(cause, line)| (cause, Some(line)))
}

/// What the agent's own last lines say of its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LastWords {
    /// The model API ended it.
    Api(Cause, String),
    /// Its own runtime inside the sandbox never came up.
    OwnRuntime(String),
}

/// The last few lines of the pane, if they tell of an end.
pub(super) fn last_words(pane: &str) -> Option<LastWords> {
    let lines: Vec<&str> =
        pane.lines().rev().filter(|line| !line.trim().is_empty() && !is_prompt(line)).take(6).collect();
    let joined = lines.iter().take(2).rev().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    if joined.ends_with("to AgentState.RATE_LIMITED") {
        return Some(LastWords::Api(Cause::ApiRateLimit, joined));
    }
    let runtime = lines.iter().take(3).find(|line| {
        line.contains("RetryError") && (line.contains("ConnectError") || line.contains("ConnectionError"))
    });
    if let Some(line) = runtime {
        let worked = pane.contains("/execute_action HTTP");
        return (!worked).then(|| LastWords::OwnRuntime(line.trim().to_owned()));
    }
    // An exception's own line begins with its class; a wrapped message may follow it.
    let class = lines.iter().find_map(|line| api_class(line.trim()).map(|cause| (cause, *line)))?;
    // The agent must have ended with it: the prompt is back.
    let ended = pane.lines().rev().find(|line| !line.trim().is_empty()).is_some_and(is_prompt);
    ended.then(|| LastWords::Api(class.0, class.1.trim().to_owned()))
}

/// An exception class of a model client at the beginning of a line. A full context window is the agent's own.
fn api_class(line: &str) -> Option<Cause> {
    let class = line.split(':').next()?.rsplit('.').next()?;
    Some(match class {
        "RateLimitError" => Cause::ApiRateLimit,
        "InternalServerError"
        | "ServiceUnavailableError"
        | "APIConnectionError"
        | "APIError"
        | "OverloadedError" => Cause::ApiError,
        "APITimeoutError" => Cause::ApiStall,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pane(install: &str, output: &str) -> String {
        format!(
            "{install}INSTALL_SUCCESS\nroot@79069:/app# mini -m x -t 'Set up a\n> server: quickly' -y; tmux wait -S done\n{output}root@79069:/app# \n"
        )
    }

    #[track_caller]
    fn check(install: &str, output: &str, expected: Option<Cause>) {
        let pane = pane(install, output);
        let command = agent_command(&pane).expect("a command");
        assert_eq!(command.program, "mini");
        assert_eq!(never_ran(&command).map(|never| never.cause), expected, "{output}");
    }

    #[test]
    fn an_agent_that_never_ran() {
        let missing = "bash: mini: command not found\n";
        check("error: externally-managed-environment\n", missing, Some(Cause::AgentInstall));
        check("Could not connect to mirror.example:80\n", missing, Some(Cause::Network));
        check(
            "fatal: write error: No space left on device\n",
            "python: ModuleNotFoundError: No module named 'mini'\n",
            Some(Cause::DiskFull),
        );
        check(
            "",
            "/usr/local/bin/mini: line 2: /app/python: No such file or directory\n",
            Some(Cause::AgentInstall),
        );
        check("", "bash: jq: command not found\n", None);
        check("", &format!("working\nstill\n\nthinking\n{missing}"), None);
        assert!(agent_command("root@a:/app# ls\n").is_none());
    }

    #[test]
    fn last_words_are_the_end_or_nothing() {
        let limited = "x\nINFO agent state\nfrom AgentState.RUNNING to AgentState.RATE_LIMITED\n";
        assert!(matches!(last_words(limited), Some(LastWords::Api(Cause::ApiRateLimit, _))));
        assert_eq!(
            last_words(&format!("{limited}from AgentState.RATE_LIMITED to AgentState.RUNNING\n")),
            None
        );
        let api = "Traceback\nlitellm.RateLimitError: too many\nroot@a:/app# \n";
        assert!(matches!(last_words(api), Some(LastWords::Api(Cause::ApiRateLimit, _))));
        assert_eq!(
            last_words("litellm.RateLimitError: too many\nretrying\n"),
            None,
            "the prompt is not back"
        );
        assert_eq!(last_words("ContextWindowExceededError: litellm.BadRequestError\nroot@a:/app# \n"), None);
        let own = "ERROR:root: RetryError[<Future state=finished raised ConnectError>]\nroot@a:/app# \n";
        assert!(matches!(last_words(own), Some(LastWords::OwnRuntime(_))));
        assert_eq!(last_words(&format!("POST /execute_action HTTP/1.1\n{own}")), None);
    }
}
