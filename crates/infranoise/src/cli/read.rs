//! Arguments of what reads results: `import`, `analyze`, `report`, `export`, `classify`, `trial`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
    /// The name of the imported sweep; importing the same paths again does it anew, other paths under its name are refused
    #[arg(long)]
    pub name: Option<String>,
    /// Folder with the task files, if they do not lie beside Harbor's results; may be repeated
    #[arg(long, value_name = "DIR")]
    pub tasks: Vec<PathBuf>,
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
    /// The analysis document; with --figure, its table
    Json,
    /// Figures as drawings
    Svg,
    /// Figures in pixels
    Png,
    /// A page for paper: light, without scripts, everything opened; print it from any browser
    PdfReady,
    /// Tables for papers (booktabs)
    Latex,
    /// Trials as JUnit XML, for continuous integration
    Junit,
}

/// The colours of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportTheme {
    /// Dark on light
    #[default]
    Light,
    /// Light on dark
    Dark,
}

/// `infranoise report`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise report runs/my-sweep
  infranoise report runs/my-sweep --format md -o -
  infranoise report runs/my-sweep --figure headroom --format png
  infranoise report runs/my-sweep --format svg -o figures     every figure into a folder
  infranoise report runs/model-a --compare runs/model-b

`--figure list` lists the figures. Without --figure, svg and png write all of them.")]
pub struct Report {
    /// A sweep's folder or a foreign result
    pub sweep: PathBuf,
    /// The form
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    pub format: ReportFormat,
    /// Only this figure (svg, png, md, json, latex)
    #[arg(long, value_name = "NAME")]
    pub figure: Option<String>,
    /// Set another result against it; of several arms `RESULT@ARM` names one
    #[arg(long, value_name = "RESULT")]
    pub compare: Option<String>,
    /// The colours of svg and png
    #[arg(long, value_enum, default_value_t = ReportTheme::Light)]
    pub theme: ReportTheme,
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
  my-training-loop | infranoise classify --stream     one JSON line in, one verdict out (docs/classify-stream.md has the fields)
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
