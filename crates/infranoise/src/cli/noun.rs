//! Arguments of the nouns: `explain`, `schema`, `stats`, `completions`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `infranoise explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// A rule id, an outcome, a scoring rule, or `provider`; without one, everything that can be explained
    pub what: Option<String>,
}

/// `infranoise schema`
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which document
    #[arg(value_enum)]
    pub document: SchemaOf,
}

/// A document with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// `analyze --json`
    Analysis,
    /// `plan.json`
    Plan,
    /// The record of a trial
    Trial,
    /// A line of the journal
    Event,
}

/// `infranoise stats`
#[derive(Debug, Subcommand)]
pub enum Stats {
    /// Evaluate methods by name: a JSON file with one case, a list of cases, or the form of the oracle file
    Eval {
        /// The file; `-` is stdin
        file: PathBuf,
    },
}

/// `infranoise completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `infranoise reference`
#[derive(Debug, Args)]
pub struct Reference {
    /// Write man pages to this folder instead
    #[arg(long)]
    pub man: Option<PathBuf>,
}
