//! Every oracle case goes through `eval`, within its own tolerance.
//!
//! `data/vectors.json` was made with SciPy, statsmodels and R; see `data/README.md`.

use infranoise_stats::eval::eval;
use serde_json::Value;
use std::collections::BTreeSet;

const VECTORS: &str = include_str!("../../data/vectors.json");

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(VECTORS).expect("the oracle file is JSON");
    file["cases"].as_array().expect("a list of cases").clone()
}

/// Fields that Monte Carlo made; the rest of such a case is exact to this tolerance.
const SAMPLED: &[&str] = &["boot_share", "lo", "hi"];
const EXACT: f64 = 1e-9;

fn check(id: &str, path: &str, got: &Value, expected: &Value, tolerance: f64, problems: &mut Vec<String>) {
    let mut differs = |what: String| problems.push(format!("{id}: {path}: {what}"));
    match (got, expected) {
        (Value::Object(got), Value::Object(expected)) => {
            for (name, expected) in expected {
                let got = got.get(name).unwrap_or(&Value::Null);
                let monte_carlo = tolerance == 1e-2 && !SAMPLED.contains(&name.as_str());
                check(
                    id,
                    &format!("{path}.{name}"),
                    got,
                    expected,
                    if monte_carlo { EXACT } else { tolerance },
                    problems,
                );
            }
        }
        (Value::Array(got), Value::Array(expected)) if got.len() == expected.len() => {
            for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
                check(id, &format!("{path}[{index}]"), got, expected, tolerance, problems);
            }
        }
        (Value::Number(got), Value::Number(expected)) => {
            let [got, expected] = [got, expected].map(|number| number.as_f64().unwrap_or(f64::NAN));
            let error = (got - expected).abs() / expected.abs().max(1.0);
            if error.is_nan() || error > tolerance {
                differs(format!("{got} instead of {expected}, error {error:e} > {tolerance:e}"));
            }
        }
        _ if got == expected => {}
        _ => differs(format!("{got} instead of {expected}")),
    }
}

#[test]
fn every_case_is_within_its_tolerance() {
    let cases = cases();
    let mut problems = Vec::new();
    for case in &cases {
        let (id, method) = (case["id"].as_str().unwrap(), case["method"].as_str().unwrap());
        match eval(method, &case["inputs"]) {
            Ok(got) => check(id, "", &got, &case["expected"], case["tol"].as_f64().unwrap(), &mut problems),
            Err(error) => problems.push(format!("{id}: {error}")),
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert_eq!(cases.len(), 122);
    let methods: BTreeSet<_> = cases.iter().map(|case| case["method"].as_str().unwrap()).collect();
    assert_eq!(methods.len(), 42);
}
