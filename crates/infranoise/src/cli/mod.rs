//! The command line: what can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod compare;
mod decide;

pub use compare::{Compare, Gate, GateFormat, Inconclusive};
pub use decide::{Audit, Gap, InfraArg, Leaderboard, Plan, ScopeOfClaim};

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
10 store not writable · 130 interrupted, the same command goes on")]
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

/// `infranoise demo`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  infranoise demo --out /tmp/demo    keep the sweep and the report there")]
pub struct Demo {
    /// Where the sweep's folder goes
    #[arg(short, long, default_value = "runs", env = "INFRANOISE_OUT")]
    pub out: PathBuf,
    /// Repeats of each task in each arm
    #[arg(short = 'k', long, default_value_t = 2)]
    pub repeats: u32,
    /// What dies when memory runs over its ceiling
    #[arg(long, value_enum, default_value_t = ScopeArg::Trial)]
    pub kill_scope: ScopeArg,
    /// The seed of order and draws
    #[arg(long, default_value_t = 20_260_205)]
    pub seed: u64,
    /// How many trials at once: `auto` or a number
    #[arg(short = 'n', long, default_value = "auto", value_parser = concurrency)]
    pub concurrency: Concurrency,
    /// Write the bundled tasks to this folder and stop
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,
    /// Print the analysis as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise doctor`
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print the findings as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// What dies when memory runs over its ceiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// One process, chosen by the kernel
    Process,
    /// The command with its whole tree
    Exec,
    /// The whole trial
    Trial,
}

/// What network sandboxes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetworkArg {
    /// Nothing but loopback
    None,
    /// The host's: only for tasks and agents that you trust
    Host,
}

/// How many trials at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// As many as the floors allow.
    Auto,
    /// At most this many.
    AtMost(u32),
}

fn concurrency(text: &str) -> Result<Concurrency, String> {
    match text {
        "auto" => Ok(Concurrency::Auto),
        _ => match text.parse::<u32>() {
            Ok(n) if n > 0 => Ok(Concurrency::AtMost(n)),
            Ok(_) | Err(_) => Err("write `auto` or a number above 0".to_owned()),
        },
    }
}

/// What tasks, agent and engine: the same for `sweep` and `run`.
#[derive(Clone, Debug, Args)]
pub struct What {
    /// A task folder, or a folder of task folders
    #[arg(short = 'p', long = "path", value_name = "TASKS")]
    pub tasks: Option<PathBuf>,
    /// The agent: oracle, nop, script, or command (with the program after `--`)
    #[arg(short = 'a', long)]
    pub agent: Option<String>,
    /// The model, for the record
    #[arg(short = 'm', long)]
    pub model: Option<String>,
    /// Repeats of each task in each arm
    #[arg(short = 'k', long)]
    pub repeats: Option<u32>,
    /// How many trials at once: `auto` (as the floors allow) or a number; may change when a sweep goes on
    #[arg(short = 'n', long, default_value = "auto", value_parser = concurrency)]
    pub concurrency: Concurrency,
    /// The engine
    #[arg(short = 'e', long, default_value = "local")]
    pub engine: String,
    /// Only tasks whose folder's name matches one of these globs
    #[arg(short = 'i', long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No task whose folder's name matches one of these globs
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Only the first so many tasks
    #[arg(short = 'l', long, value_name = "N")]
    pub first: Option<usize>,
    /// What 1x means where a task states nothing: `harbor-0.8` (1 CPU, 2 GiB, 10 GiB) or `memory=2GiB,cpu=1,storage=10GiB`
    #[arg(long, value_name = "SPEC")]
    pub assume_spec: Option<String>,
    /// The sandbox's root: `host` (this machine's programs), a folder or a tar file
    #[arg(long, value_name = "ROOT")]
    pub rootfs: Option<String>,
    /// What network sandboxes have
    #[arg(long, value_enum, default_value_t = NetworkArg::None)]
    pub network: NetworkArg,
    /// What dies when memory runs over its ceiling
    #[arg(long, value_enum)]
    pub kill_scope: Option<ScopeArg>,
    /// Scale of every wall-clock limit, or `none`
    #[arg(long, value_name = "FACTOR")]
    pub timeout_scale: Option<String>,
    /// End every process of the agent before grading, daemons too
    #[arg(long)]
    pub quiesce: bool,
    /// The seed of order and draws
    #[arg(long)]
    pub seed: Option<u64>,
    /// Attempts after the first for trials that did not start
    #[arg(long, value_name = "N")]
    pub retry_not_started: Option<u32>,
    /// Attempts after the first for any fault; scores are then *after retry*
    #[arg(long, value_name = "N")]
    pub retry: Option<u32>,
    /// Stop when more than this share of trials end in a fault or do not start, as in `20%/50`
    #[arg(long, value_name = "SHARE/TRIALS")]
    pub abort_infra: Option<String>,
    /// The sweep's name; by default it follows from the command, so that the same command goes on
    #[arg(long)]
    pub name: Option<String>,
    /// Where the sweep's folder goes
    #[arg(short, long, default_value = "runs", env = "INFRANOISE_OUT")]
    pub out: PathBuf,
    /// Say what would be done, what it would need and what it could detect; do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the analysis (or the plan, with --dry-run) as JSON to stdout
    #[arg(long)]
    pub json: bool,
    /// The program of the agent `command`, with its arguments; `{instruction}` stands for the task's instruction
    #[arg(last = true, value_name = "PROGRAM")]
    pub program: Vec<String>,
}

