//! One line in, one line out.

use infranoise_core::{Context, Facts, classify};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::facts::facts;
use super::record::Rollout;
use super::verdict;
use crate::exports::ExportOptions;

/// Facts with what is known beyond them; a whole record reads as this too, and is judged anew.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Value,
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
    let unread = |id: &Value, says: String| Failure { id: id.clone(), says };
    let value: Value = serde_json::from_str(line).map_err(|error| Failure::unreadable(error.to_string()))?;
    let Some(object) = value.as_object() else {
        return Err(Failure::unreadable("it is not an object"));
    };
    let own_id = object.get("id").cloned().unwrap_or_default();
    let (id, facts, context) = if object.contains_key("facts") {
        let envelope: Envelope = read(value).map_err(|says| unread(&own_id, says))?;
        let id = if envelope.id.is_null() { name(&envelope.facts) } else { envelope.id };
        (id, envelope.facts, envelope.context)
    } else if object.contains_key("outcome") {
        let facts: Facts = read(value).map_err(|says| unread(&own_id, says))?;
        (name(&facts), facts, Context::default())
    } else {
        let rollout: Rollout = read(value).map_err(|says| unread(&own_id, says))?;
        let (facts, context) = facts(&rollout).map_err(|says| unread(&own_id, says))?;
        (rollout.id, facts, context)
    };
    let classification = classify(&facts, &context);
    verdict::line(&id, facts, classification, options).map_err(|error| unread(&id, error.to_string()))
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// The name of a trial whose line has no id of its own.
fn name(facts: &Facts) -> Value {
    Value::from(facts.key.folder())
}
