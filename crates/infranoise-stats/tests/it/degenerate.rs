//! Whatever the counts: an answer or a named error, never NaN, never a panic.

use crate::strategies::{cells, grids, outcome_grids, pairs};
use infranoise_stats::bootstrap::{Resampling, cluster_bootstrap_pct};
use infranoise_stats::decomposition::{
    broken_stick, crossover, curves, decompose, phi_sweep, recovered_bounds,
};
use infranoise_stats::demand::{CeilingTrial, Peak, direct, kaplan_meier, smallest_ceiling};
use infranoise_stats::difference::{
    cmh, cmh_exact, fixed_task_difference, leave_one_task_out, mh_rd, paired_task_t, signflip_exact,
    these_tasks,
};
use infranoise_stats::equivalence::{tost_fixed_tasks, tost_pairs};
use infranoise_stats::noise_floor::{LeaderboardRow, RowNoise, noise_floor};
use infranoise_stats::power::{Errors, Noise, mde, required_k, required_tasks};
use infranoise_stats::rate::{betabinom_mle, seed_se, task_mean_ci, trial_mean_cluster, wilson_neff};
use infranoise_stats::sequential::{DiscordantEvidence, cs_discordant, e_value_discordant, gs_bounds};
use infranoise_stats::totals::{Total, boschloo, firth_logit, fisher, mn_score_ci};
use infranoise_stats::trend::{Direction, mantel_trend, pava_band, rank_scores, trend_slope};
use infranoise_stats::variance::{oneway_intervals, oneway_varcomp, pair_moment_varcomp, twoway_varcomp};
use infranoise_stats::{Cell, Outcomes, Pair, StatError};
use proptest::prelude::*;
use std::fmt::Debug;

const FEW: Resampling = Resampling { draws: 20, seed: 1 };

fn sound<T: Debug>(name: &str, result: &Result<T, StatError>) {
    let text = format!("{result:?}");
    assert!(!text.contains("NaN"), "{name}: {text}");
    if let Err(error) = result {
        assert!(!error.to_string().contains("NaN"), "{name}: {error}");
    }
}

proptest! {
    #![proptest_config(crate::strategies::config())]

    #[test]
    fn one_arm(tasks in cells()) {
        sound("task_mean_ci", &task_mean_ci(&tasks, 0.95));
        sound("wilson_neff", &wilson_neff(&tasks, 0.95));
        sound("seed_se", &seed_se(&tasks));
        sound("trial_mean_cluster", &trial_mean_cluster(&tasks));
        sound("betabinom_mle", &betabinom_mle(&tasks));
        sound("cluster_bootstrap_pct", &cluster_bootstrap_pct(&tasks, 0.95, FEW));
        sound("oneway_varcomp", &oneway_varcomp(&tasks));
        sound("oneway_intervals", &oneway_intervals(&tasks, 0.95, FEW));
    }

    #[test]
    fn two_arms(pairs in pairs()) {
        sound("paired_task_t", &paired_task_t(&pairs, 0.95));
        sound("fixed_task_difference", &fixed_task_difference(&pairs, 0.95));
        sound("cmh", &cmh(&pairs, 0.95));
        sound("cmh_exact", &cmh_exact(&pairs, 0.95));
        sound("mh_rd", &mh_rd(&pairs, 0.95));
        sound("these_tasks", &these_tasks(&pairs, 0.95));
        sound("signflip_exact", &signflip_exact(&pairs));
        sound("leave_one_task_out", &leave_one_task_out(&pairs));
        sound("tost_pairs", &tost_pairs(&pairs, 0.03, 0.05));
        sound("tost_fixed_tasks", &tost_fixed_tasks(&pairs, 0.03, 0.05));
    }

    #[test]
    fn many_arms(grid in grids()) {
        let scores = rank_scores(grid.arms());
        sound("trend_slope", &trend_slope(&grid, &scores, 0.95));
        sound("mantel_trend", &mantel_trend(&grid, &scores));
        sound("pava_band", &pava_band(&grid, Direction::Rising, 0.95, FEW));
        sound("twoway_varcomp", &twoway_varcomp(&grid));
        sound("pair_moment_varcomp", &pair_moment_varcomp(&grid));
    }

    #[test]
    fn outcomes_of_arms(grid in outcome_grids()) {
        let (a, b) = (grid.arm(0), grid.arm(1));
        sound("decompose", &decompose(&a, &b, 0.95));
        sound("phi_sweep", &phi_sweep(&a, &b, Some(0.4), 0.95));
        sound("recovered_bounds", &recovered_bounds(&a, &b));
        sound("curves", &curves(&grid));
        sound("crossover", &crossover(&grid, 0.95, FEW));
    }

    #[test]
    fn totals(x1 in 0_u32..9, more1 in 0_u32..9, x2 in 0_u32..9, more2 in 0_u32..9) {
        let (first, second) = (Total { hits: x1, trials: x1 + more1 }, Total { hits: x2, trials: x2 + more2 });
        sound("boschloo", &boschloo(first, second));
        sound("fisher", &fisher(first, second, 0.95));
        sound("mn_score_ci", &mn_score_ci(first, second, 0.95));
        sound("firth_logit", &firth_logit(first, second));
        sound("smallest_ceiling", &smallest_ceiling(&[1.0, 2.0], &[first, second], 0.02, 0.95));
        let evidence = DiscordantEvidence::new(x1.into(), x2.into());
        sound("e_value_discordant", &e_value_discordant(evidence));
        sound("cs_discordant", &cs_discordant(evidence, 0.05));
    }

    #[test]
    fn peaks(peaks in prop::collection::vec((0.0..3.0_f64, any::<bool>()), 0..9)) {
        let seen: Vec<Peak> = peaks.iter().map(|&(multiple, killed)| Peak { multiple, killed }).collect();
        sound("kaplan_meier", &kaplan_meier(&seen, &[0.0, 1.0, 5.0], 0.95));
        let trials: Vec<CeilingTrial> = peaks
            .iter()
            .map(|&(peak, infra_error)| CeilingTrial { ceiling: 3.0, peak, infra_error, passed: !infra_error })
            .collect();
        sound("direct", &direct(&trials, 1.0, 0.95));
    }

    #[test]
    fn parameters(a in any::<f64>(), b in any::<f64>(), k in 0_u32..4) {
        let rows = [LeaderboardRow { score: a, repeats: k }, LeaderboardRow { score: 0.5, repeats: 1 }];
        let noise = RowNoise { tasks: k, rho: b, task_correlation: Some(a), extra_variance: b };
        sound_parameters("noise_floor", &noise_floor(rows[0], rows[1], noise, a, 0.95));
        let noise = Noise { var_seed: a, var_delta: b };
        sound_parameters("mde", &mde(k.into(), k.into(), noise, Errors { alpha: b, power: a }));
        sound_parameters("required_k", &required_k(k.into(), a, noise, Errors::default()));
        sound_parameters("required_tasks", &required_tasks(k.into(), a, noise, Errors::default()));
        sound_parameters("gs_bounds", &gs_bounds(&[a, b], 0.05));
        sound_parameters("broken_stick", &broken_stick(&[0.0, a, b, 1e9], &[a, b, 1.0, 2.0]));
    }
}

