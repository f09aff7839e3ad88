//! Intervals and tests of a difference.

use crate::simulation::{Dice, mean, shifted};
use crate::table;
use infranoise_stats::difference::{
    cmh, cmh_exact, fixed_task_difference, mh_rd, paired_task_t, signflip_exact,
};
use infranoise_stats::equivalence::{tost_fixed_tasks, tost_pairs};
use infranoise_stats::special::normal;
use infranoise_stats::totals::{Total, boschloo, mn_score_ci};
use infranoise_stats::{Pair, Result};

const RHO: f64 = 0.6;
const MU: f64 = 0.6;

pub fn print(experiments: u32) {
    sharp_null(experiments, 10, MU, "success, mean rate 0.6");
    sharp_null(experiments, 11, 0.03, "infra errors, mean rate 0.03");
    average_null(experiments);
    coverage(experiments);
    equivalence(experiments);
    totals(experiments);
}

fn rejects(p: Result<f64>) -> bool {
    p.is_ok_and(|p| p < 0.05)
}

fn pooled(pairs: &[Pair]) -> (Total, Total) {
    let total = |of: fn(&Pair) -> infranoise_stats::Cell| Total {
        hits: pairs.iter().map(|pair| of(pair).hits()).sum(),
        trials: pairs.iter().map(|pair| of(pair).trials()).sum(),
    };
    (total(|pair| pair.a), total(|pair| pair.b))
}

fn pooled_z_p(pairs: &[Pair]) -> f64 {
    let (a, b) = pooled(pairs);
    let (x, n) = (f64::from(a.hits + b.hits), f64::from(a.trials + b.trials));
    let rate = x / n;
    let se = (rate * (1.0 - rate) * (1.0 / f64::from(a.trials) + 1.0 / f64::from(b.trials))).sqrt();
    let difference = f64::from(b.hits) / f64::from(b.trials) - f64::from(a.hits) / f64::from(a.trials);
    if se > 0.0 { normal::two_sided(difference / se) } else { 1.0 }
}

fn sharp_null(experiments: u32, seed: u64, mu: f64, what: &str) {
    let title = format!("**No difference in any task** ({what}): rejections at 5 %, in percent");
    let columns =
        ["paired_task_t", "cmh_exact", "cmh", "mh_rd", "signflip_exact", "pooled z (not to be used)"];
    table::print(&title, columns, experiments, seed, |dice, tasks, repeats, tallies| {
        let rates = dice.rates(tasks, mu, RHO);
        let pairs = dice.pairs(&rates, &rates, repeats);
        // A test without an answer does not reject.
        tallies[0].count(rejects(paired_task_t(&pairs, 0.95).map(|test| test.p)));
        tallies[1].count(rejects(cmh_exact(&pairs, 0.95).map(|test| test.p)));
        tallies[2].count(rejects(cmh(&pairs, 0.95).map(|test| test.p)));
        tallies[3].count(rejects(mh_rd(&pairs, 0.95).map(|test| test.p)));
        tallies[4].count(rejects(signflip_exact(&pairs).map(|test| test.p)));
        tallies[5].count(pooled_z_p(&pairs) < 0.05);
    });
}

/// Task rates under both arms: arm B moves each task by a normal amount on the logit scale, on average by nothing in
/// points (arms are exchanged by a coin toss for each experiment and task).
fn exchangeable(dice: &mut Dice, tasks: usize) -> (Vec<f64>, Vec<f64>) {
    let base = dice.rates(tasks, MU, RHO);
    base.into_iter()
        .map(|rate| {
            let moved = shifted(rate, dice.normal());
            if dice.chance(0.5) { (rate, moved) } else { (moved, rate) }
        })
        .unzip()
}

fn average_null(experiments: u32) {
    let title = "**No difference on average over unseen tasks** (task effects with sd 1 logit): rejections at 5 %, in percent";
    let columns = ["paired_task_t", "signflip_exact", "cmh_exact (not for unseen tasks)"];
    table::print(title, columns, experiments, 12, |dice, tasks, repeats, tallies| {
        let (a, b) = exchangeable(dice, tasks);
        let pairs = dice.pairs(&a, &b, repeats);
        tallies[0].count(rejects(paired_task_t(&pairs, 0.95).map(|test| test.p)));
        tallies[1].count(rejects(signflip_exact(&pairs).map(|test| test.p)));
        tallies[2].count(rejects(cmh_exact(&pairs, 0.95).map(|test| test.p)));
    });
}

