//! What the terminals of a trial show: only of trials that did not pass, and only what stands at their end.

use std::path::Path;

use infranoise_core::{Cause, Clue, ClueKind, Confidence, Evidence, Phase, Position, Reward, Stop};

use super::pane::{self, LastWords};
use super::trial::{agent_deadline, never_began};
use super::verifier::{self, Around};
use crate::results::draft::Draft;
use crate::results::read::{excerpt, read_ends, without_escapes};

/// So much of each end of a terminal is looked at.
const END: u64 = 512 << 10;

/// Adds what the terminals tell.
pub(super) fn apply(draft: &mut Draft, folder: Option<&Path>, broken_test: Option<&(String, Confidence)>) {
    if draft.reward.passed() {
        return;
    }
    if let Some((test, confidence)) = broken_test {
        let says = match confidence {
            Confidence::High => {
                "the test file does not load, for a reason that lies in the file: nobody can pass"
            }
            Confidence::Medium | Confidence::Low => {
                "the test file does not load; whose doing that is shows in the trials of others"
            }
        };
        let place = ("results.json, parser_results", test.as_str(), says);
        push(draft, ClueKind::TaskDefect, Phase::Verify, *confidence, place);
    }
    let began = draft.phases.iter().any(|phase| phase.phase == Phase::Agent);
    let failed = draft.phases.iter().any(|phase| matches!(phase.stop, Stop::Failed { .. }));
    if !began || failed {
        return;
    }
    // Without a folder of its own a trial has no terminals.
    let Some(folder) = folder else { return };
    let agent_pane = terminal(folder, "panes/post-agent.txt");
    let command = agent_pane.as_deref().and_then(pane::agent_command);
    if let Some(never) = command.as_ref().and_then(pane::never_ran) {
        let install = never
            .install
            .map(|line| format!("; its installation: {}", excerpt(&line, 160)))
            .unwrap_or_default();
        let says = format!("panes/post-agent.txt: {}{install}", never.line);
        return never_began(draft, never.cause, &says);
    }
    if let Some(last) = agent_pane.as_deref().and_then(pane::last_words) {
        last_words(draft, last);
    }
    if !matches!(draft.reward, Reward::Given { .. }) {
        lost_verdict(draft, folder, command.map(|command| command.program.to_owned()).as_deref());
    }
}

fn terminal(folder: &Path, name: &str) -> Option<String> {
    let kept = read_ends(&folder.join(name), END).ok()?;
    Some(match kept.tail {
        None => without_escapes(&kept.head),
        Some(tail) => format!("{}\n{}", without_escapes(&kept.head), without_escapes(&tail)),
    })
}

fn last_words(draft: &mut Draft, last: LastWords) {
    match last {
        LastWords::Api(cause, line) => {
            let says = "the last thing that the agent's terminal shows";
            let place = ("panes/post-agent.txt", line.as_str(), says);
            push(draft, ClueKind::Infra(cause), Phase::Agent, Confidence::High, place);
        }
        LastWords::OwnRuntime(line) => {
            never_began(draft, Cause::SetupFailed, &format!("panes/post-agent.txt: {line}"));
            draft.notes.push(
                "the agent's own runtime never came up, and no action of it was carried out".to_owned(),
            );
        }
    }
}

/// The verdict is missing: the verifier's terminal may still show it, or why there is none.
fn lost_verdict(draft: &mut Draft, folder: &Path, program: Option<&str>) {
    let log = terminal(folder, "sessions/tests.log");
    let after = terminal(folder, "panes/post-test.txt");
    let agent_late = draft
        .phases
        .iter()
        .any(|phase| phase.phase == Phase::Agent && matches!(phase.stop, Stop::Deadline { .. }))
        || late_by_the_clock(draft);
    let timed_out = draft
        .phases
        .iter()
        .any(|phase| phase.phase == Phase::Verify && matches!(phase.stop, Stop::Deadline { .. }));
    let around = Around { program, timed_out, agent_late };
    let of_pane = after.as_deref().and_then(|text| pane::typed_at_prompt(text, "run-tests.sh"));
    if log.is_none() && after.is_some() && of_pane.is_none() {
        // The tests' command never reached a shell: the agent still held the terminal.
        draft.notes.push("the agent still held the terminal when the tests should have begun".to_owned());
        return agent_deadline(draft);
    }
    let texts = [("sessions/tests.log", log.as_deref()), ("panes/post-test.txt", of_pane)];
    let shown = texts
        .into_iter()
        .find_map(|(name, text)| verifier::verdict(text?, around).map(|shows| (name, shows)));
    let Some((name, shows)) = shown else { return };
    if shows.kind == ClueKind::VerdictLost {
        draft.source.would_have_passed = Some(true);
    } else if shows.kind == ClueKind::TestsFailed {
        draft.source.would_have_passed = Some(false);
    }
    push(draft, shows.kind, Phase::Verify, shows.confidence, (name, &shows.line, shows.says));
}

fn late_by_the_clock(draft: &Draft) -> bool {
    let limit = draft.task.spec.agent_limit_ms.or(None);
    limit.is_some_and(|limit| super::trial::length_ms(draft, Phase::Agent) > limit + 5_000)
}

fn push(draft: &mut Draft, kind: ClueKind, phase: Phase, confidence: Confidence, place: (&str, &str, &str)) {
    let (file, line, says) = place;
    let reading = excerpt(line.trim_matches(['=', ' ']), 200);
    let evidence = match confidence {
        Confidence::High => Evidence::observed(file, reading, says),
        Confidence::Medium | Confidence::Low => Evidence::partial(file, reading, says),
    };
    draft.source.clues.push(Clue { kind, phase, position: Position::Terminal, confidence, evidence });
}
