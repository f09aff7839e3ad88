//! One tiny task for each cause of failure: what classification must say of it.

use infranoise_core::{Blame, Cause, KillScope, Phase, Resource};

use crate::BundledTask;
use crate::truth::word;

/// The verdict that a specimen must get with every ceiling at 1x, by the script agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specimen {
    /// The kill scope that it is to be carried out under.
    pub kill_scope: KillScope,
    /// Whom the verdict blames.
    pub blame: Blame,
    /// What it names as the cause.
    pub cause: Cause,
    /// The phase that the cause belongs to; none where there is nothing to explain.
    pub phase: Option<Phase>,
    /// The rule that decides.
    pub rule: &'static str,
}

impl BundledTask {
    /// What this task is a specimen of; `None` if it is none.
    #[must_use]
    pub fn specimen(&self) -> Option<Specimen> {
        let value = |key: &str| self.expect.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let blame = match value("blame")? {
            "ceiling" => Blame::Ceiling { resource: word::<Resource>(value("resource")?).ok()? },
            other => word(other).ok()?,
        };
        Some(Specimen {
            kill_scope: word(value("kill_scope")?).ok()?,
            blame,
            cause: word(value("cause")?).ok()?,
            phase: value("phase").map(word).transpose().ok()?,
            rule: value("rule")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::SPECIMENS;

    #[test]
    fn every_specimen_says_what_it_shows() {
        for task in SPECIMENS {
            let specimen = task.specimen();
            assert!(specimen.is_some(), "{} does not read: {:?}", task.name, task.expect);
        }
    }

    #[test]
    fn the_causes_that_this_machine_can_bring_about_each_have_a_specimen() {
        let shown: BTreeSet<Cause> =
            SPECIMENS.iter().filter_map(BundledTask::specimen).map(|s| s.cause).collect();
        for cause in [
            Cause::Solved,
            Cause::WrongAnswer,
            Cause::AgentError,
            Cause::AgentKilledItself,
            Cause::TimeOut,
            Cause::Throttled,
            Cause::Oom,
            Cause::Pids,
            Cause::StorageCeiling,
            Cause::StartFailed,
            Cause::SetupFailed,
            Cause::VerifierBroken,
            Cause::VerifierTimeOut,
            Cause::RewardMissing,
            Cause::RewardGarbled,
        ] {
            assert!(shown.contains(&cause), "{cause:?}");
        }
    }
}
