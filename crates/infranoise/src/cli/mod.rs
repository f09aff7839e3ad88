//! The command line: what can be typed.

use clap::{Parser, Subcommand};

mod compare;
mod decide;
mod look;
mod noun;
mod read;
mod run;

pub use compare::{Compare, Gate, GateFormat, Inconclusive};
pub use decide::{Audit, Gap, InfraArg, Leaderboard, Plan, ScopeOfClaim};
pub use look::{Serve, Watch};
pub use noun::{Completions, Explain, Reference, SchemaArgs, SchemaOf, Stats, Task, TaskBuild};
pub use read::{
    Analyze, Classify, Export, Import, Report, ReportFormat, ReportTheme, Trial, TrialLabel, TrialList,
    TrialShow,
};
pub use run::{
    Concurrency, Demo, Doctor, Gc, NetworkArg, PageCacheArg, Run, ScopeArg, Sweep, VisibleArg, What,
};

/// Find out whether it was a better model or just a bigger VM.
///
/// infranoise runs agentic coding evals under different resource limits, explains each failure with evidence from the kernel, does the
/// statistics, and says whether a score moved because of the model or because of the machine.
#[derive(Debug, Parser)]
#[command(name = "infranoise", version, max_term_width = 110)]
#[command(after_help = "\
Examples:
  infranoise demo                                    a real sweep of bundled tasks on this machine, and a report
  infranoise doctor                                  can this host hold what a sweep asks for?
  infranoise sweep -p tasks -a oracle --ceilings 1x,1.5x,2x,3x,5x,none -k 5
  infranoise sweep -p tasks -a script --dry-run      trials, memory, time, and what it could detect
  infranoise trial list runs/my-sweep --arm 1x --shown ceiling
  infranoise trial show runs/my-sweep spike__1x__0   one trial with all its evidence

Exit codes: 0 done · 1 unexpected · 2 usage · 5 nothing matched · 6 over the limit · 8 unfit host · 9 incomplete ·
10 store or stdout not writable · 130 interrupted, the same command goes on")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    // See it
    /// Sweep the bundled probes on this machine and report (under three minutes)
    Demo(Demo),
    /// Check whether this host can hold what a sweep asks for
    Doctor(Doctor),
    // Run
    /// Try tasks under several resource configurations, interleaved, and report
    Sweep(Sweep),
    /// Try tasks under one resource configuration
    Run(Run),
    /// Look on at a running or finished sweep in the terminal
    Watch(Watch),
    /// Look on in a browser: the report's figures and the running trials, following
    Serve(Serve),
    /// Reclaim what killed processes left: sandboxes, control groups, folders
    Gc(Gc),
    /// Before spending: what does a design detect, and what does it cost?
    Plan(Plan),
    // Read
    /// Read results that you already have: Harbor, Terminal-Bench, SWE-bench, Inspect and others
    Import(Import),
    /// Analyse a sweep: tables, or the whole document with --json
    Analyze(Analyze),
    /// Write the report of a sweep
    Report(Report),
    /// Write trials as CSV, JSON Lines, Parquet, SQLite, JUnit, or a mask for training
    Export(Export),
    /// Look at single trials
    #[command(subcommand)]
    Trial(Trial),
    /// Make the images of tasks ready
    #[command(subcommand)]
    Task(Task),
    // Decide
    /// Two results against each other: comparable? real, noise, or can't it be told?
    Compare(Compare),
    /// For CI: fail on a real regression
    Gate(Gate),
    /// Is a gap between two leaderboard rows distinguishable from none?
    Gap(Gap),
    /// A leaderboard in tiers: which rows can be told apart?
    Leaderboard(Leaderboard),
    /// What does a result disclose of what makes it comparable?
    Audit(Audit),
    // Beside another harness
    /// Verdicts for rollouts as JSON lines, or anew for a sweep
    Classify(Classify),
    // Nouns
    /// Explain a rule of classification, an outcome or a scoring rule
    Explain(Explain),
    /// Print the JSON Schema of a document
    Schema(SchemaArgs),
    /// Statistics by themselves
    #[command(subcommand)]
    Stats(Stats),
    /// Print shell completions
    Completions(Completions),
    /// Print the command reference (Markdown) or man pages
    #[command(hide = true)]
    Reference(Reference),
}

/// A margin in points: a number of at least 0 and at most 100.
fn margin(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(points) if (0.0..=100.0).contains(&points) => Ok(points),
        Ok(_) => Err("a margin is between 0 and 100 points".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
