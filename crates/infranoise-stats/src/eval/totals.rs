//! Two arms of which only totals are known.

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::totals::{self, Total};
use serde_json::{Value, json};

pub(super) fn boschloo(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (first, second) = (inputs.total("x1", "n1")?, inputs.total("x2", "n2")?);
    Ok(json!({ "p": inputs.stat(totals::boschloo(first, second))? }))
}

pub(super) fn mn_score_ci(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (first, second) = (inputs.total("x1", "n1")?, inputs.total("x2", "n2")?);
    let level = inputs.level()?;
    Ok(output::estimate(&inputs.stat(totals::mn_score_ci(first, second, level))?, &[]))
}

pub(super) fn fisher(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (first, second) = (inputs.total("x1", "n1")?, inputs.total("x2", "n2")?);
    let level = inputs.level()?;
    let test = inputs.stat(totals::fisher(first, second, level))?;
    Ok(json!({
        "p": test.p,
        "or_cmle": output::maybe(test.odds_ratio.map(|ratio| ratio.value)),
        "or_lo": output::maybe(test.odds_ratio.map(|ratio| ratio.low)),
        "or_hi": output::maybe(test.odds_ratio.map(|ratio| ratio.high)),
    }))
}

pub(super) fn firth_logit(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (rows, factor) = (inputs.totals("x", "n")?, inputs.bits("cfg")?);
    inputs.stat(crate::check::same_length("cfg", factor.len(), "x", rows.len()))?;
    let total = |level: bool| {
        rows.iter().zip(&factor).filter(|(_, at)| **at == level).fold(
            Total { hits: 0, trials: 0 },
            |sum, (row, _)| Total {
                hits: sum.hits.saturating_add(row.hits),
                trials: sum.trials.saturating_add(row.trials),
            },
        )
    };
    let fit = inputs.stat(totals::firth_logit(total(false), total(true)))?;
    Ok(json!({ "intercept": fit.intercept, "log_or": fit.log_odds_ratio }))
}
