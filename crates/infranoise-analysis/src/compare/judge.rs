//! Real, noise, or can't tell.

use infranoise_core::{Plan, TrialRecord};
use infranoise_stats::noise_floor::noise_floor_from_se;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::design::InfraAssumption;
use crate::doc::{Analysis, Difference, VerdictWord};
use crate::{Effort, analyse};

/// The verdict on a difference between two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// Above the noise floor.
    Real,
    /// Equivalent within the margin.
    Noise,
    /// Neither.
    CannotTell,
}

/// A verdict with what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// Which.
    pub word: Word,
    /// In one sentence.
    pub says: String,
    /// The difference (other minus base), as a share; absent if it cannot be estimated.
    pub difference: Option<f64>,
    /// The noise floor under what is assumed of infrastructure, as a share.
    pub noise_floor: Option<f64>,
    /// The verdict without the largest incident, if there is one.
    pub without_largest_incident: Option<Word>,
}

/// Judges the difference between the first two arms.
pub(super) fn judge(
    analysis: &Analysis,
    without: Option<&(Plan, Vec<TrialRecord>)>,
    infra: InfraAssumption,
    made_by: &str,
) -> Judgement {
    let found = difference(analysis);
    let (word, noise_floor) = found.map_or((Word::CannotTell, None), |found| word(found, infra));
    let without_word = without.map(|(plan, records)| {
        let again = analyse(plan, records, made_by, Effort { draws: 1 });
        difference(&again).map_or(Word::CannotTell, |found| self::word(found, infra).0)
    });
    let carried = word == Word::Real && without_word.is_some_and(|without| without != Word::Real);
    let word = if carried { Word::CannotTell } else { word };
    let value = found.and_then(|found| found.these_tasks.test.as_ref()).map(|test| test.effect.value);
    let says = says(word, carried, found, noise_floor, infra);
    Judgement { word, says, difference: value, noise_floor, without_largest_incident: without_word }
}

fn difference(analysis: &Analysis) -> Option<&Difference> {
    analysis.comparisons.first()?.scores.first()
}

fn word(found: &Difference, infra: InfraAssumption) -> (Word, Option<f64>) {
    let floor = found.these_tasks.test.as_ref().and_then(|test| {
        noise_floor_from_se(test.effect.value.abs(), test.se, infra.shift(), test.effect.level).ok()
    });
    let above = floor.as_ref().is_some_and(|floor| floor.gap > floor.floor);
    let word = match found.verdict.word {
        VerdictWord::Different if above => Word::Real,
        VerdictWord::Equivalent | VerdictWord::DifferentButNegligible => Word::Noise,
        VerdictWord::Different | VerdictWord::CannotTell => Word::CannotTell,
    };
    (word, floor.map(|floor| floor.floor))
}

fn says(
    word: Word,
    carried: bool,
    found: Option<&Difference>,
    noise_floor: Option<f64>,
    infra: InfraAssumption,
) -> String {
    let points = |share: f64| format!("{:+.1} points", share * 100.0);
    let test = found.and_then(|found| found.these_tasks.test.as_ref());
    let Some(test) = test else {
        let why = found.and_then(|found| found.these_tasks.why_not.clone());
        return format!(
            "can't tell: {}",
            why.unwrap_or_else(|| "there is no task with trials in both".to_owned())
        );
    };
    let range = format!(
        "{} [{:+.1}, {:+.1}] on these tasks",
        points(test.effect.value),
        test.effect.low * 100.0,
        test.effect.high * 100.0
    );
    let floor = noise_floor.map_or_else(String::new, |floor| {
        format!("; noise floor {:.1} points ({})", floor * 100.0, infra.words())
    });
    match word {
        Word::Real => format!("real: {range}{floor}"),
        Word::Noise => format!("noise: {range}{floor}"),
        Word::CannotTell if carried => {
            format!("can't tell: {range}, but one incident carries it{floor}")
        }
        Word::CannotTell => format!("can't tell: {range}{floor}"),
    }
}
