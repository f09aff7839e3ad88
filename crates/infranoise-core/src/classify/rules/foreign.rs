//! Trials of other harnesses: what their importers found in logs, times and exceptions.
//!
//! Clues never stand against the facts: these rules come after kills that a counter shows and before the guesses that silence
//! allows. Recovered clues decide nothing.

use super::super::reading::stop_evidence;
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::{Evidence, EvidenceState, Observed};
use crate::outcome::Reward;
use crate::source::{Clue, ClueKind, Confidence, Position};
use crate::{Facts, Phase};

fn clues(facts: &Facts) -> impl Iterator<Item = &Clue> {
    facts.source.iter().flat_map(|source| &source.clues)
}

fn graded(facts: &Facts) -> bool {
    matches!(facts.outcome.reward, Reward::Given { .. })
}

fn verdict(blame: Blame, cause: Cause, clue: &Clue) -> Verdict {
    Verdict { blame, cause, phase: Some(clue.phase), evidence: vec![clue.evidence.clone()] }
}

/// The verifier's own output shows that the tests passed, and the harness lost its verdict.
pub(super) fn verdict_lost(facts: &Facts, _: &Context) -> Option<Verdict> {
    let clue = clues(facts).find(|clue| clue.kind == ClueKind::VerdictLost)?;
    if graded(facts) {
        return None;
    }
    let mut verdict = verdict(Blame::Fault, Cause::VerifierBroken, clue);
    if let Some(record) = facts.outcome.phase(Phase::Verify) {
        verdict.evidence.push(stop_evidence(record, "and yet the harness recorded no verdict"));
    }
    Some(verdict)
}

/// The task or its verifier is broken for everybody.
pub(super) fn task_defect(facts: &Facts, _: &Context) -> Option<Verdict> {
    let clue =
        clues(facts).find(|clue| clue.kind == ClueKind::TaskDefect && clue.confidence != Confidence::Low)?;
    Some(verdict(Blame::Task, Cause::VerifierBroken, clue))
}

/// Something outside the agent ended the trial, as its last log lines and its times show.
pub(super) fn infra(facts: &Facts, _: &Context) -> Option<Verdict> {
    let tests_ran = clues(facts).any(|clue| clue.kind == ClueKind::TestsFailed);
    let (clue, cause) = clues(facts).find_map(|clue| match clue.kind {
        ClueKind::Infra(cause) if clue.position == Position::Terminal => Some((clue, cause)),
        ClueKind::Infra(_)
        | ClueKind::Agent(_)
        | ClueKind::TaskDefect
        | ClueKind::Killed
        | ClueKind::VerdictLost
        | ClueKind::TestsFailed => None,
    })?;
    if clue.phase == Phase::Verify && (tests_ran || graded(facts)) {
        return None;
    }
    let blame = match clue.confidence {
        Confidence::High | Confidence::Medium => Blame::Fault,
        Confidence::Low => Blame::Undetermined,
    };
    Some(verdict(blame, cause, clue))
}

/// The verifier's own output shows failing tests, although the harness recorded no verdict.
pub(super) fn tests_failed(facts: &Facts, _: &Context) -> Option<Verdict> {
    let clue = clues(facts).find(|clue| clue.kind == ClueKind::TestsFailed)?;
    (!graded(facts)).then(|| verdict(Blame::Agent, Cause::WrongAnswer, clue))
}

/// A process was killed, the trial ended with it, and the source kept no counter that says by whom.
pub(super) fn killed_unseen(facts: &Facts, _: &Context) -> Option<Verdict> {
    let clue =
        clues(facts).find(|clue| clue.kind == ClueKind::Killed && clue.position == Position::Terminal)?;
    let mut verdict = verdict(Blame::Undetermined, Cause::Oom, clue);
    if let Some(ceiling) = facts.allocation.and_then(|allocation| allocation.memory.ceiling().amount()) {
        let says = "a memory ceiling was in force, so that an out-of-memory kill would look like this";
        verdict.evidence.push(Evidence::partial("memory ceiling", ceiling.to_string(), says));
    }
    verdict.evidence.push(no_counter());
    Some(verdict)
}

/// What the source calls an infrastructure failure is the agent's own doing.
pub(super) fn agents_own(facts: &Facts, _: &Context) -> Option<Verdict> {
    clues(facts).find_map(|clue| match clue.kind {
        ClueKind::Agent(cause) if clue.position != Position::Recovered => {
            Some(verdict(Blame::Agent, cause, clue))
        }
        ClueKind::Agent(_)
        | ClueKind::Infra(_)
        | ClueKind::TaskDefect
        | ClueKind::Killed
        | ClueKind::VerdictLost
        | ClueKind::TestsFailed => None,
    })
}

fn no_counter() -> Evidence {
    Evidence::missing(
        EvidenceState::Unsupported,
        "out-of-memory kills",
        "the source keeps no kernel counter: whether a ceiling had a part in it cannot be known",
    )
}

/// What must be said beside a failure that is put down to the agent, where nobody watched the ceilings.
pub(in crate::classify) fn unseen(facts: &Facts, blame: Blame) -> Option<Evidence> {
    let counted = |kills: &Observed<u64>| kills.value().is_some();
    let watched = facts.outcome.execs.iter().any(|exec| counted(&exec.oom_kills));
    (facts.source.is_some() && blame == Blame::Agent && !watched).then(no_counter)
}

#[cfg(test)]
mod tests;
