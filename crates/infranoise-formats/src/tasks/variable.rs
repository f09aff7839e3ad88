//! Values of environment variables in a task file: plain text, or taken from the host's environment when a trial starts.

/// A value as the task file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Template {
    /// Plain text.
    Plain(String),
    /// `${NAME}` or `${NAME:-default}`: the whole value comes from the host.
    FromHost {
        /// The name of the host's variable.
        name: String,
        /// What holds if the host has none.
        default: Option<String>,
    },
}

/// A variable of the host that a task needs and that is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the task takes `{variable}` from `{name}` of the host's environment, which is not set; set it, or give a default in the task as ${{{name}:-value}}"
)]
pub struct NotSet {
    /// The variable that the task sets.
    pub variable: String,
    /// The host's variable.
    pub name: String,
}

impl Template {
    /// Reads a value. Only a value that is a reference from end to end is one, as in Harbor.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let inner = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let Some(inner) = inner else { return Self::Plain(text.to_owned()) };
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default.to_owned())),
            None => (inner, None),
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Self::Plain(text.to_owned());
        }
        Self::FromHost { name: name.to_owned(), default }
    }

    /// The value, with the host's environment given as a function.
    ///
    /// # Errors
    /// If the host has no such variable and the task gives no default.
    pub fn resolve(&self, variable: &str, host: &dyn Fn(&str) -> Option<String>) -> Result<String, NotSet> {
        match self {
            Self::Plain(text) => Ok(text.clone()),
            Self::FromHost { name, default } => host(name)
                .or_else(|| default.clone())
                .ok_or_else(|| NotSet { variable: variable.to_owned(), name: name.clone() }),
        }
    }
}

/// Resolves a whole list of variables.
///
/// # Errors
/// The first that the host does not have.
pub fn resolve_all(
    variables: &[(String, Template)],
    host: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<(String, String)>, NotSet> {
    variables.iter().map(|(name, value)| Ok((name.clone(), value.resolve(name, host)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_from_the_host_only_where_the_whole_value_says_so() {
        let host = |name: &str| (name == "SET").then(|| "from host".to_owned());
        let cases = [
            ("plain", Some("plain")),
            ("", Some("")),
            ("${SET}", Some("from host")),
            ("${UNSET:-fallback}", Some("fallback")),
            ("${UNSET:-}", Some("")),
            ("${UNSET}", None),
            ("a ${SET} b", Some("a ${SET} b")),
            ("${}", Some("${}")),
            ("${not a name}", Some("${not a name}")),
        ];
        for (text, expected) in cases {
            assert_eq!(Template::parse(text).resolve("V", &host).ok().as_deref(), expected, "{text}");
        }
        let missing = Template::parse("${KEY}").resolve("V", &host).expect_err("missing");
        assert!(missing.to_string().contains("${KEY:-value}"), "{missing}");
    }
}
