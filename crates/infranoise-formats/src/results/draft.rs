//! A trial as an importer found it, before it has its place among arms and repeats.

use std::collections::BTreeMap;

use infranoise_core::{
    Allocation, Attempt, Enforcement, ExecId, ExecRecord, Facts, HostWindow, Observed, Outcome, Phase,
    PhaseRecord, Provenance, Reward, SourceRecord, Stated, Stop, Strategy, TaskSpec, TelemetrySummary,
    TrialKey, Usage,
};

/// The task of a trial, as far as the source knows it.
#[derive(Clone, Debug, Default)]
pub(in crate::results) struct TaskDraft {
    pub(in crate::results) name: String,
    pub(in crate::results) source: String,
    pub(in crate::results) digest: Option<String>,
    pub(in crate::results) spec: TaskSpec,
    pub(in crate::results) labels: BTreeMap<String, String>,
}

/// Resources as they really were, as far as that can be known.
#[derive(Clone, Debug)]
pub(in crate::results) struct Effective {
    pub(in crate::results) allocation: Option<Allocation>,
    pub(in crate::results) enforcement: Enforcement,
    pub(in crate::results) provenance: Provenance,
}

impl Effective {
    /// Nothing is known, for this reason.
    pub(in crate::results) fn unknown(why: &str) -> Self {
        Self { allocation: None, enforcement: Enforcement::not_known(why), provenance: Provenance::Unknown }
    }
}

/// A phase with its times in milliseconds since 1970, as far as they are known.
#[derive(Clone, Debug)]
pub(in crate::results) struct PhaseDraft {
    pub(in crate::results) phase: Phase,
    pub(in crate::results) started_ms: Option<u64>,
    pub(in crate::results) ended_ms: Option<u64>,
    /// How long it took, where the source gives no times.
    pub(in crate::results) length_ms: Option<u64>,
    pub(in crate::results) stop: Stop,
}

impl PhaseDraft {
    /// A phase that ended well, at unknown times.
    pub(in crate::results) fn untimed(phase: Phase) -> Self {
        Self { phase, started_ms: None, ended_ms: None, length_ms: None, stop: Stop::Exited { code: 0 } }
    }
}

/// One trial.
#[derive(Clone, Debug)]
pub(in crate::results) struct Draft {
    pub(in crate::results) task: TaskDraft,
    /// The source's own id: two trials of one id are one trial.
    pub(in crate::results) id: Option<String>,
    pub(in crate::results) engine: String,
    pub(in crate::results) attempt: Attempt,
    /// Which replicate, where the source numbers them itself.
    pub(in crate::results) repeat: Option<u32>,
    pub(in crate::results) started_ms: Option<u64>,
    pub(in crate::results) ended_ms: Option<u64>,
    pub(in crate::results) phases: Vec<PhaseDraft>,
    pub(in crate::results) reward: Reward,
    pub(in crate::results) effective: Effective,
    pub(in crate::results) usage: Usage,
    pub(in crate::results) notes: Vec<String>,
    pub(in crate::results) source: SourceRecord,
    /// Why no kernel counter of this trial can be had.
    pub(in crate::results) no_counters: &'static str,
}

impl Draft {
    /// A trial of which nothing is known yet.
    pub(in crate::results) fn new(
        format: &str,
        file: String,
        trial: &str,
        no_counters: &'static str,
    ) -> Self {
        Self {
            task: TaskDraft::default(),
            id: None,
            engine: format.to_owned(),
            attempt: Attempt(0),
            repeat: None,
            started_ms: None,
            ended_ms: None,
            phases: Vec::new(),
            reward: Reward::NotGraded,
            effective: Effective::unknown("the source does not record resources"),
            usage: Usage::default(),
            notes: Vec::new(),
            source: SourceRecord {
                format: format.to_owned(),
                file,
                trial: trial.to_owned(),
                ..SourceRecord::default()
            },
            no_counters,
        }
    }

    /// The phase, if it was begun.
    pub(in crate::results) fn phase_mut(&mut self, phase: Phase) -> Option<&mut PhaseDraft> {
        self.phases.iter_mut().find(|draft| draft.phase == phase)
    }

    /// The facts of the trial in its place.
    pub(in crate::results) fn into_facts(mut self, key: TrialKey, position: u64, block: u64) -> Facts {
        let first = self.phases.iter().find_map(|phase| phase.started_ms);
        let began = self.started_ms.or(first);
        if began.is_none() {
            self.notes.push("the source does not say when it began".to_owned());
        }
        let base = began.unwrap_or(0);
        let phases = placed(&self.phases, base);
        let last = phases.last().map_or(0, |phase| phase.ended_ms);
        let execs = commands(&phases, self.no_counters);
        Facts {
            round: key.repeat,
            key,
            attempt: self.attempt,
            position,
            block,
            seed: 0,
            engine: self.engine,
            sandbox: None,
            started_at_ms: base,
            wall_ms: self.ended_ms.map_or(last, |end| end.saturating_sub(base)),
            spec: self.task.spec,
            allocation: self.effective.allocation,
            enforcement: self.effective.enforcement,
            provenance: self.effective.provenance,
            outcome: Outcome { phases, execs, events: Vec::new(), reward: self.reward, daemons_kept: true },
            telemetry: TelemetrySummary::default(),
            host: HostWindow::default(),
            strategy: Strategy::default(),
            usage: self.usage,
            notes: self.notes,
            source: Some(Box::new(self.source)),
        }
    }
}

/// Phases relative to the trial's beginning; an unknown time is the end of what came before.
fn placed(drafts: &[PhaseDraft], base: u64) -> Vec<PhaseRecord> {
    let mut last = 0;
    drafts
        .iter()
        .map(|draft| {
            let started_ms = draft.started_ms.map_or(last, |at| at.saturating_sub(base));
            let length = draft.length_ms.unwrap_or(0);
            let ended =
                draft.ended_ms.map_or(started_ms.saturating_add(length), |at| at.saturating_sub(base));
            let ended_ms = ended.max(started_ms);
            last = ended_ms;
            PhaseRecord { phase: draft.phase, started_ms, ended_ms, stop: draft.stop.clone() }
        })
        .collect()
}

/// One command for the agent and one for the verifier: no foreign source lists more, and none counts kills.
fn commands(phases: &[PhaseRecord], no_counters: &str) -> Vec<ExecRecord> {
    let worked = |record: &&PhaseRecord| matches!(record.phase, Phase::Agent | Phase::Verify);
    phases
        .iter()
        .filter(worked)
        .zip(0..)
        .map(|(record, id)| ExecRecord {
            id: ExecId(id),
            phase: record.phase,
            command: format!("the {} phase as a whole", record.phase),
            started_ms: record.started_ms,
            ended_ms: record.ended_ms,
            stop: record.stop.clone(),
            memory_peak_bytes: Observed::Unsupported(no_counters.to_owned()),
            cpu_us: Observed::Unsupported(no_counters.to_owned()),
            oom_kills: Observed::Unsupported(no_counters.to_owned()),
            pids_refused: Observed::Unsupported(no_counters.to_owned()),
        })
        .collect()
}

/// A value that a source may state.
pub(in crate::results) fn stated<T>(value: Option<T>) -> Stated<T> {
    value.map_or(Stated::NotStated, Stated::Value)
}

/// A reading that a source may hold.
pub(in crate::results) fn observed<T>(value: Option<T>, why_not: &str) -> Observed<T> {
    value.map_or_else(|| Observed::Unavailable(why_not.to_owned()), Observed::Observed)
}
