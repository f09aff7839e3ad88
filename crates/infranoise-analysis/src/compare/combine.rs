//! Several results under one roof: one plan whose arms they are.

use std::collections::BTreeMap;

use infranoise_core::{ArmId, ImportedArm, ImportedFrom, Plan, PlannedArm, TaskId, TrialRecord};

use super::Side;

/// Why results cannot be put under one roof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CombineError {
    /// Nothing was given.
    #[error("there is nothing to compare")]
    Nothing,
    /// A result has no such arm.
    #[error("`{label}` has no arm `{arm}`; it has {known}")]
    NoArm {
        /// The result.
        label: ArmId,
        /// The arm.
        arm: ArmId,
        /// The arms that it has.
        known: String,
    },
    /// Two results of one name.
    #[error("two results are called `{label}`; give each its own name")]
    TwiceNamed {
        /// The name.
        label: ArmId,
    },
}

/// The arm that a side names.
pub(super) fn arm_of<'s>(side: &Side<'s>) -> Result<&'s PlannedArm, CombineError> {
    side.plan.arm(&side.arm).ok_or_else(|| CombineError::NoArm {
        label: side.label.clone(),
        arm: side.arm.clone(),
        known: side.plan.arms.iter().map(|arm| arm.arm.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

/// Makes one plan with the sides as arms, and their records under the new names. Tasks are matched by name.
///
/// # Errors
/// If an arm is not there, or two sides have one label.
pub fn combine(sides: &[Side<'_>]) -> Result<(Plan, Vec<TrialRecord>), CombineError> {
    let first = sides.first().ok_or(CombineError::Nothing)?;
    let mut plan = first.plan.clone();
    plan.tasks.clear();
    plan.arms.clear();
    plan.reference = None;
    plan.warnings.clear();
    plan.staged = sides.iter().any(|side| side.plan.staged);
    let mut imported = ImportedFrom::default();
    let mut records = Vec::new();
    for (place, side) in sides.iter().enumerate() {
        if sides[..place].iter().any(|earlier| earlier.label == side.label) {
            return Err(CombineError::TwiceNamed { label: side.label.clone() });
        }
        let planned = arm_of(side)?;
        for task in &side.plan.tasks {
            if plan.task(&task.id).is_none() {
                plan.tasks.push(task.clone());
            }
        }
        let mut arm = planned.clone();
        arm.arm.name = side.label.clone();
        plan.arms.push(arm);
        plan.repeats = plan.repeats.max(side.plan.repeats);
        imported.arms.insert(side.label.clone(), holds(side));
        imported.sources.push(side.plan.sweep.to_string());
        records.extend(renamed(side));
    }
    plan.imported = Some(imported);
    Ok((plan, records))
}

/// What an arm of a side really holds.
fn holds(side: &Side<'_>) -> ImportedArm {
    let repeats: BTreeMap<TaskId, u32> = side
        .plan
        .tasks
        .iter()
        .map(|task| (task.id.clone(), side.plan.repeats_of(&side.arm, &task.id)))
        .filter(|(_, repeats)| *repeats > 0)
        .collect();
    let settings = side
        .plan
        .imported
        .as_ref()
        .and_then(|imported| imported.arms.get(&side.arm))
        .map(|arm| arm.settings.clone());
    ImportedArm {
        subject: side.plan.subject_of(&side.arm).clone(),
        repeats,
        settings: settings.unwrap_or_default(),
    }
}

fn renamed<'r>(side: &'r Side<'_>) -> impl Iterator<Item = TrialRecord> + 'r {
    side.records.iter().filter(|record| record.facts.key.arm == side.arm).map(|record| {
        let mut record = record.clone();
        record.facts.key.arm = side.label.clone();
        record
    })
}
