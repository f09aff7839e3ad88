//! SWE-bench, 227 problems with ten samples: +1.54 points from 1x to 5x, "monotone".

use crate::designs::short;
use crate::simulation::{Dice, Tally, mean};
use infranoise_stats::difference::{cmh, paired_task_t};
use infranoise_stats::special::normal;
use infranoise_stats::trend::{rank_scores, trend_slope};
use infranoise_stats::{Grid, Result};

const TASKS: usize = 227;
const REPEATS: u32 = 10;
const EFFECT: f64 = 0.0154;
const LEVELS: usize = 5;
const EXPERIMENTS: u32 = 1_000;

pub fn print() -> Result<()> {
    println!("\n### SWE-bench: +1.54 points\n");
    println!(
        "True effect +1.54 points, spread over all tasks or over a tenth of them; {EXPERIMENTS} experiments each.\n"
    );
    println!(
        "| score | rho | effect in | pooled SE | p at +1.54 | paired SE | p at +1.54 | power pooled / paired / CMH / trend, % | looks monotone, % |"
    );
    println!("|--:|--:|:--|--:|--:|--:|--:|:--|--:|");
    for (score, rho) in [(0.5, 0.54), (0.5, 0.75), (0.75, 0.54), (0.75, 0.75)] {
        for share in [1.0, 0.1] {
            row(score, rho, share)?;
        }
    }
    println!(
        "\n+1.54 is a plausible size and weak evidence; that five scores rise in order is weaker still."
    );
    Ok(())
}

fn row(score: f64, rho: f64, share: f64) -> Result<()> {
    let mut dice = Dice::new(70);
    let [mut pooled, mut paired, mut stratified, mut trend, mut monotone] = [Tally::default(); 5];
    let mut se = 0.0;
    let pooled_se = (2.0 * score * (1.0 - score) / (TASKS as f64 * f64::from(REPEATS))).sqrt();
    let scores = rank_scores(LEVELS);
    for _ in 0..EXPERIMENTS {
        let grid = sweep(&mut dice, score, rho, share)?;
        let arm = |level| grid.arm(level);
        let pairs = infranoise_stats::Pair::zip(&arm(0), &arm(LEVELS - 1))?;
        let test = paired_task_t(&pairs, 0.95)?;
        se += test.se / f64::from(EXPERIMENTS);
        pooled.count(normal::two_sided(test.effect.value / pooled_se) < 0.05);
        paired.count(test.p < 0.05);
        stratified.count(cmh(&pairs, 0.95)?.p < 0.05);
        trend.count(trend_slope(&grid, &scores, 0.95)?.p < 0.05);
        let means: Vec<f64> = (0..LEVELS)
            .map(|level| mean(&arm(level).iter().filter_map(|cell| cell.rate()).collect::<Vec<_>>()))
            .collect();
        monotone.count(means.windows(2).all(|pair| pair[0] <= pair[1]));
    }
    let p = |se: f64| short(normal::two_sided(EFFECT / se));
    let place = if share == 1.0 { "all tasks" } else { "a tenth" };
    println!(
        "| {score} | {rho} | {place} | {:.2} | {} | {:.2} | {} | {pooled} / {paired} / {stratified} / {trend} | {monotone} |",
        100.0 * pooled_se,
        p(pooled_se),
        100.0 * se,
        p(se)
    );
    Ok(())
}

/// Five levels that rise evenly by +1.54 points in all.
fn sweep(dice: &mut Dice, score: f64, rho: f64, share: f64) -> Result<Grid<infranoise_stats::Cell>> {
    let mut cells = Vec::with_capacity(TASKS * LEVELS);
    for task in 0..TASKS {
        let moved = (task as f64) < share * TASKS as f64;
        let rise = if moved { EFFECT / share } else { 0.0 };
        // Room for the rise at both ends.
        let base = dice.beta(score, rho) * (1.0 - rise);
        for level in 0..LEVELS {
            let rate = base + rise * level as f64 / (LEVELS - 1) as f64;
            cells.push(dice.cell(rate, REPEATS));
        }
    }
    Grid::try_new(LEVELS, cells)
}