fn coverage(experiments: u32) {
    let title = "**Difference of about +6 points** (odds ratio 2 in each task): coverage of 95 % intervals, in percent";
    let columns = [
        "mh_rd, these tasks",
        "fixed_task_difference, these tasks",
        "cmh_exact odds ratio",
        "cmh odds ratio",
        "paired_task_t, these tasks",
        "paired_task_t, unseen tasks",
    ];
    let log_odds = std::f64::consts::LN_2;
    let average = population_effect(log_odds);
    table::print(title, columns, experiments, 13, |dice, tasks, repeats, tallies| {
        let a = dice.rates(tasks, MU, RHO);
        let b: Vec<f64> = a.iter().map(|&rate| shifted(rate, log_odds)).collect();
        let pairs = dice.pairs(&a, &b, repeats);
        let truth = mean(&b) - mean(&a);
        // An interval that does not exist covers nothing; an odds ratio without information covers everything.
        tallies[0].count(mh_rd(&pairs, 0.95).is_ok_and(|test| test.effect.contains(truth)));
        if repeats > 1 {
            tallies[1].count(fixed_task_difference(&pairs, 0.95).is_ok_and(|e| e.contains(truth)));
        }
        let exact = cmh_exact(&pairs, 0.95);
        tallies[2].count(exact.is_ok_and(|test| test.odds_ratio.is_none_or(|ratio| ratio.contains(2.0))));
        let large = cmh(&pairs, 0.95).ok().and_then(|test| test.odds_ratio_interval);
        tallies[3].count(large.is_some_and(|ratio| ratio.contains(2.0)));
        let paired = paired_task_t(&pairs, 0.95);
        tallies[4].count(paired.as_ref().is_ok_and(|test| test.effect.contains(truth)));
        tallies[5].count(paired.is_ok_and(|test| test.effect.contains(average)));
    });
}

/// The mean effect over the population of tasks, from many of them.
fn population_effect(log_odds: f64) -> f64 {
    let mut dice = Dice::new(999);
    let rates = dice.rates(400_000, MU, RHO);
    rates.iter().map(|&rate| shifted(rate, log_odds) - rate).sum::<f64>() / rates.len() as f64
}

fn equivalence(experiments: u32) {
    let title = "**True difference at the margin of 6 points, in every task**: equivalence claimed at 5 %, in percent";
    let columns = ["tost_pairs", "tost_fixed_tasks"];
    table::print(title, columns, experiments, 14, |dice, tasks, repeats, tallies| {
        let a: Vec<f64> = dice.rates(tasks, MU, RHO).into_iter().map(|rate| 0.94 * rate).collect();
        let b: Vec<f64> = a.iter().map(|rate| rate + 0.06).collect();
        let pairs = dice.pairs(&a, &b, repeats);
        tallies[0].count(tost_pairs(&pairs, 0.06, 0.05).is_ok_and(|test| test.equivalent(0.05)));
        tallies[1].count(tost_fixed_tasks(&pairs, 0.06, 0.05).is_ok_and(|test| test.equivalent(0.05)));
    });
}

fn totals(experiments: u32) {
    let title = "**Totals of independent trials** (rates 5.8 % and 2.1 %, n = T k): coverage of the 95 % interval; rejections at 5 % without difference (both 4 %), in percent";
    let columns = ["mn_score_ci", "boschloo"];
    table::print(title, columns, experiments / 4, 15, |dice, tasks, repeats, tallies| {
        let trials = tasks as u32 * repeats;
        let mut total = |rate: f64| Total { hits: dice.cell(rate, trials).hits(), trials };
        let interval = mn_score_ci(total(0.058), total(0.021), 0.95);
        tallies[0].count(interval.is_ok_and(|interval| interval.contains(0.037)));
        tallies[1].count(rejects(boschloo(total(0.04), total(0.04))));
    });
}
