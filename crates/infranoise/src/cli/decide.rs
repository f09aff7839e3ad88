//! Arguments of what decides: `plan`, `gap`.

use clap::{Args, ValueEnum};
use infranoise_analysis::design::InfraAssumption;

/// `infranoise plan`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise plan --tasks 89 -k 5                    what can 89 tasks x 5 repeats see?
  infranoise plan --tasks 89 -k 10 --arms 6 --tokens 450000 --usd-per-million 3 --at-once 100
  infranoise sweep ... --dry-run                     the same for real tasks, with memory and limits")]
pub struct Plan {
    /// Tasks
    #[arg(long)]
    pub tasks: u64,
    /// Repeats of each task in each arm
    #[arg(short = 'k', long, default_value_t = 5)]
    pub repeats: u64,
    /// Arms
    #[arg(long, default_value_t = 6)]
    pub arms: u64,
    /// The expected score in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 60.0)]
    pub score: f64,
    /// Share of a trial's variance that lies between tasks; from your own results, else 0.5 is cautious
    #[arg(long, default_value_t = 0.5)]
    pub rho: f64,
    /// Standard deviation of the effect between tasks in points, for claims about tasks like these
    #[arg(long, value_name = "POINTS", default_value_t = 10.0)]
    pub effect_sd: f64,
    /// The effect that is to be found, in points
    #[arg(long, value_name = "POINTS", default_value_t = 6.0)]
    pub effect: f64,
    /// Equivalence margin in points
    #[arg(long, value_name = "POINTS", default_value_t = 3.0, value_parser = super::margin)]
    pub margin: f64,
    /// Looks at the data on the way, after whole rounds
    #[arg(long, default_value_t = 5)]
    pub looks: u32,
    /// Mean time of a trial in minutes
    #[arg(long, default_value_t = 12.0)]
    pub minutes: f64,
    /// Trials at once
    #[arg(long, default_value_t = 10)]
    pub at_once: u32,
    /// Tokens in and out of a trial
    #[arg(long, default_value_t = 450_000.0)]
    pub tokens: f64,
    /// Price of a million tokens in US dollars
    #[arg(long, value_name = "USD", default_value_t = 2.0)]
    pub usd_per_million: f64,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// What is known of the machines behind two results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InfraArg {
    /// Nothing.
    Unknown,
    /// Documented and the same.
    Matched,
    /// Both within 1x to 3x of the task spec.
    WithinThree,
    /// A shift in points.
    Points(f64),
}

pub(super) fn infra(text: &str) -> Result<InfraArg, String> {
    match text {
        "unknown" => Ok(InfraArg::Unknown),
        "matched" => Ok(InfraArg::Matched),
        "within-3x" => Ok(InfraArg::WithinThree),
        _ => match text.parse::<f64>() {
            Ok(points) if (0.0..=100.0).contains(&points) => Ok(InfraArg::Points(points)),
            Ok(_) | Err(_) => Err("write unknown, matched, within-3x, or a shift in points".to_owned()),
        },
    }
}

impl InfraArg {
    /// The same as an assumption.
    #[must_use]
    pub fn assumption(self) -> InfraAssumption {
        match self {
            Self::Unknown => InfraAssumption::Unknown,
            Self::Matched => InfraAssumption::Matched,
            Self::WithinThree => InfraAssumption::WithinThreeTimes,
            Self::Points(points) => InfraAssumption::Shift(points / 100.0),
        }
    }
}

/// What a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeOfClaim {
    /// These very tasks
    These,
    /// Tasks like these
    New,
}

/// `infranoise gap`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise gap 72 69 --tasks 89 --repeats 5        is a 3-point gap distinguishable?
  infranoise gap 72 69 --tasks 89 --repeats 5 --infra matched --rho 0.6

Exit codes: 0 distinguishable · 4 can't tell")]
pub struct Gap {
    /// The first score in percent
    pub first: f64,
    /// The second score in percent
    pub second: f64,
    /// Tasks of the benchmark
    #[arg(long)]
    pub tasks: u32,
    /// Repeats of each task, of the first row or of both
    #[arg(long)]
    pub repeats: u32,
    /// Repeats of the second row, if they differ
    #[arg(long)]
    pub repeats_second: Option<u32>,
    /// Share of a trial's variance that lies between tasks; 0.5 is cautious
    #[arg(long, default_value_t = 0.5)]
    pub rho: f64,
    /// What is known of the machines: unknown, matched, within-3x, or the largest shift in points
    #[arg(long, default_value = "unknown", value_parser = infra)]
    pub infra: InfraArg,
    /// Claim about these tasks, or about tasks like these
    #[arg(long, value_enum, default_value_t = ScopeOfClaim::These)]
    pub scope: ScopeOfClaim,
    /// Correlation of task difficulties between the two, for claims about tasks like these
    #[arg(long, default_value_t = 0.8)]
    pub correlation: f64,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise leaderboard`
#[derive(Debug, Args)]
#[command(after_help = "\
A CSV file needs the columns name, score (percent), tasks, repeats, and may have resources (rows that say the same are matched).

Examples:
  infranoise leaderboard board.csv
  infranoise leaderboard submissions/                every result in the folder becomes a row")]
pub struct Leaderboard {
    /// A CSV file of rows, or a folder of results
    pub board: std::path::PathBuf,
    /// Share of a trial's variance that lies between tasks; 0.5 is cautious
    #[arg(long, default_value_t = 0.5)]
    pub rho: f64,
    /// What is assumed of rows whose resources are not disclosed or differ
    #[arg(long, default_value = "unknown", value_parser = infra)]
    pub infra: InfraArg,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise audit`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  infranoise audit runs/my-sweep\n  infranoise audit jobs/2026-11-28 --statement"
)]
pub struct Audit {
    /// A sweep's folder or a foreign result
    pub result: std::path::PathBuf,
    /// Print the methods paragraph instead of the score card
    #[arg(long)]
    pub statement: bool,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}
