//! The methods that the analysis of a sweep takes, one after the other: what is timed against NumPy.

use infranoise_stats::bootstrap::{Resampling, sweep_bootstrap};
use infranoise_stats::decomposition::{curves, decompose};
use infranoise_stats::difference::{cmh, cmh_exact, fixed_task_se, mh_rd, paired_task_t, signflip_exact};
use infranoise_stats::equivalence::tost_pairs;
use infranoise_stats::multiplicity::holm;
use infranoise_stats::noise_floor::noise_floor_from_se;
use infranoise_stats::rate::{Side, clopper_pearson, seed_se, wilson_neff};
use infranoise_stats::trend::{mantel_trend, rank_scores, trend_slope};
use infranoise_stats::variance::twoway_varcomp;
use infranoise_stats::{Cell, Grid, Outcomes, Pair, Result};

/// Numbers by name, in the order in which they were made.
pub type Numbers = Vec<(String, f64)>;

/// The whole analysis of a sweep.
///
/// # Errors
/// A sweep for which one of the methods has no answer.
pub fn analysis(grid: &Grid<Outcomes>, resampling: Resampling) -> Result<Numbers> {
    let mut out = Numbers::new();
    let passes = grid.map(Outcomes::pass_cell);
    let infra = grid.map(Outcomes::infra_cell);
    for arm in 0..grid.arms() {
        rates(&mut out, arm, &passes.arm(arm), &infra.arm(arm))?;
    }
    let mut p_values = [Vec::new(), Vec::new()];
    for arm in 1..grid.arms() {
        for ((table, name), p_values) in
            [(&passes, "success"), (&infra, "infra")].into_iter().zip(&mut p_values)
        {
            let pairs = Pair::zip(&table.arm(0), &table.arm(arm))?;
            p_values.push(difference(&mut out, &format!("{name}.{arm}"), &pairs)?);
        }
        let parts = decompose(&grid.arm(0), &grid.arm(arm), 0.95)?;
        out.push((format!("recovered.{arm}"), parts.recovered?.effect.value));
        out.push((format!("newly_solved.{arm}.p"), parts.newly_solved?.p));
    }
    for (name, p_values) in ["success", "infra"].into_iter().zip(p_values) {
        out.extend(
            holm(&p_values)?.into_iter().enumerate().map(|(arm, p)| (format!("{name}.holm.{arm}"), p)),
        );
    }
    sweep(&mut out, grid, &passes, &infra, resampling)?;
    Ok(out)
}

fn rates(out: &mut Numbers, arm: usize, passes: &[Cell], infra: &[Cell]) -> Result<()> {
    let score = wilson_neff(passes, 0.95)?;
    out.push((format!("score.{arm}.low"), score.estimate.low));
    out.push((format!("score.{arm}.high"), score.estimate.high));
    out.push((format!("score.{arm}.seed_se"), seed_se(passes)?.value()));
    let total = |of: fn(Cell) -> u32| infra.iter().map(|&cell| u64::from(of(cell))).sum();
    let errors = clopper_pearson(total(Cell::hits), total(Cell::trials), 0.95, Side::Two)?;
    out.push((format!("infra.{arm}.high"), errors.high));
    Ok(())
}

fn difference(out: &mut Numbers, name: &str, pairs: &[Pair]) -> Result<f64> {
    let unseen = paired_task_t(pairs, 0.95)?;
    let these = mh_rd(pairs, 0.95)?;
    let exact = cmh_exact(pairs, 0.95)?;
    let equivalence = tost_pairs(pairs, 0.03, 0.05)?;
    let floor = noise_floor_from_se(unseen.effect.value, unseen.se, 0.02, 0.95)?;
    let ratio = exact.odds_ratio.map_or([0.0; 3], |ratio| [ratio.value, ratio.low, ratio.high]);
    let numbers = [
        ("difference", unseen.effect.value),
        ("p_t", unseen.p),
        ("high_t", unseen.effect.high),
        ("high_mh", these.effect.high),
        ("fixed_se", fixed_task_se(pairs)?),
        ("p_cmh", cmh(pairs, 0.95)?.p),
        ("p_exact", exact.p),
        ("odds_ratio", ratio[0]),
        ("odds_ratio_low", ratio[1]),
        ("odds_ratio_high", ratio[2]),
        ("p_tost", equivalence.p),
        ("floor", floor.floor),
        ("p_signflip", signflip_exact(pairs)?.p),
    ];
    out.extend(numbers.map(|(field, value)| (format!("{name}.{field}"), value)));
    Ok(exact.p)
}

fn sweep(
    out: &mut Numbers,
    grid: &Grid<Outcomes>,
    passes: &Grid<Cell>,
    infra: &Grid<Cell>,
    resampling: Resampling,
) -> Result<()> {
    let scores = rank_scores(grid.arms());
    out.push(("trend.p".to_owned(), trend_slope(passes, &scores, 0.95)?.p));
    out.push(("mantel.z".to_owned(), mantel_trend(infra, &scores)?.z));
    let parts = twoway_varcomp(passes)?;
    out.push(("var_interaction".to_owned(), parts.var_interaction));
    out.push(("var_task".to_owned(), parts.var_task));
    out.push(("turning_point".to_owned(), curves(grid)?.turning_point as f64));
    let resampled = sweep_bootstrap(grid, 0.95, resampling)?;
    for arm in 0..grid.arms() {
        out.push((format!("score.{arm}.boot_high"), resampled.success[arm].estimate.high));
        out.push((format!("boot_share.{arm}"), resampled.turning_point_shares[arm]));
        out.push((format!("boot_band.{arm}"), resampled.success_curve[arm].high));
        out.push((format!("infra.{arm}.boot_high"), resampled.infra[arm].estimate.high));
        out.push((format!("infra.boot_band.{arm}"), resampled.infra_curve[arm].high));
    }
    Ok(())
}
