//! Methods by name on JSON input: what `infranoise stats eval FILE` calls.
//!
//! Names and fields are those of the oracle file (`data/vectors.json`). An infinite number is the word `"inf"`; a value
//! that is not defined is `null`. Fields that a method does not know are refused: a misspelt `conf` must not pass in
//! silence.

mod decomposition;
mod demand;
mod difference;
mod document;
mod floor;
mod inputs;
mod multiplicity;
mod output;
mod power;
mod rate;
mod sequential;
mod totals;
mod trend;
mod variance;

pub use document::eval_document;

use crate::error::StatError;
use crate::method::{Method, UnknownMethod};
use inputs::Inputs;
use serde_json::Value;

/// Why an evaluation has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// There is no such method.
    #[error(transparent)]
    UnknownMethod(#[from] UnknownMethod),
    /// The method exists, but is not one that takes JSON input.
    #[error("the method {0} cannot be called by name")]
    NotCallable(Method),
    /// Neither a call nor a list of calls.
    #[error("neither an object with method and inputs nor a list of such")]
    NotACall,
    /// The inputs are not a JSON object.
    #[error("the inputs of {method} are not an object")]
    NotAnObject {
        /// The method.
        method: Method,
    },
    /// A field is missing.
    #[error("{method} needs the field {field:?}")]
    Missing {
        /// The method.
        method: Method,
        /// The field.
        field: &'static str,
    },
    /// A field has the wrong type.
    #[error("the field {field:?} of {method} is not {expected}")]
    WrongType {
        /// The method.
        method: Method,
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A field that the method does not know.
    #[error("{method} knows no field {field:?}")]
    UnknownField {
        /// The method.
        method: Method,
        /// The field.
        field: String,
    },
    /// The method itself has no answer.
    #[error("{method}: {source}")]
    Stat {
        /// The method.
        method: Method,
        /// Why.
        source: StatError,
    },
}

type Eval = fn(&mut Inputs<'_>) -> Result<Value, EvalError>;

/// Every method that can be called, with its fields.
const METHODS: &[(Method, Eval)] = &[
    (Method::Wilson, rate::wilson),
    (Method::Jeffreys, rate::jeffreys),
    (Method::ClopperPearson, rate::clopper_pearson),
    (Method::TaskMeanCi, rate::task_mean_ci),
    (Method::WilsonNeff, rate::wilson_neff),
    (Method::SeedSe, rate::seed_se),
    (Method::TrialMeanCluster, rate::trial_mean_cluster),
    (Method::BetabinomMle, rate::betabinom_mle),
    (Method::ClusterBootstrapPct, rate::cluster_bootstrap_pct),
    (Method::PairedTaskT, difference::paired_task_t),
    (Method::FixedTaskDifference, difference::fixed_task_difference),
    (Method::Cmh, difference::cmh),
    (Method::CmhExact, difference::cmh_exact),
    (Method::CmhExactOr, difference::cmh_exact_or),
    (Method::SignflipExact, difference::signflip_exact),
    (Method::McnemarExact, difference::mcnemar_exact),
    (Method::MhRd, difference::mh_rd),
    (Method::TrendSlope, trend::trend_slope),
    (Method::MantelTrend, trend::mantel_trend),
    (Method::CochranArmitage, trend::cochran_armitage),
    (Method::Pava, trend::pava),
    (Method::Boschloo, totals::boschloo),
    (Method::MnScoreCi, totals::mn_score_ci),
    (Method::Fisher, totals::fisher),
    (Method::FirthLogit, totals::firth_logit),
    (Method::Holm, multiplicity::holm),
    (Method::FixedSequence, multiplicity::fixed_sequence),
    (Method::TostPaired, multiplicity::tost_paired),
    (Method::Decompose, decomposition::decompose),
    (Method::Crossover, decomposition::crossover),
    (Method::BrokenStick, decomposition::broken_stick),
    (Method::OnewayVarcomp, variance::oneway),
    (Method::TwowayVarcomp, variance::twoway),
    (Method::PairMomentVarcomp, variance::pair_moment),
    (Method::BlockVarcomp, variance::block),
    (Method::BiasAwareCv, floor::bias_aware_cv),
    (Method::NoiseFloor, floor::noise_floor),
    (Method::Mde, power::mde),
    (Method::RequiredK, power::required_k),
    (Method::RequiredTasks, power::required_tasks),
    (Method::GsBounds, sequential::gs_bounds),
    (Method::EValueDiscordant, sequential::e_value_discordant),
    (Method::CsDiscordant, sequential::cs_discordant),
    (Method::Km, demand::km),
    (Method::SmallestCeiling, demand::smallest_ceiling),
];

/// The names of all methods that can be called.
pub fn methods() -> impl Iterator<Item = Method> {
    METHODS.iter().map(|(method, _)| *method)
}

/// Evaluates one method.
///
/// # Errors
/// An unknown method or field, a missing or mistyped one, or input for which the method has no answer.
pub fn eval(method: &str, inputs: &Value) -> Result<Value, EvalError> {
    let method: Method = method.parse()?;
    let (_, eval) =
        METHODS.iter().find(|(candidate, _)| *candidate == method).ok_or(EvalError::NotCallable(method))?;
    let fields = inputs.as_object().ok_or(EvalError::NotAnObject { method })?;
    let mut inputs = Inputs::new(method, fields);
    let output = eval(&mut inputs)?;
    inputs.refuse_unread()?;
    Ok(output)
}
