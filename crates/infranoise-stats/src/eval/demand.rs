//! What ceiling is safe?

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::demand::{self, KmPoint, Peak};
use serde_json::{Value, json};

pub(super) fn km(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (multiples, killed) = (inputs.numbers("peaks")?, inputs.bits("killed")?);
    let (ceilings, level) = (inputs.numbers("at")?, inputs.level()?);
    inputs.stat(crate::check::same_length("peaks", multiples.len(), "killed", killed.len()))?;
    let peaks: Vec<Peak> =
        multiples.into_iter().zip(killed).map(|(multiple, killed)| Peak { multiple, killed }).collect();
    let points = inputs.stat(demand::kaplan_meier(&peaks, &ceilings, level))?;
    let column =
        |of: fn(&KmPoint) -> Option<f64>| -> Value { points.iter().map(of).map(output::maybe).collect() };
    Ok(json!({
        "surv": column(|point| Some(point.rate)),
        "se": column(|point| point.se),
        "lo": column(|point| Some(point.interval?.0)),
        "hi": column(|point| Some(point.interval?.1)),
    }))
}

pub(super) fn smallest_ceiling(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (ceilings, totals) = (inputs.numbers("ceilings")?, inputs.totals("x", "n")?);
    let (target, level) = (inputs.number("target")?, inputs.level()?);
    let found = inputs.stat(demand::smallest_ceiling(&ceilings, &totals, target, level))?;
    let chosen = found.chosen.map(|position| ceilings[position]);
    Ok(json!({ "upper": found.upper, "chosen": output::maybe(chosen) }))
}
