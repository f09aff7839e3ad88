//! What must not matter does not.

use crate::strategies::{cells, grids, outcome_grids, pairs};
use infranoise_stats::decomposition::{curves, decompose};
use infranoise_stats::difference::{cmh, cmh_exact, mh_rd, paired_task_t, signflip_exact, these_tasks};
use infranoise_stats::multiplicity::{fixed_sequence, holm};
use infranoise_stats::rate::{betabinom_mle, seed_se, trial_mean_cluster, wilson_neff};
use infranoise_stats::trend::{mantel_trend, pava, rank_scores, trend_slope};
use infranoise_stats::variance::pair_moment_varcomp;
use infranoise_stats::{Cell, Grid, Pair};
use proptest::prelude::*;
use std::fmt::Debug;

/// Equal but for rounding: the same text when numbers are cut to nine digits.
fn same<T: Debug, E: Debug>(name: &str, left: Result<T, E>, right: Result<T, E>) {
    let (left, right) = (rounded(&format!("{left:?}")), rounded(&format!("{right:?}")));
    assert_eq!(left, right, "{name}");
}

fn rounded(text: &str) -> String {
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | 'e');
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '-') {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !numeric(c)).unwrap_or(from.len());
        let (token, after) = from.split_at(end);
        out.push_str(before);
        match token.parse::<f64>() {
            // Adding zero turns -0 into 0.
            Ok(number) => out.push_str(&format!("{:.8}", (number * 1e8).round() / 1e8 + 0.0)),
            Err(_) => out.push_str(token),
        }
        rest = after;
    }
    out + rest
}

fn reversed<T: Clone>(list: &[T]) -> Vec<T> {
    list.iter().rev().cloned().collect()
}

fn flipped(cell: Cell) -> Cell {
    Cell::try_new(cell.trials() - cell.hits(), cell.trials()).expect("misses <= trials")
}

fn cell(hits: u32, trials: u32) -> Cell {
    Cell::try_new(hits, trials).expect("hits <= trials")
}

