//! Arguments of the nouns: `task`, `explain`, `schema`, `stats`, `completions`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `infranoise task`
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Fetch or build the images of tasks, so that no sweep has to wait for them
    Build(TaskBuild),
}

/// `infranoise task build`
#[derive(Debug, Args)]
pub struct TaskBuild {
    /// A task folder, or a folder of task folders
    #[arg(short = 'p', long = "path", value_name = "TASKS")]
    pub tasks: PathBuf,
    /// The engine that gets the images: docker or podman
    #[arg(short = 'e', long, default_value = "docker")]
    pub engine: String,
    /// Only tasks whose folder's name matches one of these globs
    #[arg(short = 'i', long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No task whose folder's name matches one of these globs
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Where the log of pulls and builds goes
    #[arg(long, value_name = "FILE", default_value = "images.log")]
    pub log: PathBuf,
    /// JSON to stdout
    #[arg(long)]
    pub json: bool,
}

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
