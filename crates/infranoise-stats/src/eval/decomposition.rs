//! Decomposition and turning point.

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::cell::Outcomes;
use crate::decomposition;
use crate::grid::Grid;
use serde_json::{Value, json};

fn outcomes(
    inputs: &mut Inputs<'_>,
    passes: &'static str,
    infra: &'static str,
    trials: &'static str,
) -> Result<Vec<Outcomes>, EvalError> {
    let (s, i, k) = (inputs.counts(passes)?, inputs.counts(infra)?, inputs.counts(trials)?);
    zip_outcomes(inputs, &s, &i, &k)
}

fn zip_outcomes(inputs: &Inputs<'_>, s: &[u32], i: &[u32], k: &[u32]) -> Result<Vec<Outcomes>, EvalError> {
    inputs.stat(crate::check::same_length("passes", s.len(), "trials", k.len()))?;
    inputs.stat(crate::check::same_length("infra errors", i.len(), "trials", k.len()))?;
    inputs.stat(s.iter().zip(i).zip(k).map(|((&s, &i), &k)| Outcomes::try_new(s, i, k)).collect())
}

pub(super) fn decompose(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let a = outcomes(inputs, "SA", "IA", "KA")?;
    let b = outcomes(inputs, "SB", "IB", "KB")?;
    let level = inputs.level()?;
    let parts = inputs.stat(decomposition::decompose(&a, &b, level))?;
    Ok(json!({
        "tasks": parts.tasks,
        "delta_S": output::part(&parts.delta_success),
        "delta_I": output::part(&parts.delta_infra),
        "delta_A": output::part(&parts.delta_failure),
        "recovered": output::part(&parts.recovered),
        "newly_solved": output::part(&parts.newly_solved),
        "frechet_lo": parts.recovered_bounds.free_low,
        "frechet_hi": parts.recovered_bounds.free_high,
    }))
}

pub(super) fn crossover(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (s, i, k) = (inputs.table("S")?, inputs.table("I")?, inputs.table("K")?);
    inputs.stat(crate::check::same_length("S", s.len(), "K", k.len()))?;
    inputs.stat(crate::check::same_length("I", i.len(), "K", k.len()))?;
    let rows: Vec<Vec<Outcomes>> = s
        .iter()
        .zip(&i)
        .zip(&k)
        .map(|((s, i), k)| zip_outcomes(inputs, s, i, k))
        .collect::<Result<_, _>>()?;
    let grid = inputs.stat(Grid::from_rows(&rows))?;
    let (level, resampling) = (inputs.level()?, inputs.resampling()?);
    let found = inputs.stat(decomposition::crossover(&grid, level, resampling))?;
    let curves = &found.curves;
    let last_drop = curves.failure.last().map(|last| last - curves.failure[curves.turning_point]);
    Ok(json!({
        "S": curves.success,
        "I": curves.infra,
        "A": curves.failure,
        "argmax": curves.turning_point,
        "boot_share": found.shares,
        "delta_A_last": output::maybe(last_drop),
        "p_less": output::maybe(found.last_drop.ok().map(|test| test.p_less)),
    }))
}

pub(super) fn broken_stick(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (x, y) = (inputs.numbers("x")?, inputs.numbers("y")?);
    let fit = inputs.stat(decomposition::broken_stick(&x, &y))?;
    Ok(json!({
        "psi": fit.knot,
        "intercept": fit.intercept,
        "slope1": fit.slope_before,
        "slope2": fit.slope_after,
        "sse": fit.sse,
    }))
}
