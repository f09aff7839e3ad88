//! Names of tasks, arms, subjects, trials and sandboxes.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A name that cannot be used, since it also becomes a folder, a control group or a table heading.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` cannot be the name of {what}: {why}")]
pub struct BadName {
    /// What was given.
    pub name: String,
    /// What it should have named.
    pub what: &'static str,
    /// The rule that it breaks.
    pub why: &'static str,
}

/// Checks a name and returns why it cannot be used, if so.
fn refuse(name: &str, slash: bool) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.len() > 120 {
        return Some("it is longer than 120 bytes");
    }
    if name.starts_with('.') || name.starts_with('-') || name.starts_with('/') {
        return Some("it starts with a dot, a dash or a slash");
    }
    if name.split('/').any(|part| part.is_empty() || part == "..") {
        return Some("it has an empty part or `..`");
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-+@".contains(c) || (slash && c == '/');
    if !name.chars().all(fits) {
        return Some("only ASCII letters, digits and . _ - + @ are allowed");
    }
    None
}

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident, $what:literal, $slash:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes a name if it can be used as one.
            ///
            /// # Errors
            /// Says which rule the name breaks.
            pub fn try_new(name: impl Into<String>) -> Result<Self, BadName> {
                let name = name.into();
                match refuse(&name, $slash) {
                    Some(why) => Err(BadName { name, what: $what, why }),
                    None => Ok(Self(name)),
                }
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadName;
            fn try_from(name: String) -> Result<Self, BadName> {
                Self::try_new(name)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

name_type! {
    /// The name of a task: its folder's name, or `org/name`.
    TaskId, "a task", true
}
name_type! {
    /// The name of an arm, as in `3x` or `uncapped`.
    ArmId, "an arm", false
}
name_type! {
    /// The name of a sweep and of its folder.
    SweepId, "a sweep", false
}
name_type! {
    /// The name of one sandbox: unique on the machine, at most 64 bytes, safe as a folder and as a control group.
    SandboxId, "a sandbox", false
}

/// The number of a command inside a sandbox, counted from 0 in the order of starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ExecId(pub u32);

impl fmt::Display for ExecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// Who is being measured: an agent and, if it uses one, a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The agent, as in `claude-code`.
    pub agent: String,
    /// The model, as in `anthropic/claude-opus-4-6`; absent for agents that use none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.model {
            Some(model) => write!(f, "{} with {model}", self.agent),
            None => f.write_str(&self.agent),
        }
    }
}

/// The identity of a planned trial. Resuming a sweep is: planned keys minus recorded keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialKey {
    /// The arm.
    pub arm: ArmId,
    /// Who is being measured.
    pub subject: Subject,
    /// The task.
    pub task: TaskId,
    /// Which replicate, counted from 0.
    pub repeat: u32,
}

impl TrialKey {
    /// The name of the trial's folder: task, arm and repeat, with slashes replaced.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("{}__{}__{}", self.task.as_str().replace('/', "~"), self.arm, self.repeat)
    }
}

impl fmt::Display for TrialKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {} · repeat {}", self.task, self.arm, self.repeat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_their_folder_are_refused() {
        let cases = [
            ("bn-fit-modify", true),
            ("org/name", true),
            ("a/../b", false),
            ("/etc", false),
            ("..", false),
            (".hidden", false),
            ("-rf", false),
            ("", false),
            ("with space", false),
            ("emoji😀", false),
            ("a//b", false),
        ];
        for (name, fits) in cases {
            assert_eq!(TaskId::try_new(name).is_ok(), fits, "{name}");
        }
        assert!(ArmId::try_new("a/b").is_err());
        assert!(serde_json::from_str::<TaskId>("\"../x\"").is_err(), "reading checks too");
    }
}
