//! The name of an enum member as it stands in the journal: `not_started`, `by_kernel`, `sandbox_ended`.

use serde::Serialize;
use serde_json::Value;

/// The member's name, without what it holds.
pub(crate) fn word(member: &impl Serialize) -> String {
    match serde_json::to_value(member) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(fields)) => fields.into_iter().next().map(|(name, _)| name).unwrap_or_default(),
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::{Blame, Held, Phase, Resource, Shown, Stop};

    #[test]
    fn members_are_called_as_in_the_journal() {
        assert_eq!(word(&Shown::NotStarted), "not_started");
        assert_eq!(word(&Phase::Setup), "setup");
        assert_eq!(word(&Blame::Ceiling { resource: Resource::Memory }), "ceiling");
        assert_eq!(word(&Stop::Deadline { limit_ms: 1 }), "deadline");
        assert_eq!(word(&Held::NotAsked), "not_asked");
    }
}
