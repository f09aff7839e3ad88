//! Power.

use super::EvalError;
use super::inputs::Inputs;
use crate::power::{self, Errors, Noise};
use serde_json::{Value, json};

fn noise(inputs: &mut Inputs<'_>) -> Result<(Noise, Errors), EvalError> {
    let noise =
        Noise { var_seed: inputs.number("var_seed")?, var_delta: inputs.number_or("var_delta", 0.0)? };
    let defaults = Errors::default();
    let alpha = inputs.number_or("alpha", defaults.alpha)?;
    Ok((noise, Errors { alpha, power: inputs.number_or("power", defaults.power)? }))
}

pub(super) fn mde(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (tasks, repeats) = (inputs.count("T")?, inputs.count("k")?);
    let (noise, errors) = noise(inputs)?;
    let detectable = inputs.stat(power::mde(tasks.into(), repeats.into(), noise, errors))?;
    Ok(json!({ "se": detectable.se, "mde": detectable.effect }))
}

pub(super) fn required_k(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (tasks, effect) = (inputs.count("T")?, inputs.number("effect")?);
    let (noise, errors) = noise(inputs)?;
    Ok(json!({ "k": inputs.stat(power::required_k(tasks.into(), effect, noise, errors))? }))
}

pub(super) fn required_tasks(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (repeats, effect) = (inputs.count("k")?, inputs.number("effect")?);
    let (noise, errors) = noise(inputs)?;
    Ok(json!({ "T": inputs.stat(power::required_tasks(repeats.into(), effect, noise, errors))? }))
}
