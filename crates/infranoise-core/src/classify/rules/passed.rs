//! Trials that passed.

use super::super::{Blame, Cause, Context, Verdict};
use crate::Facts;
use crate::evidence::Evidence;
use crate::outcome::Reward;

pub(super) fn passed(facts: &Facts, _: &Context) -> Option<Verdict> {
    let Reward::Given { source, .. } = &facts.outcome.reward else { return None };
    let value = facts.outcome.reward.main().filter(|_| facts.outcome.reward.passed())?;
    Some(Verdict {
        blame: Blame::Nobody,
        cause: Cause::Solved,
        phase: None,
        evidence: vec![Evidence::observed(
            source.clone(),
            format!("reward {value}"),
            "the verifier found the task solved",
        )],
    })
}
