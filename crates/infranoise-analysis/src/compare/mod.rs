//! Two results against each other: are they comparable, is the difference real, noise, or can't it be told?
//!
//! Results that were not run as arms of one sweep were not randomised against each other. So infra errors are grouped into incidents, the
//! verdict is given with and without the largest, and *real* is never said when one incident carries it.

mod card;
mod combine;
mod incident;
mod judge;

use infranoise_core::{ArmId, Plan, TrialRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use card::{Card, CardRow, Same, Weight};
pub use combine::{CombineError, combine};
pub use incident::Incident;
pub use judge::{Judgement, Word};

use crate::design::InfraAssumption;
use crate::doc::Analysis;
use crate::{Effort, analyse};

/// One result: an arm of a sweep, own or imported.
#[derive(Clone, Debug)]
pub struct Side<'s> {
    /// What it is called in tables.
    pub label: ArmId,
    /// Its plan.
    pub plan: &'s Plan,
    /// Its records.
    pub records: &'s [TrialRecord],
    /// Which arm of it.
    pub arm: ArmId,
}

/// A task whose success differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flip {
    /// The task.
    pub task: infranoise_core::TaskId,
    /// Passes and trials in the base.
    pub base: (u32, u32),
    /// Passes and trials in the other.
    pub other: (u32, u32),
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparing {
    /// What the two have in common, row by row.
    pub card: Card,
    /// What is assumed of infrastructure, given the card.
    pub infra: InfraAssumption,
    /// The verdict.
    pub judgement: Judgement,
    /// Infra errors grouped by cause and time, largest first.
    pub incidents: Vec<Incident>,
    /// Tasks whose success differs, largest difference first.
    pub flips: Vec<Flip>,
    /// Everything else, as for a sweep with the two as arms.
    pub analysis: Analysis,
}

/// Compares a result with a base. `margin_pp` is the equivalence margin; `infra` overrules what the card suggests.
///
/// # Errors
/// If an arm is not there, or there is nothing to compare.
pub fn compare(
    base: &Side<'_>,
    other: &Side<'_>,
    margin_pp: f64,
    infra: Option<InfraAssumption>,
    made_by: &str,
    effort: Effort,
) -> Result<Comparing, CombineError> {
    let (mut plan, records) = combine(&[base.clone(), other.clone()])?;
    plan.margin_pp = margin_pp;
    let card = card::card(base, other)?;
    let randomised = same_sweep(base, other);
    let suggested = if randomised { InfraAssumption::Randomised } else { card.suggests() };
    let infra = infra.unwrap_or(suggested);
    let analysis = analyse(&plan, &records, made_by, effort);
    // In one sweep an incident hits all arms alike, and ceiling kills are what the arms are there for.
    let incidents = if randomised { Vec::new() } else { incident::incidents(&records) };
    let without = incident::without_largest(&plan, &records, &incidents);
    let judgement = judge::judge(&analysis, without.as_ref(), infra, made_by);
    let flips = flips(&analysis);
    Ok(Comparing { card, infra, judgement, incidents, flips, analysis })
}

/// Whether both are arms of one sweep of our own, shuffled against each other.
fn same_sweep(base: &Side<'_>, other: &Side<'_>) -> bool {
    let own = base.plan.imported.is_none() && other.plan.imported.is_none();
    own && base.plan.sweep == other.plan.sweep && base.plan.seed == other.plan.seed
}

/// Tasks whose success differs.
fn flips(analysis: &Analysis) -> Vec<Flip> {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let mut flips: Vec<Flip> = analysis
        .matrix
        .iter()
        .filter_map(|row| {
            let [a, b] = row.cells.as_slice() else { return None };
            let passes = |cell: &crate::doc::TaskCell| {
                let passed = cell.counts.get(&infranoise_core::Shown::Pass).copied().unwrap_or(0);
                (small(passed), small(cell.planned))
            };
            let (base, other) = (passes(a), passes(b));
            let differ = base.1 > 0 && other.1 > 0 && base.0 * other.1 != other.0 * base.1;
            differ.then(|| Flip { task: row.task.clone(), base, other })
        })
        .collect();
    let size = |flip: &Flip| {
        let rate = |(passes, trials): (u32, u32)| f64::from(passes) / f64::from(trials.max(1));
        (rate(flip.other) - rate(flip.base)).abs()
    };
    flips.sort_by(|a, b| size(b).total_cmp(&size(a)).then_with(|| a.task.cmp(&b.task)));
    flips
}

#[cfg(test)]
mod tests;
