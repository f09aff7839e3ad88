//! What do the trials say?
//!
//! Plan and records in, one [`Analysis`] document out. Pure: no files, no clock, no randomness but from the plan's seed. Deliberately
//! absent: verdicts on single trials (they are in the records), drawing, words for terminals.

mod answer;
mod arms;
pub mod audit;
mod balance;
mod caveats;
mod circumstances;
pub mod compare;
mod comparisons;
mod curves;
mod decomposition;
pub mod design;
pub mod doc;
pub mod labels;
mod points;
mod scores;
pub mod side_by_side;
pub mod subjects;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

pub use doc::{ANALYSIS_VERSION, Analysis};

use infranoise_core::{Plan, TrialRecord};
use infranoise_stats::bootstrap::Resampling;

use crate::doc::{About, Answer};
use crate::table::Table;

/// How much work the analysis may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Task resamples for the turning point.
    pub draws: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Self { draws: 10_000 }
    }
}

/// Analyses the recorded attempts of a sweep. `made_by` names the program and version.
///
/// Works at every stage, from no record to all of them: what cannot be said is absent with its reason, never a silent zero.
#[must_use]
pub fn analyse(plan: &Plan, records: &[TrialRecord], made_by: &str, effort: Effort) -> Analysis {
    let table = Table::new(plan, records);
    let tallies = table.tallies();
    let arms: Vec<_> = plan
        .arms
        .iter()
        .enumerate()
        .map(|(place, arm)| arms::summary(&table, arm, &tallies.arm(place)))
        .collect();
    let components = curves::components(&table, &tallies);
    let noise = curves::repeat_noise(components.as_ref(), plan.repeats);
    let comparisons = comparisons::comparisons(&table, &tallies, &noise);
    let resampling = Resampling { draws: effort.draws, seed: plan.seed };
    let mut analysis = Analysis {
        version: ANALYSIS_VERSION,
        made_by: made_by.to_owned(),
        about: about(&table),
        answer: Answer { headline: String::new(), sentences: Vec::new() },
        trends: curves::trends(&tallies),
        turning_point: curves::turning_point(&table, &tallies, resampling),
        noise_floor: curves::noise_floor(&table, &arms, &comparisons, &noise),
        balance: balance::balance(&table),
        absent: std::collections::BTreeMap::new(),
        matrix: points::matrix(&table, &tallies),
        causes: points::causes(&table),
        peaks: points::peaks(&table),
        timeline: points::timeline(&table),
        strategies: points::strategies(&table),
        settings: circumstances::settings(&table),
        apart: comparisons::apart(&table, &tallies, &noise),
        monitor: circumstances::monitor(&table),
        demand: circumstances::demand(&table),
        needs: circumstances::needs(&table),
        hours: circumstances::hours(&table),
        concurrency: circumstances::concurrency(&table),
        clocks: circumstances::clocks(&table),
        durations: circumstances::durations(&table),
        throttling: circumstances::throttling(&table),
        received: circumstances::received(&table),
        sent: circumstances::sent(&table),
        verifiers: circumstances::verifiers(&table),
        verified: circumstances::verified(&table),
        costs: circumstances::costs(&table),
        trials: points::trials(&table),
        footnotes: Vec::new(),
        warnings: Vec::new(),
        arms,
        comparisons,
        components,
    };
    analysis.absent = caveats::absent(&analysis, noise.var_seed);
    analysis.warnings = caveats::warnings(&analysis, &table);
    analysis.footnotes = caveats::footnotes(&analysis, &table);
    analysis.answer = answer::answer(&analysis, plan);
    analysis
}

fn about(table: &Table<'_>) -> About {
    let plan = table.plan;
    let known = || {
        table
            .chosen()
            .map(|chosen| &chosen.record.facts)
            .filter(|facts| facts.started_at().or(None).is_some())
    };
    let started = known().map(|facts| facts.started_at_ms);
    let ended = known().map(|facts| facts.started_at_ms.saturating_add(facts.wall_ms));
    About {
        sweep: plan.sweep.clone(),
        staged: plan.staged,
        subject: plan.subject.clone(),
        engine: plan.engine.clone(),
        root: plan.root.clone(),
        host: plan.host.clone(),
        imported: plan.imported.is_some(),
        tasks: plan.tasks.len() as u64,
        repeats: plan.repeats,
        seed: plan.seed,
        margin: plan.margin_pp / 100.0,
        planned: plan.planned(),
        recorded: table.chosen().count() as u64,
        started_at_ms: started.min(),
        ended_at_ms: ended.max(),
    }
}
