//! One case for each rule over trials of other harnesses.

use crate::classify::{Blame, Cause, Context, classify};
use crate::evidence::{Evidence, EvidenceState, Observed};
use crate::outcome::{Reward, Stop};
use crate::source::{Clue, ClueKind, Confidence, Position, SourceRecord};
use crate::testing;
use crate::{Facts, Phase};

fn clue(kind: ClueKind, phase: Phase, position: Position, confidence: Confidence) -> Clue {
    Clue { kind, phase, position, confidence, evidence: Evidence::observed("log", "a line", "it says so") }
}

/// A foreign trial whose agent exited with 0, with this reward and these clues.
fn trial(reward: Reward, clues: Vec<Clue>) -> Facts {
    let plan = testing::plan(1, 1, 1);
    let mut facts = testing::facts(&plan, plan.keys().next().expect("a trial"));
    for exec in &mut facts.outcome.execs {
        exec.oom_kills = Observed::Unsupported("no counter in this source".into());
    }
    facts.outcome.reward = reward;
    facts.source = Some(Box::new(SourceRecord { clues, ..SourceRecord::default() }));
    facts
}

#[track_caller]
fn check(facts: &Facts, blame: Blame, cause: Cause, rule: &str) {
    let said = classify(facts, &Context::default());
    assert_eq!((said.blame, said.cause, said.rule.0.as_str()), (blame, cause, rule), "{said:#?}");
}

const RATE_LIMIT: ClueKind = ClueKind::Infra(Cause::ApiRateLimit);

#[test]
fn what_ended_a_trial_decides_and_what_it_recovered_from_does_not() {
    let at = |position, confidence| {
        trial(testing::reward(0.0), vec![clue(RATE_LIMIT, Phase::Agent, position, confidence)])
    };
    let high = at(Position::Terminal, Confidence::High);
    check(&high, Blame::Fault, Cause::ApiRateLimit, "foreign-infra");
    let low = at(Position::Terminal, Confidence::Low);
    check(&low, Blame::Undetermined, Cause::ApiRateLimit, "foreign-infra");
    for position in [Position::Recovered, Position::Unknown] {
        let went_on = at(position, Confidence::High);
        check(&went_on, Blame::Agent, Cause::WrongAnswer, "wrong-answer");
    }
    let mut passed = at(Position::Terminal, Confidence::High);
    passed.outcome.reward = testing::reward(1.0);
    check(&passed, Blame::Nobody, Cause::Solved, "passed");
}

#[test]
fn a_verdict_that_the_harness_lost_is_found_in_the_log() {
    let lost = |kind| {
        let mut facts =
            trial(Reward::NotGraded, vec![clue(kind, Phase::Verify, Position::Terminal, Confidence::High)]);
        facts.outcome.phases[2].stop = Stop::Deadline { limit_ms: 60_000 };
        facts
    };
    check(&lost(ClueKind::VerdictLost), Blame::Fault, Cause::VerifierBroken, "foreign-verdict-lost");
    check(&lost(ClueKind::TestsFailed), Blame::Agent, Cause::WrongAnswer, "foreign-tests-failed");
    let slow = lost(ClueKind::Infra(Cause::Network));
    check(&slow, Blame::Fault, Cause::Network, "foreign-infra");
    let mut slow_but_failed = slow.clone();
    let failed = clue(ClueKind::TestsFailed, Phase::Verify, Position::Terminal, Confidence::High);
    slow_but_failed.source.as_mut().expect("foreign").clues.push(failed);
    check(&slow_but_failed, Blame::Agent, Cause::WrongAnswer, "foreign-tests-failed");
}

#[test]
fn a_kill_without_a_counter_cannot_be_judged() {
    let killed = clue(ClueKind::Killed, Phase::Agent, Position::Terminal, Confidence::Medium);
    let facts = trial(testing::reward(0.0), vec![killed]);
    check(&facts, Blame::Undetermined, Cause::Oom, "foreign-killed");
    let said = classify(&facts, &Context::default());
    assert_eq!(said.weakest_evidence(), EvidenceState::Unsupported);
}

#[test]
fn defects_of_the_task_and_the_agents_own_errors() {
    let defect = clue(ClueKind::TaskDefect, Phase::Verify, Position::Terminal, Confidence::High);
    check(
        &trial(testing::reward(0.0), vec![defect]),
        Blame::Task,
        Cause::VerifierBroken,
        "foreign-task-defect",
    );
    let own = clue(ClueKind::Agent(Cause::AgentError), Phase::Agent, Position::Terminal, Confidence::High);
    check(&trial(testing::reward(0.0), vec![own]), Blame::Agent, Cause::AgentError, "foreign-agent");
}

#[test]
fn a_plain_failure_says_that_nobody_watched_the_ceilings() {
    let facts = trial(testing::reward(0.0), Vec::new());
    check(&facts, Blame::Agent, Cause::WrongAnswer, "wrong-answer");
    let said = classify(&facts, &Context::default());
    let last = said.evidence.last().expect("evidence");
    assert_eq!(last.state, EvidenceState::Unsupported);
    assert!(last.says.contains("cannot be known"), "{}", last.says);
}
