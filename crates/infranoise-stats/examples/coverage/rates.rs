//! Intervals of one rate.

use crate::simulation::mean;
use crate::table;
use infranoise_stats::Cell;
use infranoise_stats::bootstrap::{Resampling, cluster_bootstrap_pct};
use infranoise_stats::rate::{
    SeedSe, Side, clopper_pearson, jeffreys, seed_se, task_mean_ci, trial_mean_cluster, wilson, wilson_neff,
};
use infranoise_stats::special::normal;
use infranoise_stats::variance::oneway_intervals;

const RHO: f64 = 0.6;

fn totals(cells: &[Cell]) -> (u64, u64) {
    let sum = |of: fn(Cell) -> u32| cells.iter().map(|&cell| u64::from(of(cell))).sum();
    (sum(Cell::hits), sum(Cell::trials))
}

pub fn print(experiments: u32) {
    for (seed, mu) in [(1, 0.6), (2, 0.9), (3, 0.03)] {
        unseen_tasks(experiments, seed, mu);
    }
    for (seed, mu) in [(4, 0.6), (5, 0.03)] {
        these_tasks(experiments, seed, mu);
    }
    components(experiments / 4);
}

fn unseen_tasks(experiments: u32, seed: u64, mu: f64) {
    let title = format!(
        "**Score of one arm, unseen tasks** (mean rate {mu}): coverage of 95 % intervals, in percent"
    );
    let columns = [
        "wilson_neff",
        "task_mean_ci",
        "trial_mean_cluster",
        "cluster bootstrap",
        "wilson, pooled (not to be used)",
    ];
    let q = normal::quantile(0.975);
    let mut done = 0_u32;
    table::print(&title, columns, experiments, seed, |dice, tasks, repeats, tallies| {
        let rates = dice.rates(tasks, mu, RHO);
        let cells = dice.cells(&rates, repeats);
        // No interval, no coverage: the plain methods have no standard error when all tasks are alike.
        tallies[0].count(wilson_neff(&cells, 0.95).is_ok_and(|score| score.estimate.contains(mu)));
        tallies[1].count(task_mean_ci(&cells, 0.95).is_ok_and(|score| score.estimate.contains(mu)));
        tallies[2].count(trial_mean_cluster(&cells).is_ok_and(|mean| (mean.value - mu).abs() <= q * mean.se));
        done += 1;
        if done.is_multiple_of(4) {
            let resampling = Resampling { draws: 1_000, seed: done.into() };
            let interval = cluster_bootstrap_pct(&cells, 0.95, resampling);
            tallies[3].count(interval.is_ok_and(|interval| interval.estimate.contains(mu)));
        }
        let (hits, trials) = totals(&cells);
        tallies[4].count(wilson(hits, trials, 0.95).is_ok_and(|estimate| estimate.contains(mu)));
    });
}

fn these_tasks(experiments: u32, seed: u64, mu: f64) {
    let title =
        format!("**Rate of one arm, these tasks** (mean rate {mu}): coverage of 95 % intervals, in percent");
    let columns = ["clopper_pearson", "wilson", "jeffreys", "mean ± 1.96 seed_se"];
    let q = normal::quantile(0.975);
    table::print(&title, columns, experiments, seed, |dice, tasks, repeats, tallies| {
        let rates = dice.rates(tasks, mu, RHO);
        let cells = dice.cells(&rates, repeats);
        let (hits, trials) = totals(&cells);
        let truth = mean(&rates);
        tallies[0].count(clopper_pearson(hits, trials, 0.95, Side::Two).is_ok_and(|e| e.contains(truth)));
        tallies[1].count(wilson(hits, trials, 0.95).is_ok_and(|e| e.contains(truth)));
        tallies[2].count(jeffreys(hits, trials, 0.95).is_ok_and(|e| e.contains(truth)));
        let value = hits as f64 / trials as f64;
        if let Ok(SeedSe::Estimated(se)) = seed_se(&cells) {
            tallies[3].count((value - truth).abs() <= q * se);
        }
    });
}

fn components(experiments: u32) {
    let columns = ["var_task", "var_seed", "rho"];
    let title = "**Variance components of one arm** (mean rate 0.6): coverage of 95 % task-bootstrap intervals, in percent";
    let (mu, total) = (0.6, 0.6 * 0.4);
    table::print(title, columns, experiments, 6, |dice, tasks, repeats, tallies| {
        let rates = dice.rates(tasks, mu, RHO);
        let cells = dice.cells(&rates, repeats);
        let seed = (dice.uniform() * 1e9) as u64;
        let Ok(parts) = oneway_intervals(&cells, 0.95, Resampling { draws: 1_000, seed }) else { return };
        tallies[0].count(parts.var_task.contains(total * RHO));
        tallies[1].count(parts.var_seed.contains(total * (1.0 - RHO)));
        tallies[2].count(parts.rho.contains(RHO));
    });
}
