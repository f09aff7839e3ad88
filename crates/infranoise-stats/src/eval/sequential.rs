//! Looking before the end.

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::sequential::{self, DiscordantEvidence};
use serde_json::{Value, json};

pub(super) fn gs_bounds(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (information, alpha) = (inputs.numbers("info")?, inputs.number_or("alpha", 0.05)?);
    let design = inputs.stat(sequential::gs_bounds(&information, alpha))?;
    Ok(json!({ "critical": output::numbers(&design.critical), "alpha_spent": design.alpha_spent }))
}

fn evidence(inputs: &mut Inputs<'_>) -> Result<DiscordantEvidence, EvalError> {
    Ok(DiscordantEvidence {
        for_b: inputs.count("b")?.into(),
        against_b: inputs.count("c")?.into(),
        prior_a: inputs.number_or("a0", 0.5)?,
        prior_b: inputs.number_or("b0", 0.5)?,
    })
}

pub(super) fn e_value_discordant(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let evidence = evidence(inputs)?;
    Ok(json!({ "log_e": inputs.stat(sequential::e_value_discordant(evidence))? }))
}

pub(super) fn cs_discordant(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let evidence = evidence(inputs)?;
    let alpha = inputs.number_or("alpha", 0.05)?;
    let sequence = inputs.stat(sequential::cs_discordant(evidence, alpha))?;
    Ok(json!({ "lo": sequence.low, "hi": sequence.high }))
}
