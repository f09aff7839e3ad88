//! A whole file of calls.

use super::{EvalError, eval};
use serde_json::{Map, Value, json};

/// Evaluates a file: one call `{"method": …, "inputs": …}`, a list of calls, or an object with a list `cases`.
///
/// One call gives its output. A list gives a list of `{"id", "method", "output"}` or `{"id", "method", "error"}`, in
/// order: one bad case does not keep the others from their answers.
///
/// # Errors
/// Neither of the three; for a single call, its error.
pub fn eval_document(document: &Value) -> Result<Value, EvalError> {
    let cases = document.as_array().or_else(|| document.get("cases")?.as_array());
    if let Some(cases) = cases {
        return Ok(cases.iter().map(answer).collect());
    }
    let (method, inputs) = call(document).ok_or(EvalError::NotACall)?;
    eval(method, inputs)
}

fn call(case: &Value) -> Option<(&str, &Value)> {
    Some((case.get("method")?.as_str()?, case.get("inputs")?))
}

fn answer(case: &Value) -> Value {
    let mut answer = Map::new();
    for field in ["id", "method"] {
        if let Some(value) = case.get(field) {
            answer.insert(field.to_owned(), value.clone());
        }
    }
    let result = call(case).ok_or(EvalError::NotACall).and_then(|(method, inputs)| eval(method, inputs));
    let (field, value) = match result {
        Ok(output) => ("output", output),
        Err(error) => ("error", json!(error.to_string())),
    };
    answer.insert(field.to_owned(), value);
    Value::Object(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_and_many() {
        let good = json!({ "id": "a", "method": "holm", "inputs": { "p": [0.01, 0.02] } });
        let adjusted = json!({ "adjusted": [0.02, 0.02] });
        assert_eq!(eval_document(&good), Ok(adjusted.clone()));
        let bad = json!({ "id": "b", "method": "holm", "inputs": { "p": [2] } });
        let answers = json!([
            { "id": "a", "method": "holm", "output": adjusted },
            { "id": "b", "method": "holm", "error": "holm: p = 2 is not in [0, 1]" },
            { "error": EvalError::NotACall.to_string() },
        ]);
        assert_eq!(eval_document(&json!([good, bad, 5])), Ok(answers.clone()));
        assert_eq!(eval_document(&json!({ "cases": [good, bad, 5] })), Ok(answers));
        assert_eq!(eval_document(&json!({})), Err(EvalError::NotACall));
        assert!(eval_document(&bad).is_err());
    }

    #[test]
    fn fields_are_checked() {
        let check = |inputs: Value, expect: &str| {
            let error = eval("wilson", &inputs).expect_err("bad input");
            assert_eq!(error.to_string(), expect);
        };
        check(json!([]), "the inputs of wilson are not an object");
        check(json!({ "x": 1 }), "wilson needs the field \"n\"");
        check(json!({ "x": 1, "n": null }), "wilson needs the field \"n\"");
        check(json!({ "x": 1.5, "n": 2 }), "the field \"x\" of wilson is not a count");
        check(json!({ "x": 1, "n": 2, "level": 0.9 }), "wilson knows no field \"level\"");
        check(json!({ "x": 3, "n": 2 }), "wilson: hits = 3 is not in [0, trials]");
        assert_eq!(
            eval("anova", &json!({})).expect_err("unknown").to_string(),
            "no method is called \"anova\""
        );
        assert!(matches!(eval("direct", &json!({})), Err(EvalError::NotCallable(_))));
    }
}