/// `infranoise sweep`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise sweep -p tasks -a oracle --ceilings 1x,1.5x,2x,3x,5x,none -k 5
  infranoise sweep -c infranoise.toml                arms, bands and everything else from a file
  infranoise sweep -p tasks -a script --dry-run      what would it need, what could it detect?
  infranoise sweep ... (the same command again)      goes on where it stopped")]
pub struct Sweep {
    /// What tasks, agent and engine
    #[command(flatten)]
    pub what: What,
    /// A sweep as a file
    #[arg(short = 'c', long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Ceilings on memory and CPU together, as multiples of the task spec, one arm each
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ceilings: Vec<String>,
    /// Ceilings on memory alone, one arm each; CPU stays at the task spec
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "ceilings")]
    pub memory_ceilings: Vec<String>,
    /// Add the 2x2 of memory and CPU at the extremes
    #[arg(long)]
    pub split: bool,
    /// Besides the first arm, the one that others are compared with
    #[arg(long, value_name = "ARM")]
    pub reference: Option<String>,
    /// Equivalence margin in percentage points, fixed before the first trial
    #[arg(long, value_name = "POINTS")]
    pub margin: Option<f64>,
    /// Spread blocks at random over this span, as in `3d` or `12h`
    #[arg(long, value_name = "SPAN", conflicts_with = "windows")]
    pub spread: Option<String>,
    /// Start blocks in these windows of the day (hours, UTC), as in `02-06,14-18`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub windows: Vec<String>,
}

/// `infranoise run`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  infranoise run -p tasks -a oracle --band 1x..3x -k 5")]
pub struct Run {
    /// What tasks, agent and engine
    #[command(flatten)]
    pub what: What,
    /// Floor and ceiling as multiples of the task spec, or amounts of memory: `1x..3x`, `1x..none`, `512MiB..2GiB`
    #[arg(long, value_name = "FLOOR..CEILING", default_value = "1x..1x")]
    pub band: String,
}

/// `infranoise gc`
#[derive(Debug, Args)]
pub struct Gc {
    /// Print what was reclaimed as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise import`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise import jobs/2026-11-28                  a Harbor job, or a folder of them
  infranoise import results.json --name mine && infranoise report runs/mine")]
pub struct Import {
    /// Folders or files with results; what they are is found out
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// The name of the imported sweep
    #[arg(long)]
    pub name: Option<String>,
    /// Where its folder goes
    #[arg(short, long, default_value = "runs", env = "INFRANOISE_OUT")]
    pub out: PathBuf,
    /// Print the analysis as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise analyze`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise analyze runs/my-sweep
  infranoise analyze runs/model-a runs/model-b       several subjects over the same arms: does the ranking hold in every arm?")]
pub struct Analyze {
    /// The sweep's folder, or a foreign result; several are compared as subjects over their common arms
    #[arg(required = true)]
    pub sweeps: Vec<PathBuf>,
    /// Print the whole document as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// One self-contained page
    Html,
    /// Markdown
    Md,
    /// The analysis document
    Json,
}

/// `infranoise report`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  infranoise report runs/my-sweep\n  infranoise report runs/my-sweep --format md -o -"
)]
pub struct Report {
    /// The sweep's folder
    pub sweep: PathBuf,
    /// The form
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    pub format: ReportFormat,
    /// Where to; `-` is stdout, the default is beside the sweep
    #[arg(short, long)]
    pub output: Option<PathBuf>,
}

