//! Scores as numbers: `C` is 1, `P` a half, `I` and `N` are 0; what is no number is no score.

use std::collections::BTreeMap;

use infranoise_core::Reward;
use serde_json::Value;

use super::schema::Score;
use crate::results::read::Field;

/// The reward of a sample. The main value is that of the first scorer, as the evaluation names them.
pub(super) fn reward(scores: Option<&BTreeMap<String, Field<Score>>>, scorers: &[String]) -> Reward {
    let mut values = BTreeMap::new();
    for (name, score) in scores.into_iter().flatten() {
        let Some(score) = score.get() else { continue };
        match &score.value {
            Value::Object(parts) => {
                let numbers =
                    parts.iter().filter_map(|(part, value)| Some((format!("{name}.{part}"), number(value)?)));
                values.extend(numbers);
            }
            value => values.extend(number(value).map(|value| (name.clone(), value))),
        }
    }
    let main = scorers.iter().find_map(|name| values.get(name)).or_else(|| values.values().next()).copied();
    let Some(main) = main else { return Reward::NotGraded };
    values.insert("reward".to_owned(), main);
    Reward::Given { values, source: "the sample's scores".to_owned() }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(value) => Some(if *value { 1.0 } else { 0.0 }),
        Value::String(word) => match word.as_str() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            other => other.parse().ok().filter(|number: &f64| number.is_finite()),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scores: &str, main: Option<f64>, passed: bool) {
        let scores: BTreeMap<String, Field<Score>> = serde_json::from_str(scores).expect("scores");
        let reward = reward(Some(&scores), &["match".to_owned()]);
        assert_eq!((reward.main(), reward.passed()), (main, passed), "{scores:?}");
    }

    #[test]
    fn letters_numbers_and_objects() {
        check(r#"{"match": {"value": "C"}}"#, Some(1.0), true);
        check(r#"{"match": {"value": "I"}, "other": {"value": 1}}"#, Some(0.0), false);
        check(r#"{"other": {"value": 0.5}}"#, Some(0.5), false);
        check(r#"{"match": {"value": true}}"#, Some(1.0), true);
        check(r#"{"match": {"value": {"a": 1, "b": "I"}}}"#, Some(1.0), true);
        check(r#"{"match": {"value": null}}"#, None, false);
        check(r#"{"match": 7}"#, None, false);
        check("{}", None, false);
    }
}
