//! From arguments and file to a request without holes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use infranoise_core::{
    Arm, ArmId, AssumeSpec, Bytes, Ceiling, Factor, KillScope, MilliCpu, PageCache, Subject, SweepId, TaskId,
    Timing, Visible,
};
use infranoise_formats::tasks::Selection;
use infranoise_runner::agents::Agent;
use infranoise_runner::dispatch::InfraLimit;
use infranoise_runner::planning::Request;
use infranoise_runner::prepare::Prepared;
use infranoise_sandbox::contract::{Allowed, Network, RootSource};

use super::arms::{self, Common};
use super::file::SweepFile;
use super::{Engines, bands, tasks, timing};
use crate::cli::{Concurrency, Demo, NetworkArg, PageCacheArg, Run, ScopeArg, Sweep, VisibleArg, What};
use crate::environment;
use crate::error::{CommandError, at};

/// The seed where nobody gives one: the day of the article.
const SEED: u64 = 20_260_205;

/// A request without holes.
pub struct Resolved {
    /// What the plan is made from.
    pub request: Request,
    /// The name that the person gave; otherwise it follows from the plan.
    pub named: Option<SweepId>,
    /// A word for the name.
    pub word: String,
    /// The tasks, made ready.
    pub tasks: BTreeMap<TaskId, Prepared>,
    /// The agent.
    pub agent: Agent,
    /// The root.
    pub root: RootSource,
    /// The network of sandboxes.
    pub network: Network,
    /// The engine.
    pub engine: Engines,
    /// How many trials at once.
    pub concurrency: Concurrency,
    /// When to give up.
    pub limit: Option<InfraLimit>,
    /// Where sweeps go.
    pub out: PathBuf,
    /// Whether nothing is to be done.
    pub dry_run: bool,
    /// Whether stdout gets JSON.
    pub json: bool,
}

/// `infranoise sweep`
///
/// # Errors
/// Everything that is wrong with arguments, file or tasks.
pub fn resolve_sweep(args: &Sweep) -> Result<Resolved, CommandError> {
    let file = args.config.as_deref().map(SweepFile::read).transpose()?.unwrap_or_default();
    let common = common(&args.what, &file)?;
    let listed = if !args.ceilings.is_empty() { args.ceilings.clone() } else { file.ceilings() };
    let mut arms = if !args.memory_ceilings.is_empty() {
        arms::memory_alone(&args.memory_ceilings, common)?
    } else if !args.storage_ceilings.is_empty() {
        arms::storage_alone(&args.storage_ceilings, common)?
    } else if !listed.is_empty() {
        arms::together(&listed, common)?
    } else if file.has_arms() {
        file.arms(common)?
    } else {
        let default: Vec<String> = arms::DEFAULT_CEILINGS.map(str::to_owned).to_vec();
        arms::together(&default, common)?
    };
    if args.split {
        let ends = if args.memory_ceilings.is_empty() { &listed } else { &args.memory_ceilings };
        arms.extend(arms::split(ends, common)?);
    }
    let reference = args.reference.clone().or(file.sweep.reference.clone());
    let timing = timing::timing(
        args.spread.as_deref().or(file.sweep.spread.as_deref()),
        if args.windows.is_empty() { &file.sweep.windows } else { &args.windows },
    )?;
    let margin = args.margin.or(file.sweep.margin_pp).unwrap_or(3.0);
    resolve(&args.what, &file, arms, reference, timing, margin)
}

/// `infranoise run`
///
/// # Errors
/// Everything that is wrong with arguments or tasks.
pub fn resolve_run(args: &Run) -> Result<Resolved, CommandError> {
    let file = SweepFile::default();
    let common = common(&args.what, &file)?;
    let name: String =
        args.band.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let policy = infranoise_core::ScaledPolicy { storage: common.storage, ..bands::band(&args.band)? };
    let arm = arms::arm(&name, policy, common)?;
    resolve(&args.what, &file, vec![arm], None, Timing::AtOnce, 3.0)
}

