//! Trends over ordered arms.

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::trend;
use serde_json::{Value, json};

pub(super) fn trend_slope(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let grid = inputs.grid("X", "K")?;
    let (scores, level) = (inputs.scores(grid.arms())?, inputs.level()?);
    let test = inputs.stat(trend::trend_slope(&grid, &scores, level))?;
    Ok(output::estimate(
        &test.effect,
        &[
            ("se", json!(test.se)),
            ("t", json!(test.statistic)),
            ("df", json!(test.effect.clusters - 1)),
            ("p", json!(test.p)),
            ("p_greater", json!(test.p_greater)),
        ],
    ))
}

pub(super) fn mantel_trend(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let grid = inputs.grid("X", "K")?;
    let scores = inputs.scores(grid.arms())?;
    let test = inputs.stat(trend::mantel_trend(&grid, &scores))?;
    Ok(json!({ "z": test.z, "p": test.p, "p_greater": test.p_greater }))
}

pub(super) fn cochran_armitage(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let totals = inputs.totals("x", "n")?;
    let scores = inputs.scores(totals.len())?;
    let test = inputs.stat(trend::cochran_armitage(&totals, &scores))?;
    Ok(json!({ "chi2": test.chi_squared, "p": test.p }))
}

pub(super) fn pava(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let values = inputs.numbers("y")?;
    let weights = inputs.maybe_numbers("w")?.unwrap_or_else(|| vec![1.0; values.len()]);
    Ok(json!({ "fit": inputs.stat(trend::pava(&values, &weights))? }))
}