/// As [`sound`], but an error may name the NaN that it was given.
fn sound_parameters<T: Debug>(name: &str, result: &Result<T, StatError>) {
    if let Ok(value) = result {
        assert!(!format!("{value:?}").contains("NaN"), "{name}: {value:?}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    fn check<T: Debug>(result: Result<T, StatError>, expect: &str) {
        assert_eq!(result.expect_err("degenerate").to_string(), expect);
    }
    let cell = |hits, trials| Cell::try_new(hits, trials).unwrap();
    let same = vec![Pair { a: cell(1, 2), b: cell(2, 2) }; 3];
    let constant = vec![Pair { a: cell(2, 2), b: cell(2, 2) }; 3];
    let no_b = vec![Pair { a: cell(1, 2), b: cell(0, 0) }; 3];
    check(Cell::try_new(3, 2), "3 hits in 2 trials");
    check(Outcomes::try_new(2, 1, 2), "3 hits in 2 trials");
    check(paired_task_t(&same, 0.95), "the task values all equal 0.5, so there is no standard error");
    check(paired_task_t(&same[..1], 0.95), "needs at least 2 tasks, has 1");
    check(paired_task_t(&no_b, 0.95), "needs at least 2 tasks, has 0");
    check(mh_rd(&constant, 0.95), "the trials of each task all equal 0, so there is no standard error");
    check(cmh_exact(&no_b, 0.95), "needs at least 1 tasks with trials in both arms, has 0");
    check(cmh_exact(&same, f64::NAN), "level = NaN is not in (0, 1)");
    check(
        oneway_varcomp(&[cell(1, 2), cell(1, 3)]),
        "cell 1 has 3 trials, the first has 2; this method needs equal numbers",
    );
    check(
        betabinom_mle(&[cell(2, 2), cell(3, 3)]),
        "a table without hits or without misses carries no information on this question",
    );
    check(gs_bounds(&[0.5, 0.5], 0.05), "the looks must be strictly increasing, entry 1 is not");
    check(Pair::zip(&[cell(1, 1)], &[]), "arm A has 1 entries, arm B has 0");
    let exact = cmh_exact(&constant, 0.95).unwrap();
    assert_eq!((exact.p, exact.odds_ratio), (1.0, None));
    let large = cmh(&constant, 0.95).unwrap();
    assert_eq!((large.p, large.odds_ratio, large.informative_tasks), (1.0, None, 0));
}