/// `infranoise demo`: the bundled tasks in six arms. They are written to the state folder.
///
/// # Errors
/// If the tasks cannot be written.
pub fn resolve_demo(args: &Demo) -> Result<Resolved, CommandError> {
    let folder = environment::state_dir().join("demo-tasks");
    let demo: Vec<_> = infranoise_probes::demo().copied().collect();
    infranoise_probes::materialise(&demo, &folder).map_err(at("write the bundled tasks to", &folder))?;
    let what = What {
        tasks: Some(folder),
        agent: Some("script".to_owned()),
        model: None,
        repeats: Some(args.repeats),
        concurrency: args.concurrency,
        engine: args.engine.clone(),
        include: demo.iter().map(|task| task.name.to_owned()).collect(),
        exclude: Vec::new(),
        first: None,
        assume_spec: None,
        // The bundled tasks need nothing but the host's programs.
        rootfs: Some("host".to_owned()),
        network: None,
        allow: Vec::new(),
        kill_scope: Some(args.kill_scope),
        storage_ceiling: None,
        visible: None,
        page_cache: None,
        timeout_scale: None,
        quiesce: false,
        seed: Some(args.seed),
        retry_not_started: None,
        retry: None,
        abort_infra: None,
        name: None,
        out: args.out.clone(),
        dry_run: false,
        json: args.json,
        program: Vec::new(),
    };
    let file = SweepFile::default();
    let ceilings: Vec<String> = arms::DEFAULT_CEILINGS.map(str::to_owned).to_vec();
    let arms = arms::together(&ceilings, common(&what, &file)?)?;
    let mut resolved = resolve(&what, &file, arms, Some("3x".to_owned()), Timing::AtOnce, 3.0)?;
    resolved.request.staged = true;
    resolved.word = "demo".to_owned();
    Ok(resolved)
}

fn common(what: &What, file: &SweepFile) -> Result<Common, CommandError> {
    let scope = match what.kill_scope {
        Some(ScopeArg::Process) => KillScope::Process,
        Some(ScopeArg::Exec) => KillScope::Exec,
        Some(ScopeArg::Trial) => KillScope::Trial,
        None => file.kill_scope()?.unwrap_or(KillScope::Trial),
    };
    let scale = what.timeout_scale.as_deref().or(file.sweep.time_limit.as_deref());
    let time_limit = scale.map_or(Ok(Ceiling::At(Factor::ONE)), arms::multiple)?;
    let storage = what.storage_ceiling.as_deref().or(file.sweep.storage.as_deref());
    let storage = storage.map_or(Ok(Ceiling::Uncapped), arms::storage)?;
    let visible = match what.visible {
        Some(VisibleArg::Host) => Visible::Host,
        Some(VisibleArg::Limits) => Visible::Limits,
        None => file.visible()?.unwrap_or_default(),
    };
    let page_cache = match what.page_cache {
        Some(PageCacheArg::AsFound) => PageCache::AsFound,
        Some(PageCacheArg::Cold) => PageCache::Cold,
        None => file.page_cache()?.unwrap_or_default(),
    };
    Ok(Common { kill_scope: scope, time_limit, storage, visible, page_cache })
}

/// A plan with more would not fit into memory, and nobody has the time.
const MOST_REPEATS: u32 = 10_000;

