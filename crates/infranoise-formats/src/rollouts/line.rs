//! One line in, one line out.

use infranoise_core::{Context, Facts, classify};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::facts::facts;
use super::record::Rollout;
use super::verdict;
use crate::exports::ExportOptions;

/// What tells the kinds of lines apart.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    id: Value,
    facts: Option<IgnoredAny>,
    outcome: Option<IgnoredAny>,
}

/// Facts with what is known beyond them; a whole record reads as this too, and is judged anew.
#[derive(Deserialize)]
struct Envelope {
    facts: Facts,
    #[serde(default)]
    context: Context,
}

/// Judges one line of JSON: a [`Rollout`], whole facts (known by their `outcome`), or facts with a context or an old verdict beside them
/// (known by `facts`). Answers with one line of JSON: the verdict, or `{"error": …}` with the line's `id`, if it could be read so far.
#[must_use]
pub fn classify_line(line: &str, options: ExportOptions) -> String {
    judge(line, options)
        .unwrap_or_else(|failure| json!({ "id": failure.id, "error": failure.says }).to_string())
}

/// Why a line could not be judged.
pub(super) struct Failure {
    /// The line's id, if it could be read so far.
    pub(super) id: Value,
    /// What is wrong with it.
    pub(super) says: String,
}

impl Failure {
    /// A line that could not even be read as one.
    pub(super) fn unreadable(says: impl Into<String>) -> Self {
        Self { id: Value::Null, says: says.into() }
    }
}

/// The verdict as a line, or why there is none.
pub(super) fn judge(line: &str, options: ExportOptions) -> Result<String, Failure> {
    if !line.trim_start().starts_with('{') {
        return Err(Failure::unreadable("it is not an object"));
    }
    let head: Head = read(line).map_err(Failure::unreadable)?;
    let Subject { id, facts, context } =
        subject(line, &head).map_err(|says| Failure { id: head.id, says })?;
    let classification = classify(&facts, &context);
    verdict::line(&id, facts, classification, options)
        .map_err(|error| Failure { id, says: error.to_string() })
}

/// What is judged.
struct Subject {
    id: Value,
    facts: Facts,
    context: Context,
}

fn subject(line: &str, head: &Head) -> Result<Subject, String> {
    if head.facts.is_some() {
        let Envelope { facts, context } = read(line)?;
        return Ok(Subject { id: named(&head.id, &facts), facts, context });
    }
    if head.outcome.is_some() {
        let facts: Facts = read(line)?;
        return Ok(Subject { id: named(&head.id, &facts), facts, context: Context::default() });
    }
    let rollout: Rollout = read(line)?;
    let (facts, context) = facts(&rollout)?;
    Ok(Subject { id: rollout.id, facts, context })
}

fn read<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}

/// The line's own id, or else the name of the trial.
fn named(id: &Value, facts: &Facts) -> Value {
    if id.is_null() { Value::from(facts.key.folder()) } else { id.clone() }
}
