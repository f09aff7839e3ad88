//! The plan that imported trials would have come from.

use std::collections::{BTreeMap, BTreeSet};

use infranoise_core::{
    Arm, ArmId, AssumeSpec, Ceiling, Factor, HostFingerprint, ImportedArm, ImportedFrom, KillScope,
    PLAN_VERSION, Plan, PlannedArm, ResourcePolicy, Subject, SweepId, Timing,
};

use super::collect::{ArmState, Collector};
use super::defects::TaskDefects;
use super::loss::Losses;

impl Collector<'_> {
    /// The plan that the trials would have come from, and what was lost.
    pub(in crate::results) fn finish(mut self, about: About) -> Finished {
        let defects = std::mem::take(&mut self.defects).found();
        for (task, defect) in defects.iter() {
            self.warnings.insert(format!(
                "task {task} is broken for everybody: the same error in {} of {} trials, in {} arms ({})",
                defect.times, defect.trials, defect.arms, defect.text
            ));
        }
        self.arms.retain(|arm| !arm.read.is_empty() || !arm.planned.is_empty());
        let arms: BTreeMap<ArmId, ImportedArm> =
            self.arms.iter().map(|state| (state.id.clone(), imported(state))).collect();
        let repeats = arms.values().flat_map(|arm| arm.repeats.values()).max().copied().unwrap_or(0);
        let plan = Plan {
            version: PLAN_VERSION,
            sweep: about.name,
            made_by: concat!("infranoise ", env!("CARGO_PKG_VERSION")).to_owned(),
            planned_at_ms: about.now_ms,
            staged: false,
            tasks: self.tasks,
            subject: common_subject(&self.arms),
            arms: self.arms.into_iter().map(planned_arm).collect(),
            reference: None,
            agent_command: None,
            repeats,
            seed: 0,
            margin_pp: 3.0,
            assume: AssumeSpec::default(),
            engine: format!("imported from {}", about.formats.join(", ")),
            root: "not recorded".to_owned(),
            network: "not recorded".to_owned(),
            retries_not_started: 0,
            retries_fault: 0,
            timing: Timing::AtOnce,
            quiesce: false,
            host: HostFingerprint::not_recorded(),
            warnings: self.warnings.into_iter().collect(),
            imported: Some(ImportedFrom {
                formats: about.formats,
                sources: about.sources,
                losses: self.losses.total,
                arms,
            }),
        };
        Finished { plan, losses: self.losses, defects }
    }
}

/// What an import comes to.
pub(in crate::results) struct Finished {
    pub(in crate::results) plan: Plan,
    pub(in crate::results) losses: Losses,
    /// Tasks that nobody can pass.
    pub(in crate::results) defects: TaskDefects,
}

/// What the plan of an import must be told.
pub(in crate::results) struct About {
    pub(in crate::results) name: SweepId,
    pub(in crate::results) now_ms: u64,
    pub(in crate::results) formats: Vec<String>,
    pub(in crate::results) sources: Vec<String>,
}

fn imported(state: &ArmState) -> ImportedArm {
    let mut repeats = state.planned.clone();
    for (task, read) in &state.read {
        let planned = repeats.entry(task.clone()).or_insert(0);
        *planned = (*planned).max(*read);
    }
    let settings = state.settings.iter().map(|(key, values)| (key.clone(), values.iter().cloned().collect()));
    ImportedArm { subject: state.subject.clone(), repeats, settings: settings.collect() }
}

fn planned_arm(state: ArmState) -> PlannedArm {
    PlannedArm {
        arm: Arm {
            name: state.id,
            policy: ResourcePolicy::Recorded,
            kill_scope: KillScope::Process,
            time_limit: Ceiling::At(Factor::ONE),
            visible: Default::default(),
            page_cache: Default::default(),
            agent_placement: Default::default(),
        },
        allocations: state.allocations,
        without_band: Vec::new(),
    }
}

fn common_subject(arms: &[ArmState]) -> Subject {
    let subjects: BTreeSet<&Subject> = arms.iter().map(|arm| &arm.subject).collect();
    match subjects.first() {
        Some(only) if subjects.len() == 1 => (*only).clone(),
        _ => Subject { agent: format!("{} subjects, one per arm", subjects.len()), model: None },
    }
}
