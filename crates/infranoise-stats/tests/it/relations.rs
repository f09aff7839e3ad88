//! Methods that must agree where they coincide.

use crate::strategies::{balanced_grids, grids, outcome_grids, pairs};
use infranoise_stats::bootstrap::{
    Resampling, cluster_bootstrap_arms, cluster_bootstrap_pct, sweep_bootstrap,
};
use infranoise_stats::decomposition::crossover;
use infranoise_stats::difference::{
    cmh, cmh_exact, interaction_t, leave_one_task_out, mcnemar_exact, mh_rd, paired_task_t, signflip_exact,
    these_tasks,
};
use infranoise_stats::equivalence::tost_pairs;
use infranoise_stats::noise_floor::{LeaderboardRow, RowNoise, bias_aware_cv, gap_probability, noise_floor};
use infranoise_stats::power::{Errors, Noise, mde, required_k, required_k_equivalence, required_tasks};
use infranoise_stats::rate::{Side, clopper_pearson, wilson};
use infranoise_stats::sequential::{DiscordantEvidence, cs_discordant, e_value_discordant, gs_bounds};
use infranoise_stats::trend::{Direction, mantel_trend, pava_band, trend_slope};
use infranoise_stats::variance::{pair_moment_varcomp, twoway_varcomp};
use infranoise_stats::{Cell, Outcomes, Pair};
use proptest::prelude::*;

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
}

