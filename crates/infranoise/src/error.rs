//! What a person reads when a command cannot do what it was asked: what went wrong, and what to do about it.

use std::fmt::Display;

use infranoise_sandbox::contract::EngineError;
use infranoise_store::StoreError;

use crate::exit::Exit;

/// A command that failed.
#[derive(Debug)]
pub struct CommandError {
    exit: Exit,
    what: String,
    hints: Vec<String>,
}

impl CommandError {
    /// An error with an exit code.
    pub fn new(exit: Exit, what: impl Display) -> Self {
        Self { exit, what: what.to_string(), hints: Vec::new() }
    }

    /// A wrong command line or configuration.
    pub fn usage(what: impl Display) -> Self {
        Self::new(Exit::Usage, what)
    }

    /// Adds something that the person can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// What went wrong.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What the person can do.
    #[must_use]
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        let exit = match &error {
            StoreError::Io { .. } if error.not_writable() => Exit::NotWritable,
            StoreError::NoSweep { .. } => Exit::NothingMatched,
            StoreError::Locked { .. }
            | StoreError::PlanChanged { .. }
            | StoreError::Imported { .. }
            | StoreError::TooNew { .. }
            | StoreError::Malformed { .. } => Exit::Usage,
            StoreError::Io { .. } => Exit::Unexpected,
        };
        let made = Self::new(exit, &error);
        if exit == Exit::NotWritable {
            return made.hint(
                "free some space or choose another folder with --out; what was recorded so far is safe",
            );
        }
        made
    }
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> Self {
        Self::new(Exit::Unfit, error).hint("`infranoise doctor` says what this host lacks")
    }
}

/// For `map_err` on something that the system refused.
pub fn at<'p>(doing: &'p str, path: &'p std::path::Path) -> impl FnOnce(std::io::Error) -> CommandError + 'p {
    move |source| {
        let exit = if doing.starts_with("write") { Exit::NotWritable } else { Exit::Usage };
        CommandError::new(exit, format!("{doing} `{}`: {source}", path.display()))
    }
}
