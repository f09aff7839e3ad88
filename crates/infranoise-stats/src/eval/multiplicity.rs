//! Several comparisons, and equivalence.

use super::EvalError;
use super::inputs::Inputs;
use crate::{equivalence, multiplicity};
use serde_json::{Value, json};

pub(super) fn holm(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let p_values = inputs.numbers("p")?;
    Ok(json!({ "adjusted": inputs.stat(multiplicity::holm(&p_values))? }))
}

pub(super) fn fixed_sequence(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let p_values = inputs.numbers("p")?;
    Ok(json!({ "adjusted": inputs.stat(multiplicity::fixed_sequence(&p_values))? }))
}

pub(super) fn tost_paired(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (differences, margin) = (inputs.numbers("d")?, inputs.number("margin")?);
    let count = differences.len() as u64;
    let test = inputs.stat(equivalence::tost_paired(&differences, count, margin, 0.05))?;
    Ok(json!({
        "estimate": test.effect.value,
        "se": test.se,
        "p_lower": test.p_lower,
        "p_upper": test.p_upper,
        "p": test.p,
        "ci90_lo": test.effect.low,
        "ci90_hi": test.effect.high,
    }))
}
