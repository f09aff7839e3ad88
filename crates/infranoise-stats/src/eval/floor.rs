//! The noise floor.

use super::EvalError;
use super::inputs::Inputs;
use crate::noise_floor::{self, LeaderboardRow, RowNoise};
use serde_json::{Value, json};

pub(super) fn bias_aware_cv(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (bias, level) = (inputs.number("t")?, inputs.level()?);
    Ok(json!({ "cv": inputs.stat(noise_floor::bias_aware_cv(bias, level))? }))
}

pub(super) fn noise_floor(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let first = LeaderboardRow { score: inputs.number("p1")?, repeats: inputs.count("k1")? };
    let second = LeaderboardRow { score: inputs.number("p2")?, repeats: inputs.count("k2")? };
    let noise = RowNoise {
        tasks: inputs.count("n")?,
        rho: inputs.number("rho")?,
        task_correlation: inputs.maybe_number("task_corr")?,
        extra_variance: inputs.number_or("extra_var", 0.0)?,
    };
    let (shift, level) = (inputs.number_or("bias", 0.0)?, inputs.level()?);
    let floor = inputs.stat(noise_floor::noise_floor(first, second, noise, shift, level))?;
    Ok(json!({
        "se": floor.se,
        "cv": floor.critical,
        "floor": floor.floor,
        "gap": floor.gap,
        "believed": floor.believed,
    }))
}
