//! A resolved request becomes a plan, trials and a report.

use std::path::{Path, PathBuf};

use infranoise_analysis::{Analysis, Effort, analyse};
use infranoise_core::{Plan, StopReason};
use infranoise_report::extras::Extras;
use infranoise_runner::admission::Room;
use infranoise_runner::clock::now_ms;
use infranoise_runner::dispatch::{Setup, dispatch, progress};
use infranoise_runner::halt::Halt;
use infranoise_runner::planning::{HostRoom, PlanError, plan};
use infranoise_sandbox::contract::{Overlay, OverlayKind};
use infranoise_store::{PlanFile, SweepFolder};

use super::detect::{outlook, words};
use super::engine::host_of;
use super::files::trial_files;
use super::images;
use super::name;
use super::request::Resolved;
use super::started;
use crate::cli::Concurrency;
use crate::console;
use crate::environment;
use crate::error::{CommandError, at};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::rootless;
use crate::signals;

/// The program and version, for records.
pub const MADE_BY: &str = concat!("infranoise ", env!("CARGO_PKG_VERSION"));

/// What a sweep left.
pub struct Outcome {
    /// The exit code.
    pub exit: Exit,
    /// The analysis, if trials were carried out.
    pub analysis: Option<Analysis>,
    /// The report's path.
    pub report: Option<PathBuf>,
}

/// Plans, carries out and reports; goes on where an earlier process stopped.
///
/// # Errors
/// If there can be no plan, the host is unfit, or the store cannot be written.
pub fn execute(resolved: Resolved) -> Result<Outcome, CommandError> {
    if !resolved.dry_run {
        rootless::become_able()?;
    }
    let at_most = match resolved.concurrency {
        Concurrency::Auto => u32::MAX,
        Concurrency::AtMost(n) => n,
    };
    let (host, room) = host_of(at_most)?;
    let host_room = HostRoom { memory: room.memory, cpu: room.cpu };
    let planned =
        plan(resolved.request.clone(), host, host_room, MADE_BY.to_owned(), now_ms()).map_err(refused)?;
    let planned = named(planned, &resolved)?;
    console::warnings(&planned.warnings);
    let density = room.density(planned.arms.iter().flat_map(|arm| arm.allocations.values()));
    let room = Room { trials: density, ..room };
    if resolved.dry_run {
        return dry_run(&planned, &room, resolved.json);
    }
    let (folder, plan_file) = open(&resolved.out, &planned)?;
    let known = progress(&plan_file.plan, &folder.journal(&plan_file)?);
    let all = plan_file.plan.planned();
    let exit = if known.settled.len() as u64 == all {
        console::say(&format!(
            "every trial of `{}` is recorded already; another --seed or --name makes a new sweep",
            plan_file.plan.sweep
        ));
        Exit::Done
    } else {
        if !known.records.is_empty() {
            console::say(&format!(
                "going on with `{}`: {} of {all} trials are recorded",
                plan_file.plan.sweep,
                known.settled.len()
            ));
        }
        carry_out(&resolved, &folder, &plan_file, room)?
    };
    report(&folder, &plan_file, exit)
}

fn refused(error: PlanError) -> CommandError {
    let exit = match &error {
        PlanError::Nothing { .. } => Exit::NothingMatched,
        PlanError::Policy { .. }
        | PlanError::FloorAboveHost { .. }
        | PlanError::TwiceNamed { .. }
        | PlanError::Coincide { .. }
        | PlanError::UnknownReference { .. }
        | PlanError::Margin { .. } => Exit::Usage,
    };
    CommandError::new(exit, error)
}

fn named(mut planned: Plan, resolved: &Resolved) -> Result<Plan, CommandError> {
    let name = resolved.named.clone().or_else(|| name::name(&resolved.word, &planned));
    planned.sweep =
        name.ok_or_else(|| CommandError::usage("the sweep needs a name").hint("give one with --name"))?;
    Ok(planned)
}

fn dry_run(planned: &Plan, room: &Room, json: bool) -> Result<Outcome, CommandError> {
    let outlook = outlook(planned, room);
    console::say(&format!("plan of `{}` (dry run: nothing is done)", planned.sweep));
    for line in words(planned, &outlook) {
        console::say(&format!("  {line}"));
    }
    for arm in &planned.arms {
        let sample = arm.allocations.iter().next();
        let example = sample.map_or_else(String::new, |(task, allocation)| {
            format!(
                ": `{task}` gets {} to {} of memory, {} to {}",
                allocation.memory.floor(),
                allocation.memory.ceiling(),
                allocation.cpu.floor(),
                allocation.cpu.ceiling()
            )
        });
        console::say(&format!("  arm {}{example}", arm.arm.name));
    }
    if json {
        console::json(&serde_json::json!({ "plan": planned, "outlook": outlook }))?;
    }
    Ok(Outcome { exit: Exit::Done, analysis: None, report: None })
}

