//! Arguments of what carries out trials: `demo`, `sweep`, `run`, and what looks after the host.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
    /// The engine: local, docker or podman
    #[arg(short = 'e', long, default_value = "local")]
    pub engine: String,
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

/// What a sandbox sees of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VisibleArg {
    /// The host's memory and processors
    Host,
    /// The trial's own ceilings, in the files where programs look
    Limits,
}

/// Whether files are in the page cache when a trial begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PageCacheArg {
    /// As it happens to be: warm after a task's first trial
    AsFound,
    /// Dropped before each trial, for the whole host
    Cold,
}

/// What network sandboxes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetworkArg {
    /// Nothing but loopback
    None,
    /// The host's: only for tasks and agents that you trust
    Host,
    /// A link of its own to what `--allow` names, and to nothing else
    Bridge,
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
    /// Repeats of each task in each arm [default: 5]
    #[arg(short = 'k', long)]
    pub repeats: Option<u32>,
    /// How many trials at once: `auto` (as the floors allow) or a number; may change when a sweep goes on
    #[arg(short = 'n', long, default_value = "auto", value_parser = concurrency)]
    pub concurrency: Concurrency,
    /// The engine: local, docker or podman (on this host, at DOCKER_HOST or CONTAINER_HOST if that is set)
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
    /// The sandbox's root: `task` (each task's own image), or what stands in for it: `host` (this machine's programs), `image:NAME`, a folder
    /// or a tar file [default: host; with a container engine: task]
    #[arg(long, value_name = "ROOT")]
    pub rootfs: Option<String>,
    /// What network sandboxes have [default: none]
    #[arg(long, value_enum)]
    pub network: Option<NetworkArg>,
    /// What a bridged sandbox may reach: IPv4 addresses or networks with or without ports, as in `10.0.0.0/8:443,192.0.2.7`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// What dies when memory runs over its ceiling [default: trial]
    #[arg(long, value_enum)]
    pub kill_scope: Option<ScopeArg>,
    /// The most disk space that a trial may use, in every arm that does not say otherwise: `10GiB`, a multiple of the task spec, or `none` [default:
    /// none]
    #[arg(long, value_name = "CEILING")]
    pub storage_ceiling: Option<String>,
    /// What sandboxes see of the machine [default: host]
    #[arg(long, value_enum)]
    pub visible: Option<VisibleArg>,
    /// Whether files are in the page cache when a trial begins [default: as-found]
    #[arg(long, value_enum)]
    pub page_cache: Option<PageCacheArg>,
    /// Scale of every wall-clock limit, or `none`
    #[arg(long, value_name = "FACTOR")]
    pub timeout_scale: Option<String>,
    /// End every process of the agent before grading, daemons too
    #[arg(long)]
    pub quiesce: bool,
    /// The seed of order and draws [default: 20260205]
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
    /// Ceilings on memory and CPU together, as multiples of the task spec, one arm each [default: 1x,1.5x,2x,3x,5x,none]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ceilings: Vec<String>,
    /// Ceilings on memory alone, one arm each; CPU stays at the task spec
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "ceilings")]
    pub memory_ceilings: Vec<String>,
    /// Ceilings on disk space alone, one arm each; memory and CPU stay at the task spec
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["ceilings", "memory_ceilings", "storage_ceiling", "split"])]
    pub storage_ceilings: Vec<String>,
    /// Add the 2x2 of memory and CPU at the extremes
    #[arg(long)]
    pub split: bool,
    /// Besides the first arm, the one that others are compared with
    #[arg(long, value_name = "ARM")]
    pub reference: Option<String>,
    /// Equivalence margin in percentage points, fixed before the first trial
    #[arg(long, value_name = "POINTS", value_parser = super::margin)]
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