proptest! {
    #![proptest_config(crate::strategies::config())]

    #[test]
    fn two_arms_are_a_trend(grid in grids().prop_filter("two arms", |grid| grid.arms() >= 2)) {
        let rows: Vec<Vec<Cell>> = grid.rows().map(|row| row[..2].to_vec()).collect();
        prop_assume!(!rows.is_empty());
        let two = infranoise_stats::Grid::from_rows(&rows).unwrap();
        let pairs = Pair::zip(&two.arm(0), &two.arm(1)).unwrap();
        match (trend_slope(&two, &[0.0, 1.0], 0.95), paired_task_t(&pairs, 0.95)) {
            (Ok(trend), Ok(paired)) => prop_assert!(close(trend.effect.value, paired.effect.value) && close(trend.p, paired.p)),
            (trend, paired) => prop_assert_eq!(trend.is_ok(), paired.is_ok()),
        }
        if let (Ok(trend), Ok(test)) = (mantel_trend(&two, &[0.0, 1.0]), cmh(&pairs, 0.95)) {
            prop_assert!(close(trend.z, test.z), "{} {}", trend.z, test.z);
        }
    }

    #[test]
    fn one_repeat_is_mcnemar(outcomes in prop::collection::vec((0_u32..2, 0_u32..2), 1..40)) {
        let cell = |hits| Cell::try_new(hits, 1).unwrap();
        let pairs: Vec<Pair> = outcomes.iter().map(|&(a, b)| Pair { a: cell(a), b: cell(b) }).collect();
        let for_b = outcomes.iter().filter(|&&(a, b)| a < b).count() as u64;
        let against_b = outcomes.iter().filter(|&&(a, b)| a > b).count() as u64;
        let mcnemar = mcnemar_exact(for_b, against_b, 0.95).unwrap();
        prop_assert!(close(mcnemar.p, cmh_exact(&pairs, 0.95).unwrap().p));
        prop_assert!(close(mcnemar.p, signflip_exact(&pairs).unwrap().p));
    }

    #[test]
    fn no_response_of_the_first_subject_leaves_that_of_the_second(pairs in pairs()) {
        let idle: Vec<Pair> = pairs.iter().map(|pair| Pair { a: pair.a, b: pair.a }).collect();
        let alone = paired_task_t(&pairs, 0.95);
        if let (Ok(both), Ok(alone)) = (interaction_t(&idle, &pairs, 0.95), &alone) {
            prop_assert!(close(both.effect.value, alone.effect.value) && close(both.p, alone.p));
            let turned = interaction_t(&pairs, &idle, 0.95).unwrap();
            prop_assert!(close(turned.effect.value, -alone.effect.value));
        }
    }

    #[test]
    fn exact_interval_and_tails_agree(pairs in pairs()) {
        if let Ok(exact) = cmh_exact(&pairs, 0.9)
            && let Some(ratio) = exact.odds_ratio
        {
            prop_assert!(ratio.low <= ratio.value && ratio.value <= ratio.high);
            prop_assert_eq!(ratio.low > 1.0 + 1e-9, exact.p_greater < 0.05 - 1e-9);
            prop_assert_eq!(ratio.high < 1.0 - 1e-9, exact.p_less < 0.05 - 1e-9);
            prop_assert!(exact.p_less + exact.p_greater >= 1.0 - 1e-12);
        }
    }

    #[test]
    fn leaving_one_out_is_leaving_one_out(pairs in pairs()) {
        if let Ok(worst) = leave_one_task_out(&pairs) {
            let without = |task: usize| {
                let mut rest = pairs.clone();
                rest.remove(task);
                cmh_exact(&rest, 0.95).map(|test| test.p)
            };
            let largest = (0..pairs.len())
                .filter(|&task| pairs[task].difference().is_some())
                .filter_map(|task| without(task).ok())
                .fold(0.0, f64::max);
            prop_assert!(close(worst.largest_p, largest));
            prop_assert!(close(without(worst.task).unwrap(), largest));
        }
    }

    #[test]
    fn equal_repeats_make_the_mean_difference(grid in balanced_grids()) {
        let pairs = Pair::zip(&grid.arm(0), &grid.arm(1)).unwrap();
        if let (Ok(fixed), Ok(paired)) = (mh_rd(&pairs, 0.95), paired_task_t(&pairs, 0.95)) {
            prop_assert!(close(fixed.effect.value, paired.effect.value));
            let both = these_tasks(&pairs, 0.95).unwrap();
            prop_assert_eq!(both.effect, fixed.effect);
            prop_assert!(close(both.p, cmh_exact(&pairs, 0.95).unwrap().p));
        }
    }

    #[test]
    fn pairs_are_the_analysis_of_variance_when_balanced(grid in balanced_grids()) {
        let (pairs, table) = (pair_moment_varcomp(&grid).unwrap(), twoway_varcomp(&grid).unwrap());
        prop_assert!(close(pairs.var_seed, table.var_seed));
        prop_assert!(close(pairs.var_interaction, table.var_interaction));
        prop_assert!(close(pairs.var_task, table.var_task));
        prop_assert!(close(pairs.var_arm, table.var_arm));
    }

    #[test]
    fn equivalence_is_an_interval_within_the_margin(pairs in pairs(), margin in 0.01..0.5_f64) {
        if let Ok(test) = tost_pairs(&pairs, margin, 0.05) {
            let inside = -margin < test.effect.low && test.effect.high < margin;
            prop_assert_eq!(test.equivalent(0.05), inside);
            prop_assert_eq!(test.not_inflated(0.05), test.effect.high < margin);
        }
    }

    #[test]
    fn exact_intervals_are_the_wider(hits in 0_u64..20, more in 0_u64..20) {
        prop_assume!(hits + more > 0);
        let (exact, score) = (clopper_pearson(hits, hits + more, 0.95, Side::Two).unwrap(), wilson(hits, hits + more, 0.95).unwrap());
        prop_assert!(exact.half_width() >= score.half_width() - 1e-12);
        prop_assert!(exact.contains(exact.value) && score.contains(score.value));
    }

    #[test]
    fn floors_grow_with_the_shift_and_shrink_with_repeats(score in 0.1..0.9_f64, repeats in 1_u32..20, shift in 0.0..0.1_f64) {
        let floor = |repeats, shift| {
            let row = LeaderboardRow { score, repeats };
            let noise = RowNoise { tasks: 89, rho: 0.5, task_correlation: None, extra_variance: 0.0 };
            noise_floor(row, row, noise, shift, 0.95).unwrap()
        };
        let base = floor(repeats, shift);
        prop_assert!(floor(repeats + 1, shift).floor < base.floor);
        prop_assert!(floor(repeats, shift + 0.01).floor > base.floor);
        // A gap as large as the floor has exactly the error probability.
        let chance = gap_probability(base.floor, base.se, shift).unwrap().probability;
        prop_assert!((chance - 0.05).abs() < 1e-12);
    }

    #[test]
    fn fewest_means_fewest(var_seed in 0.01..0.25_f64, effect in 0.01..0.3_f64, tasks in 5_u64..300) {
        let noise = Noise { var_seed, var_delta: 0.0 };
        let errors = Errors::default();
        let k = required_k(tasks, effect, noise, errors).unwrap().unwrap();
        prop_assert!(mde(tasks, k, noise, errors).unwrap().effect <= effect * (1.0 + 1e-12));
        prop_assert!(k == 1 || mde(tasks, k - 1, noise, errors).unwrap().effect > effect);
        let t = required_tasks(5, effect, noise, errors).unwrap().unwrap();
        prop_assert!(mde(t, 5, noise, errors).unwrap().effect <= effect);
        prop_assert!(t == 2 || mde(t - 1, 5, noise, errors).unwrap().effect > effect);
    }

    #[test]
    fn resampled_together_is_resampled_one_by_one(grid in outcome_grids()) {
        let resampling = Resampling { draws: 30, seed: 5 };
        if let Ok(all) = sweep_bootstrap(&grid, 0.9, resampling) {
            let (passes, infra) = (grid.map(Outcomes::pass_cell), grid.map(Outcomes::infra_cell));
            prop_assert_eq!(&all.success, &cluster_bootstrap_arms(&passes, 0.9, resampling).unwrap());
            prop_assert_eq!(&all.infra, &cluster_bootstrap_arms(&infra, 0.9, resampling).unwrap());
            let shares = crossover(&grid, 0.9, resampling).unwrap().shares;
            prop_assert_eq!(&all.turning_point_shares, &shares);
            let alone = pava_band(&infra, Direction::Falling, 0.9, resampling).unwrap();
            let near = |(left, right): (&infranoise_stats::Estimate, &infranoise_stats::Estimate)| {
                close(left.low, right.low) && close(left.value, right.value) && close(left.high, right.high)
            };
            prop_assert!(all.infra_curve.iter().zip(&alone).all(near));
        }
    }

    #[test]
    fn sequences_and_e_values_agree(for_b in 0_u64..60, against_b in 0_u64..60) {
        let evidence = DiscordantEvidence::new(for_b, against_b);
        let rejected = e_value_discordant(evidence).unwrap() >= 20_f64.ln();
        prop_assert_eq!(!cs_discordant(evidence, 0.05).unwrap().contains(0.5), rejected);
    }
}

