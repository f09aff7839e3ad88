//! The agent's own doing.

use super::super::reading::{last_exec, stop_evidence};
use super::super::{Blame, Cause, Context, Verdict};
use crate::evidence::{Evidence, Observed};
use crate::outcome::{PhaseRecord, Reward, SignalSender, Stop};
use crate::{Facts, Phase};

/// The agent phase, if a signal that nobody outside sent ended it, and the counter that says whether it was the kernel.
fn killed(facts: &Facts) -> Option<(&PhaseRecord, Observed<u64>)> {
    let record = facts.outcome.phase(Phase::Agent)?;
    let by_signal = match record.stop {
        Stop::Signalled { by: SignalSender::Inside | SignalSender::Unknown, .. } => true,
        Stop::Exited { code } => code == 128 + 9,
        Stop::Signalled { by: SignalSender::OomKiller | SignalSender::Infranoise, .. }
        | Stop::Deadline { .. }
        | Stop::SandboxEnded { .. }
        | Stop::Failed { .. }
        | Stop::Interrupted => false,
    };
    let counter = last_exec(facts, Phase::Agent).map(|exec| exec.oom_kills.clone()).unwrap_or_default();
    by_signal.then_some((record, counter))
}

pub(super) fn unexplained_kill(facts: &Facts, _: &Context) -> Option<Verdict> {
    let (record, counter) = killed(facts)?;
    let state = counter.state();
    let why = match counter {
        Observed::Observed(_) => return None,
        Observed::Partial(_) => "the counter holds only a part".to_owned(),
        Observed::Unavailable(why) | Observed::Unsupported(why) => why,
    };
    Some(Verdict {
        blame: Blame::Undetermined,
        cause: Cause::Unknown,
        phase: Some(Phase::Agent),
        evidence: vec![
            stop_evidence(record, "a kill whose sender is not known"),
            Evidence::missing(state, "out-of-memory kills of the command", why),
        ],
    })
}

pub(super) fn killed_itself(facts: &Facts, _: &Context) -> Option<Verdict> {
    let (record, counter) = killed(facts)?;
    let kills = counter.value().copied()?;
    Some(Verdict {
        blame: Blame::Agent,
        cause: Cause::AgentKilledItself,
        phase: Some(Phase::Agent),
        evidence: vec![
            stop_evidence(record, "the agent was ended by a signal from inside its sandbox"),
            Evidence::observed(
                "out-of-memory kills of the command",
                kills.to_string(),
                "the kernel did not run out of memory",
            ),
        ],
    })
}

pub(super) fn error(facts: &Facts, _: &Context) -> Option<Verdict> {
    let record = facts.outcome.phase(Phase::Agent)?;
    let Stop::Exited { code } = record.stop else { return None };
    (code != 0).then(|| Verdict {
        blame: Blame::Agent,
        cause: Cause::AgentError,
        phase: Some(Phase::Agent),
        evidence: vec![stop_evidence(record, "the agent's program ended with an error of its own")],
    })
}

pub(super) fn wrong_answer(facts: &Facts, _: &Context) -> Option<Verdict> {
    let Reward::Given { source, .. } = &facts.outcome.reward else { return None };
    let value = facts.outcome.reward.main();
    let reading =
        value.map_or_else(|| "no value named `reward`".to_owned(), |value| format!("reward {value}"));
    Some(Verdict {
        blame: Blame::Agent,
        cause: Cause::WrongAnswer,
        phase: Some(Phase::Agent),
        evidence: vec![Evidence::observed(source.clone(), reading, "the verifier found the task unsolved")],
    })
}