/// The sweep's folder: a new one, or the one that the same command made.
fn open(out: &Path, planned: &Plan) -> Result<(SweepFolder, PlanFile), CommandError> {
    let path = out.join(planned.sweep.as_str());
    if !path.join(PlanFile::NAME).exists() {
        return Ok(SweepFolder::create(out, planned)?);
    }
    let (folder, known) = SweepFolder::open(&path)?;
    if known.plan.imported.is_some() {
        return Err(CommandError::from(infranoise_store::StoreError::Imported { path })
            .hint("choose another --name, or leave --name out"));
    }
    match name::difference(&known.plan, planned) {
        None => {
            console::warnings(name::other_host(&known.plan.host, &planned.host));
            Ok((folder, known))
        }
        Some(differs) => Err(CommandError::usage(format!(
            "the sweep `{}` exists with another plan: {differs}",
            planned.sweep
        ))
        .hint("choose another --name, or leave --name out")),
    }
}

fn carry_out(
    resolved: &Resolved,
    folder: &SweepFolder,
    plan_file: &PlanFile,
    room: Room,
) -> Result<Exit, CommandError> {
    let engine = resolved.engine.start()?;
    console::warnings(engine.capabilities().warnings);
    if let Some(why) = engine.lacks_network(&resolved.network) {
        return Err(CommandError::usage("sandboxes cannot have a bridged network here").hint(why));
    }
    let state = environment::state_dir();
    let program = state.join("probe");
    infranoise_probes::write_program(&program).map_err(at("write", &program))?;
    let overlays =
        [Overlay { from: program, to: infranoise_probes::PROBE_PATH.into(), how: OverlayKind::BindReadOnly }];
    let halt = Halt::new();
    signals::listen(halt.clone())?;
    let mut tasks = resolved.tasks.clone();
    let made = images::make_ready(&engine, &tasks, &resolved.root, &folder.path().join("images.log"))?;
    images::settle(made, &mut tasks);
    let setup = Setup {
        engine: &engine,
        folder,
        plan: plan_file,
        tasks: &tasks,
        agent: &resolved.agent,
        root: &resolved.root,
        network: resolved.network.clone(),
        overlays: &overlays,
        room,
        scratch: state.join("scratch"),
        limit: resolved.limit,
        halt,
    };
    let mut bar = Progress::new(plan_file.plan.planned());
    let end = dispatch(&setup, &mut |event| bar.hear(event))?;
    engine.settle();
    engine.leave(&plan_file.plan.sweep);
    Ok(match end.reason {
        StopReason::Complete => Exit::Done,
        StopReason::Interrupted => {
            console::say(&format!(
                "interrupted: {} of {} trials are recorded; the same command goes on",
                end.recorded, end.planned
            ));
            Exit::Interrupted
        }
        StopReason::InfraLimit { says } => {
            console::say(&format!("stopped: {says}; mend the host and type the same command to go on"));
            Exit::OverLimit
        }
        StopReason::StoreFailed { says } => {
            console::say(&format!("stopped: {says}"));
            Exit::NotWritable
        }
    })
}

/// Analyses what is recorded and writes the report.
fn report(folder: &SweepFolder, plan_file: &PlanFile, exit: Exit) -> Result<Outcome, CommandError> {
    let known = progress(&plan_file.plan, &folder.journal(plan_file)?);
    let exit = match started::none(&known.records) {
        Some(says) if exit == Exit::Done => {
            console::say(&format!("error: {says}"));
            console::say(
                "  hint: `infranoise doctor` says what this host lacks; `infranoise trial show` has the whole story of one",
            );
            Exit::Unfit
        }
        Some(_) | None => exit,
    };
    let analysis = analyse(&plan_file.plan, &known.records, MADE_BY, Effort::default());
    let trials = trial_files(folder.path(), &analysis);
    let page = infranoise_report::html_with(&analysis, &Extras { trials, compared: None });
    let report = folder.write_document("report.html", page.as_bytes())?;
    Ok(Outcome { exit, analysis: Some(analysis), report: Some(report) })
}