/// `infranoise export`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise export runs/my-sweep -o trials.csv
  infranoise export runs/my-sweep -o trials.parquet
  infranoise export runs/my-sweep -o mask.mask.jsonl --drop-ceiling
  infranoise export runs/my-sweep --format jsonl     to stdout

docs/exports.md says what each column holds.")]
pub struct Export {
    /// A sweep's folder or a foreign result
    pub result: PathBuf,
    /// Where to; its ending says the format. `-` is stdout
    #[arg(short, long, default_value = "-")]
    pub output: PathBuf,
    /// The format, if the ending does not say it; `list` lists them
    #[arg(long)]
    pub format: Option<String>,
    /// Mask: drop ceiling kills as faults are
    #[arg(long)]
    pub drop_ceiling: bool,
    /// CSV: put an apostrophe before text that a spreadsheet would take for a formula
    #[arg(long)]
    pub defuse_formulas: bool,
}

/// `infranoise classify`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  my-training-loop | infranoise classify --stream     one JSON line in, one verdict out (docs/exports.md has the fields)
  infranoise classify runs/my-sweep                   would the rules of this program judge it otherwise?")]
pub struct Classify {
    /// A sweep's folder or a foreign result
    pub result: Option<PathBuf>,
    /// Read JSON lines from stdin, write verdicts to stdout
    #[arg(long)]
    pub stream: bool,
    /// In the stream's mask, drop ceiling kills as faults are
    #[arg(long)]
    pub drop_ceiling: bool,
}

/// `infranoise trial`
#[derive(Debug, Subcommand)]
pub enum Trial {
    /// List trials, with filters
    List(TrialList),
    /// Show one trial with all its evidence
    Show(TrialShow),
    /// Print the logs of one trial
    Logs(TrialShow),
    /// Draw a blind sample for people to judge, and from their labels the classifier's precision and recall
    Label(TrialLabel),
}

/// `infranoise trial list`
#[derive(Debug, Args)]
pub struct TrialList {
    /// The sweep's folder
    pub sweep: PathBuf,
    /// Only this arm
    #[arg(long)]
    pub arm: Option<String>,
    /// Only this task
    #[arg(short = 't', long)]
    pub task: Option<String>,
    /// Only trials shown as: pass, fail, ceiling, fault, undetermined, not-started
    #[arg(long)]
    pub shown: Option<String>,
    /// Only this cause, as in `oom` or `reward-missing`
    #[arg(long)]
    pub cause: Option<String>,
    /// Only trials that this rule decided
    #[arg(long)]
    pub rule: Option<String>,
    /// Only trials whose evidence is at best: observed, partial, unavailable, unsupported
    #[arg(long)]
    pub evidence: Option<String>,
    /// Only trials that lived through a resource event
    #[arg(long)]
    pub survived: bool,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise trial show`
#[derive(Debug, Args)]
pub struct TrialShow {
    /// The sweep's folder
    pub sweep: PathBuf,
    /// The trial: its folder's name, or the beginning of it
    pub trial: String,
    /// Print JSON to stdout
    #[arg(long)]
    pub json: bool,
}

/// `infranoise trial label`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise trial label runs/my-sweep --draw 60 -o sheet.json
  infranoise trial label runs/my-sweep --judged sheet.json")]
pub struct TrialLabel {
    /// A sweep's folder or a foreign result
    pub result: PathBuf,
    /// How many trials to draw, by verdict
    #[arg(long, default_value_t = 60)]
    pub draw: u64,
    /// The seed of the draw; by default the sweep's
    #[arg(long)]
    pub seed: Option<u64>,
    /// Where the sheet goes; `-` is stdout
    #[arg(short, long, default_value = "-")]
    pub output: PathBuf,
    /// A sheet that people have judged
    #[arg(long, value_name = "SHEET")]
    pub judged: Option<PathBuf>,
    /// Print the report as JSON to stdout
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
