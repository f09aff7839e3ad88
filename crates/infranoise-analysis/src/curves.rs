//! What all arms say together: trends, the turning point, variance components, the noise floor.

use infranoise_core::{ScoringRule, Shown};
use infranoise_stats::bootstrap::Resampling;
use infranoise_stats::decomposition::crossover;
use infranoise_stats::noise_floor::noise_floor_from_se;
use infranoise_stats::power::{Noise, mde};
use infranoise_stats::trend::{mantel_trend, rank_scores, trend_slope};
use infranoise_stats::variance::{block_varcomp, oneway_varcomp, pair_moment_varcomp, twoway_varcomp};
use infranoise_stats::{Cell, Grid};

use crate::arms::LEVEL;
use crate::doc::{ArmSummary, Comparison, Components, NoiseFloor, TrendRow, TurningPoint};
use crate::scores::cell_under;
use crate::table::{Table, Tally, cell};
use crate::verdict::{ERRORS, RepeatNoise};

/// Trends of the strict score and of infra errors over the arms in the plan's order.
pub(crate) fn trends(tallies: &Grid<Tally>) -> Vec<TrendRow> {
    if tallies.arms() < 3 {
        return Vec::new();
    }
    let started = |count: fn(&Tally) -> u64| move |tally: Tally| cell(count(&tally), tally.started());
    vec![
        trend("strict score", &tallies.map(|tally| cell_under(ScoringRule::Strict, &tally))),
        trend("ceiling kills", &tallies.map(started(|tally| tally.count(Shown::Ceiling)))),
        trend("infra errors", &tallies.map(started(Tally::infra_errors))),
    ]
}

fn trend(what: &str, grid: &Grid<Cell>) -> TrendRow {
    let scores = rank_scores(grid.arms());
    let slope = trend_slope(grid, &scores, LEVEL);
    TrendRow {
        what: what.to_owned(),
        why_not: slope.as_ref().err().map(ToString::to_string),
        slope: slope.ok(),
        these_tasks: mantel_trend(grid, &scores).ok().map(|trend| (trend.z, trend.p)),
    }
}

/// The arm with the highest agent-failure rate, and how sure that is.
pub(crate) fn turning_point(
    table: &Table<'_>,
    tallies: &Grid<Tally>,
    resampling: Resampling,
) -> Option<TurningPoint> {
    if tallies.arms() < 3 {
        return None;
    }
    let found = crossover(&tallies.map(|tally| tally.outcomes()), LEVEL, resampling).ok()?;
    let name = |arm: usize| table.plan.arms[arm].arm.name.clone();
    let named = |values: &[f64]| values.iter().enumerate().map(|(arm, value)| (name(arm), *value)).collect();
    Some(TurningPoint {
        at: name(found.curves.turning_point),
        shares: named(&found.shares),
        set_90: found.likely.iter().map(|arm| name(*arm)).collect(),
        agent_failure_rates: named(&found.curves.failure),
        draws: resampling.draws,
    })
}

/// Variance components of the strict score.
pub(crate) fn components(table: &Table<'_>, tallies: &Grid<Tally>) -> Option<Components> {
    let grid = tallies.map(|tally| cell_under(ScoringRule::Strict, &tally));
    let within: Vec<_> = (0..grid.arms()).filter_map(|arm| oneway_varcomp(&grid.arm(arm)).ok()).collect();
    let count = within.len() as f64;
    if within.is_empty() {
        return None;
    }
    let mean = |of: fn(&infranoise_stats::variance::OnewayComponents) -> f64| {
        within.iter().map(of).sum::<f64>() / count
    };
    let (seed, task) = (mean(|c| c.var_seed), mean(|c| c.var_task));
    let total = seed + task.max(0.0);
    let rho = if total > 0.0 { task.max(0.0) / total } else { 0.0 };
    let round = rounds(table);
    let one_arm = Components { seed, task, task_by_arm: None, arm: None, round, rho };
    if grid.arms() < 2 {
        return Some(one_arm);
    }
    let balanced = twoway_varcomp(&grid).map(|c| (c.var_seed, c.var_task, c.var_interaction, c.var_arm));
    let any = balanced.or_else(|_| {
        pair_moment_varcomp(&grid).map(|c| (c.var_seed, c.var_task, c.var_interaction, c.var_arm))
    });
    Some(match any {
        Ok((seed, task, by_arm, arm)) => {
            Components { seed, task, task_by_arm: Some(by_arm), arm: Some(arm), round, rho }
        }
        Err(_) => one_arm,
    })
}

/// The component between rounds with its F ratio, where every cell has a record in every round.
fn rounds(table: &Table<'_>) -> Option<(f64, f64)> {
    let plan = table.plan;
    let outcomes: Option<Vec<Vec<bool>>> = (0..plan.repeats)
        .map(|repeat| {
            (0..plan.tasks.len())
                .flat_map(|task| plan.arms.iter().map(move |arm| (task, arm)))
                .map(|(task, arm)| {
                    table.get(&arm.arm.name, task, repeat).map(|chosen| chosen.shown() == Shown::Pass)
                })
                .collect()
        })
        .collect();
    block_varcomp(&outcomes?).ok().map(|block| (block.var_block, block.f))
}

/// The noise of repeats, from the components.
pub(crate) fn repeat_noise(components: Option<&Components>, repeats: u32) -> RepeatNoise {
    RepeatNoise {
        repeats: u64::from(repeats),
        var_seed: components.map(|components| components.seed.max(0.0)),
    }
}

/// The smallest difference that this design can tell from none.
pub(crate) fn noise_floor(
    table: &Table<'_>,
    arms: &[ArmSummary],
    comparisons: &[Comparison],
    noise: &RepeatNoise,
) -> Option<NoiseFloor> {
    let tasks = table.plan.tasks.len() as u64;
    let repeats = u64::from(table.plan.repeats);
    let var_seed = noise.var_seed?;
    let se = (2.0 * var_seed / (tasks as f64 * repeats as f64)).sqrt();
    let infra_shift = comparisons
        .iter()
        .filter_map(|comparison| comparison.scores.first()?.these_tasks.test.as_ref())
        .map(|test| test.effect.low.abs().max(test.effect.high.abs()))
        .fold(0.0, f64::max);
    let floor = |shift: f64| noise_floor_from_se(0.0, se, shift, LEVEL).ok().map(|floor| floor.floor);
    Some(NoiseFloor {
        matched: floor(0.0)?,
        unmatched: floor(infra_shift)?,
        infra_shift,
        detectable: mde(tasks, repeats, Noise { var_seed, var_delta: 0.0 }, ERRORS).ok()?.effect,
        repeats_for_margin: noise.repeats_for(table.plan.margin_pp / 100.0, tasks),
        score_interval: arms
            .iter()
            .filter_map(|arm| arm.score(ScoringRule::Strict)?.estimate)
            .max_by(|a, b| a.half_width().total_cmp(&b.half_width())),
    })
}
