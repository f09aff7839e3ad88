//! The rate of one arm.

use super::inputs::Inputs;
use super::{EvalError, output};
use crate::bootstrap;
use crate::rate::{self, SeedSe, Side};
use serde_json::{Value, json};

pub(super) fn wilson(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (total, level) = (inputs.total("x", "n")?, inputs.level()?);
    Ok(output::estimate(&inputs.stat(rate::wilson(total.hits.into(), total.trials.into(), level))?, &[]))
}

pub(super) fn jeffreys(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (total, level) = (inputs.total("x", "n")?, inputs.level()?);
    Ok(output::estimate(&inputs.stat(rate::jeffreys(total.hits.into(), total.trials.into(), level))?, &[]))
}

pub(super) fn clopper_pearson(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (total, level) = (inputs.total("x", "n")?, inputs.level()?);
    let side = match inputs.word_or("side", "two")?.as_str() {
        "two" => Side::Two,
        "upper" => Side::Upper,
        "lower" => Side::Lower,
        _ => return inputs.wrong("side", "one of two, upper, lower"),
    };
    let estimate = inputs.stat(rate::clopper_pearson(total.hits.into(), total.trials.into(), level, side))?;
    Ok(output::estimate(&estimate, &[]))
}

pub(super) fn task_mean_ci(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (cells, level) = (inputs.cells("x", "k")?, inputs.level()?);
    let mean = inputs.stat(rate::task_mean_ci(&cells, level))?;
    Ok(output::estimate(&mean.estimate, &[("se", json!(mean.se)), ("df", json!(mean.df))]))
}

pub(super) fn wilson_neff(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (cells, level) = (inputs.cells("x", "k")?, inputs.level()?);
    let score = inputs.stat(rate::wilson_neff(&cells, level))?;
    Ok(output::estimate(
        &score.estimate,
        &[("se", json!(score.se)), ("n_eff", json!(score.effective_trials))],
    ))
}

pub(super) fn seed_se(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let cells = inputs.cells("x", "k")?;
    Ok(match inputs.stat(rate::seed_se(&cells))? {
        SeedSe::Estimated(se) => json!({ "se": se }),
        SeedSe::AtMost(bound) => json!({ "se": null, "bound": bound }),
    })
}

pub(super) fn trial_mean_cluster(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let cells = inputs.cells("x", "k")?;
    let mean = inputs.stat(rate::trial_mean_cluster(&cells))?;
    Ok(json!({ "estimate": mean.value, "se": mean.se }))
}

pub(super) fn betabinom_mle(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let cells = inputs.cells("x", "k")?;
    let fit = inputs.stat(rate::betabinom_mle(&cells))?;
    Ok(json!({ "mu": fit.mu, "rho": fit.rho, "loglik": fit.log_likelihood, "shrunk": fit.shrunk }))
}

pub(super) fn cluster_bootstrap_pct(inputs: &mut Inputs<'_>) -> Result<Value, EvalError> {
    let (cells, level, resampling) = (inputs.cells("x", "k")?, inputs.level()?, inputs.resampling()?);
    let result = inputs.stat(bootstrap::cluster_bootstrap_pct(&cells, level, resampling))?;
    Ok(output::estimate(&result.estimate, &[("se", json!(result.se))]))
}
