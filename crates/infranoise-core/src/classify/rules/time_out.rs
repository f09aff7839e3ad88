//! A wall-clock limit passed.

use super::super::reading::stop_evidence;
use super::super::{ApiAtDeadline, Blame, Cause, Context, Verdict};
use crate::evidence::{Evidence, EvidenceState};
use crate::outcome::{PhaseRecord, Stop};
use crate::{Facts, Phase};

/// The share of a phase that counts as held back, by others or by the own ceiling.
pub const HELD_BACK_SHARE: f64 = 0.20;

fn timed_out(facts: &Facts, phase: Phase) -> Option<&PhaseRecord> {
    facts.outcome.phase(phase).filter(|record| matches!(record.stop, Stop::Deadline { .. }))
}

fn length_us(record: &PhaseRecord) -> f64 {
    record.ended_ms.saturating_sub(record.started_ms).max(1) as f64 * 1000.0
}

pub(super) fn api_open(facts: &Facts, context: &Context) -> Option<Verdict> {
    let record = timed_out(facts, Phase::Agent)?;
    let (cause, shown) = match &context.api {
        ApiAtDeadline::Open { cause, evidence } => (*cause, evidence.clone()),
        ApiAtDeadline::NotWatched | ApiAtDeadline::Quiet => return None,
    };
    let blame = match shown.state {
        EvidenceState::Observed => Blame::Fault,
        EvidenceState::Partial | EvidenceState::Unavailable | EvidenceState::Unsupported => {
            Blame::Undetermined
        }
    };
    let evidence = vec![shown, stop_evidence(record, "the limit passed meanwhile")];
    Some(Verdict { blame, cause, phase: Some(Phase::Agent), evidence })
}

/// The guaranteed CPU was not delivered. Pressure alone does not show that: a trial that runs many threads waits for itself. So it
/// must also have received less than its floor.
pub(super) fn starved(facts: &Facts, _: &Context) -> Option<Verdict> {
    let record = timed_out(facts, Phase::Agent).or_else(|| timed_out(facts, Phase::Verify))?;
    let telemetry = &facts.telemetry;
    let contention = match record.phase {
        Phase::Agent => &telemetry.agent_contention_us,
        Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Verify | Phase::Stop => {
            &telemetry.contention_us
        }
    };
    let waited_us = *contention.value()?;
    let share = waited_us as f64 / length_us(record);
    let floor_cpus = f64::from(facts.allocation?.cpu.floor().0) / 1000.0;
    let received_us = *telemetry.cpu_us.value()? as f64;
    let guaranteed_us = floor_cpus * length_us(record);
    if share < HELD_BACK_SHARE || received_us >= guaranteed_us {
        return None;
    }
    let whole =
        contention.state() == EvidenceState::Observed && telemetry.cpu_us.state() == EvidenceState::Observed;
    let shown = Evidence {
        state: if whole { EvidenceState::Observed } else { EvidenceState::Partial },
        source: "CPU pressure minus own throttling; CPU time received".to_owned(),
        reading: format!(
            "{:.0} % of the phase; {:.2} of {:.2} CPU-seconds guaranteed",
            share * 100.0,
            received_us / 1e6,
            guaranteed_us / 1e6
        ),
        says: "others held the trial back and its floor was not delivered".to_owned(),
    };
    Some(Verdict {
        blame: if whole { Blame::Fault } else { Blame::Undetermined },
        cause: Cause::CpuStarved,
        phase: Some(record.phase),
        evidence: vec![shown, stop_evidence(record, "the limit passed meanwhile")],
    })
}

pub(super) fn throttled(facts: &Facts, _: &Context) -> Option<Verdict> {
    let record = timed_out(facts, Phase::Agent)?;
    let throttled = &facts.telemetry.agent_throttled_us;
    let share = *throttled.value()? as f64 / length_us(record);
    if share < HELD_BACK_SHARE {
        return None;
    }
    let shown = Evidence {
        state: throttled.state(),
        source: "cpu.stat throttled time, agent phase".to_owned(),
        reading: format!("{:.0} % of the phase", share * 100.0),
        says: "the trial's own CPU ceiling held it back".to_owned(),
    };
    Some(Verdict {
        blame: Blame::Agent,
        cause: Cause::Throttled,
        phase: Some(Phase::Agent),
        evidence: vec![stop_evidence(record, "the agent did not finish in its time"), shown],
    })
}

pub(super) fn plain(facts: &Facts, _: &Context) -> Option<Verdict> {
    let record = timed_out(facts, Phase::Agent)?;
    Some(Verdict {
        blame: Blame::Agent,
        cause: Cause::TimeOut,
        phase: Some(Phase::Agent),
        evidence: vec![stop_evidence(record, "the agent did not finish in its time")],
    })
}
