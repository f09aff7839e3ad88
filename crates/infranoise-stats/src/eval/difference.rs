//! The difference of two arms.

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::difference;
use serde_json::{Value, json};

pub(super) fn paired_task_t(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (pairs, level) = (inputs.pairs()?, inputs.level()?);
    let test = inputs.stat(difference::paired_task_t(&pairs, level))?;
    Ok(output::estimate(
        &test.effect,
        &[
            ("tasks", json!(test.effect.clusters)),
            ("se", json!(test.se)),
            ("t", json!(test.statistic)),
            ("df", json!(test.effect.clusters - 1)),
            ("p", json!(test.p)),
        ],
    ))
}

pub(super) fn fixed_task_difference(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (pairs, level) = (inputs.pairs()?, inputs.level()?);
    let se = inputs.stat(difference::fixed_task_se(&pairs))?;
    let estimate = inputs.stat(difference::fixed_task_difference(&pairs, level))?;
    Ok(output::estimate(&estimate, &[("se", json!(se))]))
}

pub(super) fn cmh(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (pairs, level) = (inputs.pairs()?, inputs.level()?);
    let test = inputs.stat(difference::cmh(&pairs, level))?;
    let interval = test.odds_ratio_interval;
    Ok(json!({
        "chi2": test.chi_squared,
        "p": test.p,
        "or_mh": output::maybe(test.odds_ratio),
        "or_lo": output::maybe(interval.map(|ratio| ratio.low)),
        "or_hi": output::maybe(interval.map(|ratio| ratio.high)),
    }))
}

pub(super) fn cmh_exact(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (pairs, level) = (inputs.pairs()?, inputs.level()?);
    let test = inputs.stat(difference::cmh_exact(&pairs, level))?;
    let ratio = test.odds_ratio;
    Ok(json!({
        "statistic": test.statistic,
        "p": test.p,
        "p_upper": test.p_greater,
        "p_lower": test.p_less,
        "or_cmle": output::maybe(ratio.map(|ratio| ratio.value)),
        "or_lo": output::maybe(ratio.map(|ratio| ratio.low)),
        "or_hi": output::maybe(ratio.map(|ratio| ratio.high)),
    }))
}

pub(super) fn cmh_exact_or(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let pairs = inputs.pairs()?;
    let test = inputs.stat(difference::cmh_exact(&pairs, 0.95))?;
    let log_odds = test.odds_ratio.map(|ratio| ratio.value.ln());
    Ok(json!({ "log_or": output::maybe(log_odds), "se": output::maybe(test.log_odds_se) }))
}

pub(super) fn signflip_exact(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let differences = inputs.numbers("d")?;
    let test = inputs.stat(difference::signflip_exact_values(&differences))?;
    Ok(json!({ "p": test.p }))
}

pub(super) fn mcnemar_exact(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (b, c) = (inputs.count("b")?, inputs.count("c")?);
    let test = inputs.stat(difference::mcnemar_exact(b.into(), c.into(), 0.95))?;
    Ok(json!({ "p": test.p }))
}

pub(super) fn mh_rd(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (pairs, level) = (inputs.pairs()?, inputs.level()?);
    let test = inputs.stat(difference::mh_rd(&pairs, level))?;
    Ok(output::estimate(&test.effect, &[("se", json!(test.se))]))
}