fn resolve(
    what: &What,
    file: &SweepFile,
    arms: Vec<Arm>,
    reference: Option<String>,
    timing: Timing,
    margin_pp: f64,
) -> Result<Resolved, CommandError> {
    let path = what
        .tasks
        .clone()
        .or_else(|| file.tasks())
        .ok_or_else(|| CommandError::usage("no tasks are named").hint("name a folder with -p TASKS"))?;
    let agent_name = what.agent.clone().or_else(|| file.sweep.agent.clone()).ok_or_else(|| {
        CommandError::usage("no agent is named").hint("name one with -a: oracle, nop, script, command")
    })?;
    let program = if what.program.is_empty() { &file.sweep.command } else { &what.program };
    let agent = Agent::named(&agent_name, program).map_err(CommandError::usage)?;
    let engine = Engines::named(&what.engine)?;
    let root_text = what.rootfs.clone().or_else(|| file.sweep.rootfs.clone());
    let root_text = root_text.unwrap_or_else(|| engine.usual_root().to_owned());
    let roots = tasks::roots(&root_text, engine)?;
    let selection =
        Selection { include: what.include.clone(), exclude: what.exclude.clone(), first: what.first };
    let tasks = tasks::ready(&path, &selection, &agent, &roots)?;
    let assume = what.assume_spec.as_deref().or(file.sweep.assume_spec.as_deref());
    let name = |text: &str| SweepId::try_new(text).map_err(CommandError::usage);
    let named = what.name.as_deref().or(file.sweep.name.as_deref()).map(name).transpose()?;
    let word =
        format!("{}-{agent_name}", path.file_name().map_or_else(|| "tasks".into(), |n| n.to_string_lossy()));
    let limit = what
        .abort_infra
        .as_deref()
        .or(file.sweep.abort_infra.as_deref())
        .map(str::parse::<InfraLimit>)
        .transpose()
        .map_err(CommandError::usage)?;
    let repeats = what.repeats.or(file.sweep.repeats).unwrap_or(5);
    if repeats > MOST_REPEATS {
        return Err(CommandError::usage(format!("{repeats} repeats are too many"))
            .hint(format!("at most {MOST_REPEATS} of each task in each arm")));
    }
    let network = network(what, file)?;
    let request = Request {
        sweep: name("unnamed")?,
        staged: false,
        tasks: tasks.values().map(Prepared::planned).collect(),
        arms,
        reference: reference.map(|text| ArmId::try_new(text).map_err(CommandError::usage)).transpose()?,
        subject: Subject {
            agent: agent_name,
            model: what.model.clone().or_else(|| file.sweep.model.clone()),
        },
        agent_command: match &agent {
            Agent::Command(argv) => Some(argv.clone()),
            Agent::Oracle | Agent::Nop | Agent::Script => None,
        },
        repeats,
        seed: what.seed.or(file.sweep.seed).unwrap_or(SEED),
        margin_pp,
        assume: assume.map_or(Ok(AssumeSpec::default()), assume_spec)?,
        engine: engine.name().to_owned(),
        root: root_text,
        network: network_words(&network),
        retries_not_started: what.retry_not_started.or(file.sweep.retry_not_started).unwrap_or(2),
        retries_fault: what.retry.or(file.sweep.retry).unwrap_or(0),
        timing,
        quiesce: what.quiesce || file.sweep.quiesce,
    };
    Ok(Resolved {
        request,
        named,
        word,
        tasks,
        agent,
        root: roots.given(),
        network,
        engine,
        concurrency: what.concurrency,
        limit,
        out: what.out.clone(),
        dry_run: what.dry_run,
        json: what.json,
    })
}

/// The network, from flags or else from the file.
fn network(what: &What, file: &SweepFile) -> Result<Network, CommandError> {
    let named = match (what.network, file.sweep.network.as_deref()) {
        (Some(named), _) => named,
        (None, None | Some("none")) => NetworkArg::None,
        (None, Some("host")) => NetworkArg::Host,
        (None, Some("bridge")) => NetworkArg::Bridge,
        (None, Some(other)) => {
            return Err(CommandError::usage(format!("`{other}` is not a network: none, host or bridge")));
        }
    };
    let allow = if what.allow.is_empty() { &file.sweep.allow } else { &what.allow };
    match named {
        NetworkArg::Bridge => {
            let allowed = allow.iter().map(|text| text.parse::<Allowed>().map_err(CommandError::usage));
            Ok(Network::Bridge(allowed.collect::<Result<_, _>>()?))
        }
        NetworkArg::None | NetworkArg::Host if !allow.is_empty() => {
            Err(CommandError::usage("a list of what is allowed needs `--network bridge`"))
        }
        NetworkArg::None => Ok(Network::None),
        NetworkArg::Host => Ok(Network::Host),
    }
}

/// The network as it is in the plan.
fn network_words(network: &Network) -> String {
    match network {
        Network::None => "none".to_owned(),
        Network::Host => "host".to_owned(),
        Network::Bridge(allowed) => {
            let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
            format!(
                "bridge to {}",
                if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") }
            )
        }
    }
}

/// What 1x means where a task states nothing.
fn assume_spec(text: &str) -> Result<AssumeSpec, CommandError> {
    if matches!(text, "harbor-0.8" | "harbor") {
        return Ok(AssumeSpec::HARBOR_BEFORE_0_9);
    }
    let bad = |part: &str| {
        CommandError::usage(format!("`{part}` is not part of a spec"))
            .hint("write `harbor-0.8`, or for example `memory=2GiB,cpu=1,storage=10GiB`")
    };
    let mut assume = AssumeSpec::default();
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or_else(|| bad(part))?;
        match key.trim() {
            "memory" => assume.memory = Some(value.parse::<Bytes>().map_err(CommandError::usage)?),
            "cpu" | "cpus" => assume.cpu = Some(value.parse::<MilliCpu>().map_err(CommandError::usage)?),
            "storage" => assume.storage = Some(value.parse::<Bytes>().map_err(CommandError::usage)?),
            _ => return Err(bad(part)),
        }
    }
    Ok(assume)
}

/// The folder beside a file that its relative paths count from.
pub(super) fn beside(file: &Path, relative: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new(".")).join(relative)
}