proptest! {
    #![proptest_config(crate::strategies::config())]

    #[test]
    fn the_order_of_tasks(tasks in cells(), pairs in pairs(), grid in grids(), outcomes in outcome_grids()) {
        let (back, pairs_back) = (reversed(&tasks), reversed(&pairs));
        same("wilson_neff", wilson_neff(&tasks, 0.95), wilson_neff(&back, 0.95));
        same("seed_se", seed_se(&tasks), seed_se(&back));
        same("trial_mean_cluster", trial_mean_cluster(&tasks), trial_mean_cluster(&back));
        same("betabinom_mle", betabinom_mle(&tasks).map(|fit| (fit.mu, fit.rho)), betabinom_mle(&back).map(|fit| (fit.mu, fit.rho)));
        same("paired_task_t", paired_task_t(&pairs, 0.95), paired_task_t(&pairs_back, 0.95));
        same("cmh", cmh(&pairs, 0.95), cmh(&pairs_back, 0.95));
        same("cmh_exact p", cmh_exact(&pairs, 0.95).map(|test| test.p), cmh_exact(&pairs_back, 0.95).map(|test| test.p));
        same("mh_rd", mh_rd(&pairs, 0.95), mh_rd(&pairs_back, 0.95));
        same("signflip_exact", signflip_exact(&pairs), signflip_exact(&pairs_back));
        let rows: Vec<Vec<Cell>> = grid.rows().rev().map(<[Cell]>::to_vec).collect();
        let scores = rank_scores(grid.arms());
        if !rows.is_empty() {
            let turned = Grid::from_rows(&rows).unwrap();
            same("trend_slope", trend_slope(&grid, &scores, 0.95), trend_slope(&turned, &scores, 0.95));
            same("mantel_trend", mantel_trend(&grid, &scores), mantel_trend(&turned, &scores));
            same("pair_moments", pair_moment_varcomp(&grid), pair_moment_varcomp(&turned));
        }
        let (a, b) = (outcomes.arm(0), outcomes.arm(1));
        same("decompose", decompose(&a, &b, 0.95), decompose(&reversed(&a), &reversed(&b), 0.95));
    }

    #[test]
    fn swapping_arms_flips_signs(pairs in pairs()) {
        let swapped: Vec<Pair> = pairs.iter().map(|pair| pair.swapped()).collect();
        let mirror = |estimate: infranoise_stats::Estimate| (-estimate.high, -estimate.value, -estimate.low);
        let plain = |estimate: infranoise_stats::Estimate| (estimate.low, estimate.value, estimate.high);
        same(
            "paired_task_t",
            paired_task_t(&pairs, 0.95).map(|t| (plain(t.effect), t.statistic, t.p, t.p_greater)).map_err(drop),
            paired_task_t(&swapped, 0.95).map(|t| (mirror(t.effect), -t.statistic, t.p, t.p_less)).map_err(drop),
        );
        same(
            "these_tasks",
            these_tasks(&pairs, 0.95).map(|t| (plain(t.effect), t.p, t.p_greater)).map_err(drop),
            these_tasks(&swapped, 0.95).map(|t| (mirror(t.effect), t.p, t.p_less)).map_err(drop),
        );
        same("cmh", cmh(&pairs, 0.95).map(|t| (t.z, t.p)), cmh(&swapped, 0.95).map(|t| (-t.z, t.p)));
        let logs = |ratio: infranoise_stats::Estimate| (ratio.low.ln(), ratio.value.ln(), ratio.high.ln());
        let turned = |ratio: infranoise_stats::Estimate| (-ratio.high.ln(), -ratio.value.ln(), -ratio.low.ln());
        same(
            "cmh_exact",
            cmh_exact(&pairs, 0.95).map(|t| (t.p, t.p_greater, t.odds_ratio.map(logs))),
            cmh_exact(&swapped, 0.95).map(|t| (t.p, t.p_less, t.odds_ratio.map(turned))),
        );
        same("signflip", signflip_exact(&pairs).map(|t| (t.effect, t.p)), signflip_exact(&swapped).map(|t| (-t.effect, t.p)));
    }

    #[test]
    fn counting_misses_flips_signs(pairs in pairs()) {
        let misses: Vec<Pair> = pairs.iter().map(|pair| Pair { a: flipped(pair.a), b: flipped(pair.b) }).collect();
        same("mh_rd", mh_rd(&pairs, 0.95).map(|t| (t.effect.value, t.se)).map_err(drop), mh_rd(&misses, 0.95).map(|t| (-t.effect.value, t.se)).map_err(drop));
        same("cmh_exact", cmh_exact(&pairs, 0.95).map(|t| (t.p, t.p_less)), cmh_exact(&misses, 0.95).map(|t| (t.p, t.p_greater)));
    }

    #[test]
    fn a_task_with_one_outcome_tells_nothing(pairs in pairs(), trials in 1_u32..6) {
        prop_assume!(pairs.iter().any(|pair| pair.difference().is_some()));
        for constant in [cell(0, trials), cell(trials, trials)] {
            let mut more = pairs.clone();
            more.push(Pair { a: constant, b: constant });
            let essence = |t: infranoise_stats::difference::CmhExact| (t.p, t.odds_ratio.map(|r| (r.low, r.value, r.high)));
            same("cmh_exact", cmh_exact(&pairs, 0.95).map(essence), cmh_exact(&more, 0.95).map(essence));
            same("cmh", cmh(&pairs, 0.95).map(|t| (t.z, t.odds_ratio)), cmh(&more, 0.95).map(|t| (t.z, t.odds_ratio)));
        }
    }

    #[test]
    fn a_task_without_trials_in_one_arm_tells_nothing(pairs in pairs(), hits in 0_u32..4) {
        let mut more = pairs.clone();
        more.push(Pair { a: cell(hits, 4), b: Cell::default() });
        same("paired_task_t", paired_task_t(&pairs, 0.95), paired_task_t(&more, 0.95));
        same("these_tasks", these_tasks(&pairs, 0.95), these_tasks(&more, 0.95));
        same("signflip_exact", signflip_exact(&pairs), signflip_exact(&more));
    }

    #[test]
    fn rates_of_outcomes_sum_to_one(grid in outcome_grids()) {
        if let Ok(curves) = curves(&grid) {
            for arm in 0..grid.arms() {
                let sum = curves.success[arm] + curves.infra[arm] + curves.failure[arm];
                prop_assert!((sum - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn parts_of_a_decomposition_sum_to_the_difference(grid in outcome_grids()) {
        if let Ok(parts) = decompose(&grid.arm(0), &grid.arm(1), 0.95) {
            let value = |part: &Result<infranoise_stats::TestResult, infranoise_stats::StatError>| match part {
                Ok(test) => test.effect.value,
                Err(infranoise_stats::StatError::NoSpread { value, .. }) => *value,
                Err(error) => panic!("{error}"),
            };
            let success = value(&parts.delta_success);
            let sum = value(&parts.recovered) + value(&parts.unmaimed) + value(&parts.newly_solved);
            prop_assert!((sum - success).abs() < 1e-12);
            prop_assert!((value(&parts.delta_infra) + value(&parts.delta_failure) + success).abs() < 1e-12);
            let (free, maimed) = (value(&parts.delta_event_free), value(&parts.delta_maimed));
            prop_assert!((free + maimed - value(&parts.delta_failure)).abs() < 1e-12);
            let bounds = parts.recovered_bounds;
            prop_assert!(bounds.free_low <= bounds.free_high + 1e-12);
            prop_assert!(bounds.monotone_low <= bounds.monotone_high + 1e-12);
        }
    }

    #[test]
    fn corrections_only_raise(p_values in prop::collection::vec(0.0..=1.0_f64, 0..9)) {
        for adjusted in [holm(&p_values).unwrap(), fixed_sequence(&p_values).unwrap()] {
            prop_assert!(p_values.iter().zip(&adjusted).all(|(p, adjusted)| p <= adjusted && *adjusted <= 1.0));
        }
        let turned = holm(&reversed(&p_values)).unwrap();
        prop_assert_eq!(reversed(&turned), holm(&p_values).unwrap());
    }

    #[test]
    fn isotonic_fits_rise_and_keep_the_mean(points in prop::collection::vec((-1.0..1.0_f64, 0.1..5.0_f64), 1..12)) {
        let (values, weights): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
        let fit = pava(&values, &weights).unwrap();
        prop_assert!(fit.windows(2).all(|pair| pair[0] <= pair[1]));
        let weighted = |of: &[f64]| of.iter().zip(&weights).map(|(value, weight)| value * weight).sum::<f64>();
        prop_assert!((weighted(&fit) - weighted(&values)).abs() < 1e-12);
        let again = pava(&fit, &weights).unwrap();
        prop_assert!(again.iter().zip(&fit).all(|(again, once)| (again - once).abs() < 1e-15));
    }
}
