//! The verifier ended without a verdict, and nothing was killed at a ceiling.

use super::super::reading::{last_exec, stop_evidence};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::Evidence;
use crate::outcome::{Reward, Stop};
use crate::{Facts, Phase};

/// Exit codes with which a shell says that it could not run a program at all.
const COULD_NOT_RUN: [i32; 2] = [126, 127];

pub(super) fn no_verdict(facts: &Facts, context: &Context) -> Option<Verdict> {
    let record = facts.outcome.phase(Phase::Verify)?;
    let broken = last_exec(facts, Phase::Verify)
        .is_some_and(|exec| matches!(exec.stop, Stop::Exited { code } if COULD_NOT_RUN.contains(&code)));
    let (cause, mut evidence) = match (&facts.outcome.reward, &record.stop) {
        (Reward::Given { .. }, _) => return None,
        (_, Stop::Deadline { .. }) => (Cause::VerifierTimeOut, Vec::new()),
        (Reward::Garbled { why, excerpt }, _) => {
            let shown = Evidence::observed("reward file", format!("`{excerpt}`"), why.clone());
            (Cause::RewardGarbled, vec![shown])
        }
        (Reward::Missing | Reward::NotGraded, _) => {
            let shown =
                Evidence::observed("/logs/verifier", "no reward file", "the verifier left no verdict");
            (if broken { Cause::VerifierBroken } else { Cause::RewardMissing }, vec![shown])
        }
    };
    evidence.push(stop_evidence(record, "how the verifier ended"));
    let seen = |shows: Option<bool>, who: &str| {
        (shows == Some(true)).then(|| {
            Evidence::observed("qualification", who, "the task shows this without any agent's doing")
        })
    };
    let qualified = seen(context.qualification.oracle_shows_it, "oracle shows it too")
        .or_else(|| seen(context.qualification.nop_shows_it, "nop shows it too"));
    let blame = match qualified {
        Some(shown) => {
            evidence.push(shown);
            Blame::Task
        }
        None if context.verifier_clean => {
            evidence.push(Evidence::observed(
                "verifier sandbox",
                "clean",
                "the agent never touched the sandbox in which the verifier ran",
            ));
            Blame::Fault
        }
        None => Blame::Undetermined,
    };
    Some(Verdict { blame, cause, phase: Some(Phase::Verify), evidence })
}
