//! The core methods on a sweep of 227 tasks, 10 repeats and 6 arms, with 10,000 bootstrap draws.
//!
//! `cargo bench -p infranoise-stats`. A comparison with NumPy, SciPy and statsmodels: `benches/compare_numpy.py`.

#[path = "../simulation/mod.rs"]
#[expect(dead_code, reason = "tests and examples use the rest")]
mod simulation;
#[path = "../simulation/whole.rs"]
mod whole;

use criterion::{Criterion, criterion_group, criterion_main};
use infranoise_stats::bootstrap::{Resampling, cluster_bootstrap_pct};
use infranoise_stats::decomposition::{crossover, decompose};
use infranoise_stats::difference::{cmh_exact, leave_one_task_out, mh_rd, paired_task_t, signflip_exact};
use infranoise_stats::rate::{betabinom_mle, wilson_neff};
use infranoise_stats::sequential::gs_bounds;
use infranoise_stats::totals::{Total, boschloo};
use infranoise_stats::trend::{mantel_trend, rank_scores, trend_slope};
use infranoise_stats::variance::{pair_moment_varcomp, twoway_varcomp};
use infranoise_stats::{Cell, Grid, Outcomes, Pair};
use simulation::Dice;
use std::hint::black_box;

const TASKS: usize = 227;
const REPEATS: u32 = 10;
const INFRA: [f64; 6] = [0.058, 0.045, 0.033, 0.021, 0.012, 0.005];
const TEN_THOUSAND: Resampling = Resampling { draws: 10_000, seed: 1 };

/// The published curve, simulated.
fn sweep(tasks: usize, repeats: u32) -> Grid<Outcomes> {
    let mut dice = Dice::new(1);
    let mut cells = Vec::with_capacity(tasks * INFRA.len());
    for rate in dice.rates(tasks, 0.6, 0.6) {
        let weight = dice.beta(0.058, 0.3) / 0.058;
        for infra in INFRA {
            cells.push(dice.outcomes((infra * weight).min(1.0), rate, repeats));
        }
    }
    Grid::try_new(INFRA.len(), cells).expect("whole rows")
}

fn methods(c: &mut Criterion) {
    let grid = sweep(TASKS, REPEATS);
    let passes: Grid<Cell> = grid.map(Outcomes::pass_cell);
    let infra: Grid<Cell> = grid.map(Outcomes::infra_cell);
    let arm = passes.arm(0);
    let pairs = Pair::zip(&passes.arm(0), &passes.arm(5)).expect("equal lengths");
    let errors = Pair::zip(&infra.arm(0), &infra.arm(5)).expect("equal lengths");
    let scores = rank_scores(6);
    let totals = (Total { hits: 52, trials: 890 }, Total { hits: 19, trials: 890 });
    let looks = [0.2, 0.4, 0.6, 0.8, 1.0];
    c.bench_function("wilson_neff", |b| b.iter(|| wilson_neff(black_box(&arm), 0.95)));
    c.bench_function("betabinom_mle", |b| b.iter(|| betabinom_mle(black_box(&arm))));
    c.bench_function("cluster_bootstrap_pct", |b| {
        b.iter(|| cluster_bootstrap_pct(black_box(&arm), 0.95, TEN_THOUSAND))
    });
    c.bench_function("paired_task_t", |b| b.iter(|| paired_task_t(black_box(&pairs), 0.95)));
    c.bench_function("mh_rd", |b| b.iter(|| mh_rd(black_box(&pairs), 0.95)));
    c.bench_function("cmh_exact, success", |b| b.iter(|| cmh_exact(black_box(&pairs), 0.95)));
    c.bench_function("cmh_exact, infra", |b| b.iter(|| cmh_exact(black_box(&errors), 0.95)));
    c.bench_function("leave_one_task_out, infra", |b| b.iter(|| leave_one_task_out(black_box(&errors))));
    c.bench_function("signflip_exact", |b| b.iter(|| signflip_exact(black_box(&pairs))));
    c.bench_function("trend_slope", |b| b.iter(|| trend_slope(black_box(&passes), &scores, 0.95)));
    c.bench_function("mantel_trend", |b| b.iter(|| mantel_trend(black_box(&passes), &scores)));
    c.bench_function("decompose", |b| b.iter(|| decompose(black_box(&grid.arm(0)), &grid.arm(5), 0.95)));
    c.bench_function("crossover", |b| b.iter(|| crossover(black_box(&grid), 0.95, TEN_THOUSAND)));
    c.bench_function("twoway_varcomp", |b| b.iter(|| twoway_varcomp(black_box(&passes))));
    c.bench_function("pair_moment_varcomp", |b| b.iter(|| pair_moment_varcomp(black_box(&passes))));
    c.bench_function("boschloo", |b| b.iter(|| boschloo(black_box(totals.0), totals.1)));
    c.bench_function("gs_bounds", |b| b.iter(|| gs_bounds(black_box(&looks), 0.05)));
    c.bench_function("whole analysis", |b| b.iter(|| whole::analysis(black_box(&grid), TEN_THOUSAND)));
    // One million trials: 1,000 tasks, 6 arms.
    let million = sweep(1_000, 167);
    c.bench_function("whole analysis, a million trials", |b| {
        b.iter(|| whole::analysis(black_box(&million), TEN_THOUSAND))
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = methods
}
criterion_main!(benches);
