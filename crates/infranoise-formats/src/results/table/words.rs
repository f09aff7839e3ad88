//! Values that are not of their column: each is a loss, so that nobody takes a slip of the pen for a measurement.

use infranoise_core::{Cause, Phase, Resource};

use super::row::Row;

/// What `blame` may say.
const BLAMES: [&str; 7] = ["nobody", "agent", "ceiling", "fault", "task", "undetermined", "not_started"];

/// The columns of a row whose value cannot be read, with what would be.
pub(super) fn unreadable(row: &Row) -> Vec<(&'static str, String)> {
    let checks: [(&'static str, bool, &str); 7] = [
        ("pass", row.truth("pass").is_some(), "true or false"),
        ("infra", row.truth("infra").is_some(), "true or false"),
        ("reward", row.number("reward").is_some(), "a number"),
        ("blame", row.text("blame").is_some_and(|word| BLAMES.contains(&word.as_str())), "a known blame"),
        ("cause", row.word::<Cause>("cause").is_some(), "a known cause"),
        ("phase", row.word::<Phase>("phase").is_some(), "a phase"),
        ("resource", row.word::<Resource>("resource").is_some(), "a resource"),
    ];
    let bad = checks.into_iter().filter(|(name, readable, _)| row.has(name) && !readable);
    bad.map(|(name, _, wanted)| {
        let said: String =
            row.text(name).unwrap_or_else(|| "no plain value".to_owned()).chars().take(60).collect();
        (name, format!("`{said}` is not {wanted}; see docs/import-schema.md"))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_named_and_good_rows_are_not() {
        let row = |value: serde_json::Value| match value {
            serde_json::Value::Object(object) => Row::from_object(object),
            _ => panic!("an object"),
        };
        let good = row(
            serde_json::json!({ "pass": "no", "infra": 1, "blame": "fault", "cause": "time_out", "phase": "agent" }),
        );
        assert_eq!(unreadable(&good), []);
        let bad = row(
            serde_json::json!({ "pass": "maybe", "blame": "gremlin", "reward": "much", "phase": "lunch" }),
        );
        let names: Vec<&str> = unreadable(&bad).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["pass", "reward", "blame", "phase"]);
    }
}