#[test]
fn one_look_is_a_plain_test() {
    let design = gs_bounds(&[1.0], 0.05).unwrap();
    assert!(close(design.critical[0], 1.959_963_984_540_054));
    assert!(close(design.alpha_spent[0], 0.05));
}

#[test]
fn looks_so_early_that_nothing_is_spent() {
    let design = gs_bounds(&[1e-6, 0.5, 1.0], 0.05).unwrap();
    let two = gs_bounds(&[0.5, 1.0], 0.05).unwrap();
    assert_eq!(design.critical[0], f64::INFINITY);
    assert!(design.critical[1..].iter().zip(&two.critical).all(|(left, right)| (left - right).abs() < 1e-7));
}

#[test]
fn bias_moves_the_critical_value_from_two_sided_to_one_sided() {
    let cv = |t| bias_aware_cv(t, 0.95).unwrap();
    assert!(close(cv(0.0), 1.959_963_984_540_054));
    assert!((cv(10.0) - 10.0 - 1.644_853_626_951_472_7).abs() < 1e-12);
    assert!((0..50).all(|step| cv(f64::from(step) / 10.0) < cv(f64::from(step + 1) / 10.0)));
}

#[test]
fn equivalence_needs_the_published_repeats() {
    // The reference: 3 points on 89 tasks need k ~ 21-29 (no difference) or 34-61 (one point).
    let need = |var_seed, difference| {
        required_k_equivalence(89, 0.03, difference, Noise { var_seed, var_delta: 0.0 }, Errors::default())
            .unwrap()
            .unwrap()
    };
    assert!((19..=30).contains(&need(0.096, 0.0)), "{}", need(0.096, 0.0));
    assert!((30..=62).contains(&need(0.096, 0.01)), "{}", need(0.096, 0.01));
    let noise = Noise { var_seed: 0.096, var_delta: 0.0 };
    assert_eq!(required_k_equivalence(89, 0.03, 0.03, noise, Errors::default()), Ok(None));
}

#[test]
fn seeds_reproduce() {
    let tasks: Vec<Cell> = (0..40).map(|task| Cell::try_new(task % 6, 5.max(task % 6)).unwrap()).collect();
    let interval = |seed| cluster_bootstrap_pct(&tasks, 0.95, Resampling { draws: 500, seed }).unwrap();
    assert_eq!(interval(7), interval(7));
    assert_ne!(interval(7).estimate, interval(8).estimate);
}
