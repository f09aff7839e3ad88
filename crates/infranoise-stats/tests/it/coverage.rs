//! A short version of `examples/coverage`: one design, few experiments, bounds of four standard errors.
//!
//! The full tables, T = 10 to 227 and k = 1 to 10, are in docs/methods.md.

use crate::simulation::{Dice, Tally, mean, shifted};
use infranoise_stats::decomposition::decompose;
use infranoise_stats::difference::{cmh_exact, mh_rd, paired_task_t, signflip_exact};
use infranoise_stats::equivalence::tost_pairs;
use infranoise_stats::noise_floor::noise_floor_from_se;
use infranoise_stats::rate::{SeedSe, Side, clopper_pearson, seed_se, wilson_neff};
use infranoise_stats::sequential::{DiscordantEvidence, e_value_discordant, gs_bounds};
use infranoise_stats::special::normal;
use infranoise_stats::trend::{mantel_trend, rank_scores, trend_slope};
use infranoise_stats::variance::oneway_varcomp;
use infranoise_stats::{Cell, Grid, Outcomes, Pair};

const EXPERIMENTS: u32 = 400;
const TASKS: usize = 30;
const REPEATS: u32 = 5;
const MU: f64 = 0.6;
const RHO: f64 = 0.6;

/// The share must lie between the two, give or take four standard errors.
fn check(name: &str, tally: Tally, low: f64, high: f64) {
    let margin = |p: f64| 4.0 * (p * (1.0 - p) / f64::from(EXPERIMENTS)).sqrt();
    let share = tally.share();
    assert!(
        low - margin(low) <= share && share <= high + margin(high),
        "{name}: {share} is not in [{low}, {high}]"
    );
}

#[test]
fn rates_are_covered() {
    let mut dice = Dice::new(1);
    let [mut unseen, mut exact, mut seed] = [Tally::default(); 3];
    let mut rho = 0.0;
    for _ in 0..EXPERIMENTS {
        let rates = dice.rates(TASKS, MU, RHO);
        let cells = dice.cells(&rates, REPEATS);
        let truth = mean(&rates);
        unseen.count(wilson_neff(&cells, 0.95).unwrap().estimate.contains(MU));
        let hits: u64 = cells.iter().map(|cell| u64::from(cell.hits())).sum();
        let trials = TASKS as u64 * u64::from(REPEATS);
        exact.count(clopper_pearson(hits, trials, 0.95, Side::Two).unwrap().contains(truth));
        let SeedSe::Estimated(se) = seed_se(&cells).unwrap() else { panic!("five repeats") };
        seed.count((hits as f64 / trials as f64 - truth).abs() <= 1.96 * se);
        rho += oneway_varcomp(&cells).unwrap().rho / f64::from(EXPERIMENTS);
    }
    check("wilson_neff", unseen, 0.93, 0.97);
    check("clopper_pearson", exact, 0.95, 1.0);
    check("seed_se", seed, 0.92, 0.97);
    assert!((rho - RHO).abs() < 0.02, "{rho}");
}

#[test]
fn tests_err_as_rarely_as_they_say() {
    let mut dice = Dice::new(2);
    let [mut paired, mut exact, mut risk, mut flip, mut slope, mut mantel] = [Tally::default(); 6];
    let scores = rank_scores(4);
    for _ in 0..EXPERIMENTS {
        let rates = dice.rates(TASKS, MU, RHO);
        let pairs = dice.pairs(&rates, &rates, REPEATS);
        paired.count(paired_task_t(&pairs, 0.95).unwrap().p < 0.05);
        exact.count(cmh_exact(&pairs, 0.95).unwrap().p < 0.05);
        risk.count(mh_rd(&pairs, 0.95).unwrap().p < 0.05);
        flip.count(signflip_exact(&pairs).unwrap().p < 0.05);
        let cells = rates.iter().flat_map(|&rate| [rate; 4]).map(|rate| dice.cell(rate, REPEATS)).collect();
        let grid: Grid<Cell> = Grid::try_new(4, cells).unwrap();
        slope.count(trend_slope(&grid, &scores, 0.95).unwrap().p < 0.05);
        mantel.count(mantel_trend(&grid, &scores).unwrap().p < 0.05);
    }
    check("paired_task_t", paired, 0.03, 0.06);
    check("cmh_exact", exact, 0.02, 0.05);
    check("mh_rd", risk, 0.04, 0.07);
    check("signflip_exact", flip, 0.01, 0.05);
    check("trend_slope", slope, 0.03, 0.06);
    check("mantel_trend", mantel, 0.04, 0.06);
}

