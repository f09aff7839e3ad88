//! Arguments of `compare` and `gate`.

use clap::{Args, ValueEnum};

use super::decide::{InfraArg, infra};

/// `infranoise compare`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise compare runs/base runs/head
  infranoise compare runs/sweep@1x runs/sweep@3x     two arms of one sweep
  infranoise compare runs/base runs/head --infra matched --json

Exit codes: 0 real or noise · 4 can't tell · 7 not comparable")]
pub struct Compare {
    /// The base: a sweep's folder or a foreign result, with `@ARM` if it has several
    pub base: String,
    /// The others, each compared with the base
    #[arg(required = true)]
    pub others: Vec<String>,
    /// Equivalence margin in points
    #[arg(long, value_name = "POINTS", default_value_t = 3.0, value_parser = super::margin)]
    pub margin: f64,
    /// What is known of the machines: unknown, matched, within-3x, or the largest shift in points; by default what the records show
    #[arg(long, value_parser = infra)]
    pub infra: Option<InfraArg>,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// What an inconclusive comparison means for a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Inconclusive {
    /// It passes, with exit code 0
    Pass,
    /// It fails, with exit code 4
    Fail,
}

/// The form of a gate's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// A few lines
    Text,
    /// Markdown for a pull-request comment
    Md,
    /// JUnit XML
    Junit,
    /// JSON
    Json,
}

/// `infranoise gate`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise gate runs/base runs/head                in CI: fails on a real regression
  infranoise gate runs/base runs/head --format md --inconclusive pass

Exit codes: 0 no regression · 3 real regression · 4 inconclusive · 7 not comparable")]
pub struct Gate {
    /// The base: a sweep's folder or a foreign result, with `@ARM` if it has several
    pub base: String,
    /// The head
    pub head: String,
    /// A drop of less than this many points is no regression
    #[arg(long, value_name = "POINTS", default_value_t = 3.0, value_parser = super::margin)]
    pub margin: f64,
    /// What is known of the machines: unknown, matched, within-3x, or the largest shift in points; by default what the records show
    #[arg(long, value_parser = infra)]
    pub infra: Option<InfraArg>,
    /// What an inconclusive comparison means
    #[arg(long, value_enum, default_value_t = Inconclusive::Fail)]
    pub inconclusive: Inconclusive,
    /// The form of the answer on stdout
    #[arg(long, value_enum, default_value_t = GateFormat::Text)]
    pub format: GateFormat,
}
