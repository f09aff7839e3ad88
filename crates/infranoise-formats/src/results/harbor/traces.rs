//! What lies in the agent's folder of a trial that did not pass: exit codes and a shell's word for a kill.

use std::path::Path;

use infranoise_core::{Clue, ClueKind, Confidence, Evidence, Phase, Position, Stop};

use crate::results::draft::Draft;
use crate::results::read::{Folder, excerpt, read_all, read_ends, without_escapes};

/// So much of each log's end is looked at.
const END: u64 = 64 << 10;
/// So many logs are looked at.
const LOGS: usize = 8;
/// A kill in the last so many lines is where the log ends.
const LAST_LINES: usize = 4;

/// Adds what the agent's folder tells.
pub(super) fn apply(draft: &mut Draft, folder: &Path) {
    if draft.reward.passed()
        || draft.source.failure.as_ref().is_some_and(|failure| failure.class == "CancelledError")
    {
        return;
    }
    let agent = folder.join("agent");
    let code = read_all(&agent.join("exit-code.txt"), 64)
        .ok()
        .and_then(|bytes| String::from_utf8_lossy(&bytes).trim().parse::<i32>().ok());
    let agent_phase = draft.phase_mut(Phase::Agent).filter(|record| record.stop.succeeded());
    if let (Some(code), Some(record)) = (code, agent_phase) {
        record.stop = Stop::Exited { code };
    }
    let killed = code == Some(137)
        || draft
            .phases
            .iter()
            .any(|record| record.phase == Phase::Agent && matches!(record.stop, Stop::Exited { code: 137 }));
    let Ok(listed) = Folder::list(&agent) else { return };
    let logs = listed
        .files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt" || extension == "log"));
    for path in logs.take(LOGS) {
        let Ok(kept) = read_ends(path, END) else { continue };
        let text = without_escapes(kept.end());
        if let Some((line, last)) = shell_kill(&text) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            draft.source.clues.push(clue(&format!("agent/{name}"), line, last || killed, killed));
            return;
        }
    }
}

/// A shell's own line for a command that SIGKILL ended, `solve.sh: line 2:    41 Killed    python3 …`, and whether it is the end.
pub(in crate::results) fn shell_kill(text: &str) -> Option<(&str, bool)> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let place = lines.iter().rposition(|line| is_shell_kill(line))?;
    Some((lines[place], lines.len() - place <= LAST_LINES))
}

fn is_shell_kill(line: &str) -> bool {
    let Some((_, rest)) = line.split_once(": line ") else { return false };
    let mut words = rest.split_whitespace();
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    words.next().and_then(|word| word.strip_suffix(':')).is_some_and(number)
        && words.next().is_some_and(number)
        && words.next() == Some("Killed")
}

fn clue(file: &str, line: &str, terminal: bool, code_too: bool) -> Clue {
    let says = if code_too {
        "the shell saw SIGKILL end a command, and the agent ended with exit code 137"
    } else {
        "the shell saw SIGKILL end a command"
    };
    Clue {
        kind: ClueKind::Killed,
        phase: Phase::Agent,
        position: if terminal { Position::Terminal } else { Position::Recovered },
        confidence: if code_too { Confidence::Medium } else { Confidence::Low },
        evidence: Evidence::partial(file, excerpt(line, 160), says),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_shells_own_line_is_a_kill() {
        let cases = [
            ("/solution/solve.sh: line 2:    41 Killed                  python3 -c x", true),
            ("/eval.sh: line 4: 16933 Killed   python", true),
            ("print(f'Killed process {pid}')", false),
            ("os.kill(pid, signal.SIGKILL)", false),
            ("Killed", false),
            ("on line 3: 2 Killed", false),
            ("see x: line 3: two Killed", false),
        ];
        for (line, expected) in cases {
            assert_eq!(shell_kill(line).is_some(), expected, "{line}");
        }
        let went_on = format!("a.sh: line 2: 41 Killed x\n{}", "more\n".repeat(10));
        assert_eq!(shell_kill(&went_on).map(|(_, last)| last), Some(false));
    }
}