#[test]
fn differences_are_covered_and_seen() {
    let mut dice = Dice::new(3);
    let [mut these, mut ratio, mut seen, mut equivalent] = [Tally::default(); 4];
    for _ in 0..EXPERIMENTS {
        let a = dice.rates(TASKS, MU, RHO);
        let b: Vec<f64> = a.iter().map(|&rate| shifted(rate, 1.0)).collect();
        let pairs = dice.pairs(&a, &b, REPEATS);
        let truth = mean(&b) - mean(&a);
        these.count(mh_rd(&pairs, 0.95).unwrap().effect.contains(truth));
        let exact = cmh_exact(&pairs, 0.95).unwrap();
        ratio.count(exact.odds_ratio.unwrap().contains(1_f64.exp()));
        seen.count(exact.p < 0.05);
        // At the margin a claim of equivalence is an error.
        let margin = 0.1;
        let low: Vec<f64> = a.iter().map(|rate| (1.0 - margin) * rate).collect();
        let high: Vec<f64> = low.iter().map(|rate| rate + margin).collect();
        equivalent
            .count(tost_pairs(&dice.pairs(&low, &high, REPEATS), margin, 0.05).unwrap().equivalent(0.05));
    }
    check("mh_rd", these, 0.93, 0.97);
    check("cmh_exact odds ratio", ratio, 0.95, 0.99);
    check("power", seen, 0.4, 0.9);
    check("tost_pairs", equivalent, 0.02, 0.06);
}

#[test]
fn noise_removed_is_covered() {
    let mut dice = Dice::new(4);
    let [mut removed, mut solved] = [Tally::default(); 2];
    for _ in 0..EXPERIMENTS {
        let (a, b): (Vec<Outcomes>, Vec<Outcomes>) = dice
            .rates(TASKS, MU, RHO)
            .into_iter()
            .map(|rate| {
                let infra = dice.beta(0.2, 0.2);
                (dice.outcomes(infra, rate, REPEATS), dice.outcomes(infra / 4.0, rate, REPEATS))
            })
            .unzip();
        let parts = decompose(&a, &b, 0.95).unwrap();
        removed.count(parts.recovered.unwrap().effect.contains(MU * 0.2 * 0.75));
        solved.count(parts.newly_solved.unwrap().effect.contains(0.0));
    }
    check("noise removed", removed, 0.91, 0.97);
    check("newly solved", solved, 0.93, 0.97);
}

#[test]
fn floors_hold_under_the_assumed_shift() {
    let mut dice = Dice::new(5);
    let [mut allowed, mut ignored] = [Tally::default(); 2];
    let (se, shift) = (0.018, 0.02);
    for _ in 0..EXPERIMENTS {
        let gap = shift + se * dice.normal();
        allowed.count(noise_floor_from_se(gap, se, shift, 0.95).unwrap().believed);
        ignored.count(noise_floor_from_se(gap, se, 0.0, 0.95).unwrap().believed);
    }
    check("shift allowed for", allowed, 0.04, 0.06);
    check("shift ignored", ignored, 0.15, 0.25);
}

#[test]
fn looks_do_not_add_up() {
    let mut dice = Dice::new(6);
    let looks = [0.2, 0.4, 0.6, 0.8, 1.0];
    let critical = gs_bounds(&looks, 0.05).unwrap().critical;
    let [mut planned, mut evidence, mut naive] = [Tally::default(); 3];
    for _ in 0..EXPERIMENTS {
        let rates = dice.rates(TASKS, MU, RHO);
        let mut sums = vec![(0, 0); TASKS];
        let mut discordant = DiscordantEvidence::new(0, 0);
        let [mut crossed, mut believed, mut peeked] = [false; 3];
        for (look, critical) in critical.iter().enumerate() {
            for (sum, &rate) in sums.iter_mut().zip(&rates) {
                let (a, b) = (dice.chance(rate), dice.chance(rate));
                *sum = (sum.0 + u32::from(a), sum.1 + u32::from(b));
                discordant.for_b += u64::from(b && !a);
                discordant.against_b += u64::from(a && !b);
            }
            let cell = |hits| Cell::try_new(hits, look as u32 + 1).unwrap();
            let pairs: Vec<Pair> = sums.iter().map(|&(a, b)| Pair { a: cell(a), b: cell(b) }).collect();
            let z = paired_task_t(&pairs, 0.95).map_or(0.0, |test| -normal::quantile(test.p / 2.0));
            crossed |= z > *critical;
            peeked |= z > 1.96;
            believed |= e_value_discordant(discordant).unwrap() >= 20_f64.ln();
        }
        planned.count(crossed);
        evidence.count(believed);
        naive.count(peeked);
    }
    check("gs_bounds", planned, 0.03, 0.06);
    check("e_value", evidence, 0.0, 0.05);
    check("plain p at each look", naive, 0.09, 0.16);
}
