//! One trial of Harbor: its `result.json` and what lies beside it, as a draft.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use infranoise_core::{Observed, Phase, Reward, Subject, TrialRecord, Usage};

use super::failure::{self, Exception};
use super::resources::{Era, Spec, effective};
use super::schema::{AgentConfig, AgentResult, ExceptionInfo, StepResult, Timing, TrialLock, TrialResult};
use super::spec::TaskFiles;
use super::traces;
use crate::results::atif;
use crate::results::draft::{Draft, PhaseDraft, TaskDraft, observed};
use crate::results::loss::Losses;
use crate::results::read::{Field, Zone, moment_ms, parse, read_all, read_ends};

/// A trial's document is no larger; rollouts with token ids can be large.
pub(super) const LARGEST: u64 = 256 << 20;

const NO_COUNTERS: &str = "Harbor reads no kernel counters";

/// What a trial shares with its job.
pub(super) struct Shared<'j> {
    pub(super) job: &'j Path,
    pub(super) version: Option<String>,
    pub(super) concurrency: Option<u32>,
    /// Task files, whoever needs them first reads them.
    pub(super) files: &'j Mutex<TaskFiles>,
}

/// A task file that was looked for and not found.
pub(super) struct MissingSpec {
    pub(super) named: Option<String>,
    pub(super) why: String,
}

/// A trial and who worked on it.
pub(super) struct Read {
    pub(super) draft: Draft,
    pub(super) subject: Subject,
    pub(super) settings: Vec<(&'static str, String)>,
    pub(super) missing_spec: Option<MissingSpec>,
}

/// A trial's document.
pub(super) enum Trial {
    /// Written by Harbor.
    Foreign(Box<Read>),
    /// Written by infranoise: the record is in it.
    Ours(Box<TrialRecord>),
}

/// Reads a trial's folder. What cannot be read of it goes into the losses.
pub(super) fn read(
    folder: &Path,
    shown: &str,
    shared: &Shared<'_>,
    losses: &mut Losses,
) -> Result<Trial, String> {
    let bytes = read_all(&folder.join("result.json"), LARGEST).map_err(|error| error.to_string())?;
    let mut result: TrialResult = parse(&bytes)?;
    if result.trial_name.get().is_none() && result.task_name.get().is_none() {
        return Err("no trial: it names neither itself nor its task".to_owned());
    }
    let file = format!("{shown}/result.json");
    if let Some(record) = std::mem::take(&mut result.infranoise).take(losses, &file, "infranoise") {
        return Ok(Trial::Ours(record));
    }
    let name = std::mem::take(&mut result.trial_name).take(losses, &file, "trial_name");
    let name = name.unwrap_or_else(|| shown.rsplit('/').next().unwrap_or(shown).to_owned());
    let mut draft = Draft::new("harbor", file.clone(), &name, NO_COUNTERS);
    draft.id = std::mem::take(&mut result.id).take(losses, &file, "id");
    draft.source.version.clone_from(&shared.version);
    draft.source.concurrency = shared.concurrency;
    draft.source.counted = std::mem::take(&mut result.reward_valid).take(losses, &file, "reward_valid");
    let mut clock = Clock { file: &file, losses, guessed: false };
    draft.started_ms = clock.at(&result.started_at, "started_at");
    draft.ended_ms = clock.at(&result.finished_at, "finished_at");
    draft.phases = phases(&result, &mut clock);
    if clock.guessed {
        draft.notes.push("times without an offset were read as UTC".to_owned());
    }
    draft.reward = reward(&mut result, losses, &file);
    draft.usage = usage(&mut result, &mut draft.notes, losses, &file);
    let missing_spec = task(&mut draft, folder, &result, shared);
    let settings = environment_settings(&result);
    draft.engine = format!("harbor: {}", settings.first().map_or("docker", |(_, backend)| backend));
    if let Some(exception) = exception(folder, &result, losses, &file) {
        failure::apply(&mut draft, &exception);
    }
    traces::apply(&mut draft, folder);
    // Trajectories are large: a trial that passed and was counted needs none.
    if !draft.reward.passed() || draft.usage.tokens_in.value().is_none() {
        atif::apply(&mut draft, &folder.join("agent/trajectory.json"));
    }
    Ok(Trial::Foreign(Box::new(Read { subject: subject(&result), draft, settings, missing_spec })))
}

/// Reads moments and remembers whether one lacked its offset.
struct Clock<'c> {
    file: &'c str,
    losses: &'c mut Losses,
    guessed: bool,
}

impl Clock<'_> {
    fn at(&mut self, field: &Field<String>, name: &str) -> Option<u64> {
        let text = field.clone().take(self.losses, self.file, name)?;
        let Some((ms, zone)) = moment_ms(&text) else {
            self.losses.add(self.file, name, format!("`{}` is no moment", text.escape_debug()));
            return None;
        };
        self.guessed |= zone == Zone::Guessed;
        Some(ms)
    }

    fn phase(&mut self, phase: Phase, timing: &Field<Timing>) -> Option<PhaseDraft> {
        let timing = timing.get()?;
        let (started_ms, ended_ms) =
            (self.at(&timing.started_at, "started_at"), self.at(&timing.finished_at, "finished_at"));
        Some(PhaseDraft { started_ms, ended_ms, ..PhaseDraft::untimed(phase) })
    }
}

fn steps(result: &TrialResult) -> impl Iterator<Item = &StepResult> {
    result.step_results.get().into_iter().flatten().filter_map(Field::get)
}

/// The phases that were begun. A task with several steps has one agent phase over all of them.
fn phases(result: &TrialResult, clock: &mut Clock<'_>) -> Vec<PhaseDraft> {
    let mut phases: Vec<PhaseDraft> = Vec::new();
    phases.extend(clock.phase(Phase::Start, &result.environment_setup));
    phases.extend(clock.phase(Phase::Setup, &result.agent_setup));
    phases.extend(clock.phase(Phase::Agent, &result.agent_execution));
    phases.extend(clock.phase(Phase::Verify, &result.verifier));
    for step in steps(result) {
        for (phase, timing) in [(Phase::Agent, &step.agent_execution), (Phase::Verify, &step.verifier)] {
            let Some(more) = clock.phase(phase, timing) else { continue };
            match phases.iter_mut().find(|known| known.phase == phase) {
                Some(known) => known.ended_ms = more.ended_ms.or(known.ended_ms),
                None => phases.push(more),
            }
        }
    }
    phases.sort_by_key(|phase| phase.phase);
    phases
}

fn reward(result: &mut TrialResult, losses: &mut Losses, file: &str) -> Reward {
    let Some(verifier) = std::mem::take(&mut result.verifier_result).take(losses, file, "verifier_result")
    else {
        return Reward::NotGraded;
    };
    let single = verifier.reward.take(losses, file, "verifier_result.reward");
    let mut values: std::collections::BTreeMap<String, f64> =
        single.map(|value| ("reward".to_owned(), value)).into_iter().collect();
    for (name, value) in verifier.rewards.take(losses, file, "verifier_result.rewards").unwrap_or_default() {
        let field = format!("verifier_result.rewards.{name}");
        values.extend(value.take(losses, file, &field).map(|value| (name, value)));
    }
    if values.is_empty() {
        return Reward::NotGraded;
    }
    Reward::Given { values, source: "result.json, verifier_result.rewards".to_owned() }
}

/// Tokens and money, summed over the steps where a task has several.
fn usage(result: &mut TrialResult, notes: &mut Vec<String>, losses: &mut Losses, file: &str) -> Usage {
    let own = std::mem::take(&mut result.agent_result).take(losses, file, "agent_result");
    let of_steps = steps(result).filter_map(|step| step.agent_result.get());
    let all: Vec<&AgentResult> = own.as_ref().into_iter().chain(of_steps).collect();
    let sum = |of: &dyn Fn(&AgentResult) -> Option<u64>| {
        let counts: Vec<u64> = all.iter().filter_map(|result| of(result)).collect();
        observed((!counts.is_empty()).then(|| counts.iter().sum()), "the agent reported none")
    };
    let costs: Vec<f64> = all.iter().filter_map(|result| result.cost_usd.get().copied()).collect();
    let calls: Vec<f64> = all
        .iter()
        .filter_map(|result| result.metadata.get()?.api_request_times_msec.get())
        .flatten()
        .filter_map(|time| time.get().copied())
        .collect();
    notes.extend(api_note(calls));
    Usage {
        tokens_in: sum(&|result| result.n_input_tokens.get().copied()),
        tokens_cached: sum(&|result| result.n_cache_tokens.get().copied()),
        tokens_out: sum(&|result| result.n_output_tokens.get().copied()),
        cost_usd: match costs.as_slice() {
            [] => Observed::Unavailable("the agent reported none".to_owned()),
            costs => Observed::Observed(costs.iter().sum()),
        },
    }
}

fn api_note(mut calls: Vec<f64>) -> Option<String> {
    calls.sort_by(f64::total_cmp);
    let (low, high) = (calls.get(calls.len().saturating_sub(1) / 2)?, calls.get(calls.len() / 2)?);
    let (median, longest) = ((low + high) / 2.0, calls.last()?);
    Some(format!("{} calls of the model API, median {median:.0} ms, longest {longest:.0} ms", calls.len()))
}

fn task(draft: &mut Draft, folder: &Path, result: &TrialResult, shared: &Shared<'_>) -> Option<MissingSpec> {
    let config = result.config.get();
    let id = result.task_id.get().or(config.and_then(|config| config.task.get()));
    let path = id.and_then(|id| id.path.get()).map(String::as_str);
    let lock = read_lock(folder);
    let locked = lock.as_ref().and_then(|lock| lock.task.get());
    let name = result.task_name.get().cloned().or_else(|| locked?.name.get().cloned());
    let source = path.or(id.and_then(|id| id.git_url.get()).map(String::as_str));
    let digest =
        locked.and_then(|task| task.digest.get()).map(|text| text.trim_start_matches("sha256:").to_owned());
    draft.task = TaskDraft {
        name: name
            .unwrap_or_else(|| draft.source.trial.rsplit_once("__").map_or("", |(task, _)| task).to_owned()),
        source: source.or(result.source.get().map(String::as_str)).unwrap_or("not recorded").to_owned(),
        digest: digest.clone(),
        ..TaskDraft::default()
    };
    let mut missing = None;
    let found = {
        let mut files = shared.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.find(shared.job, path, &draft.task.name)
    };
    let spec = match found {
        Ok(file) => {
            if digest.is_some() && file.digest != digest {
                let says = "the task file beside the results is not the one that the lock names by its digest: its numbers may have been others";
                draft.notes.push(says.to_owned());
            }
            draft.task.spec = file.spec;
            draft.task.labels = file.labels;
            Spec::Known(file.spec)
        }
        Err(why) => {
            missing = Some(MissingSpec { named: path.map(str::to_owned), why: why.clone() });
            Spec::NotFound(why)
        }
    };
    let silent = super::schema::TrialConfig::default();
    let config = config.unwrap_or(&silent);
    draft.effective = effective(config, &spec, era(config));
    missing
}

fn read_lock(folder: &Path) -> Option<TrialLock> {
    parse(&read_all(&folder.join("lock.json"), LARGEST).ok()?).ok()
}

/// The first versions knew no modes of enforcement.
fn era(config: &super::schema::TrialConfig) -> Era {
    let modes = config.environment.get().is_some_and(|environment| {
        environment.memory_enforcement_policy != Field::Absent
            || environment.cpu_enforcement_policy != Field::Absent
    });
    if modes { Era::Silence } else { Era::Defaults }
}

fn exception(folder: &Path, result: &TrialResult, losses: &mut Losses, file: &str) -> Option<Exception> {
    let of_step = || steps(result).find_map(|step| step.exception_info.get());
    let info: ExceptionInfo = result.exception_info.get().or_else(of_step)?.clone();
    let log = read_ends(&folder.join("trial.log"), 64 << 10).unwrap_or_default();
    let text = |field: Field<String>, name: &str, losses: &mut Losses| {
        field.take(losses, file, name).unwrap_or_default()
    };
    Some(Exception {
        class: text(info.exception_type, "exception_info.exception_type", losses),
        message: text(info.exception_message, "exception_info.exception_message", losses),
        traceback: text(info.exception_traceback, "exception_info.exception_traceback", losses),
        occurred_ms: info.occurred_at.get().and_then(|text| moment_ms(text)).map(|(ms, _)| ms),
        second: log
            .head
            .lines()
            .chain(log.tail.iter().flat_map(|tail| tail.lines()))
            .find(|line| line.contains("Skipping exception record"))
            .map(str::to_owned),
        ran_a_command: log.head.lines().any(|line| line.starts_with("Running command:")),
    })
}

/// Who worked: the agent's own name and the model with its provider.
fn subject(result: &TrialResult) -> Subject {
    let silent = AgentConfig::default();
    let config = result.config.get().and_then(|config| config.agent.get()).unwrap_or(&silent);
    let info = result.agent_info.get();
    let agent = info.and_then(|info| info.name.get()).or(config.name.get());
    let model = info.and_then(|info| info.model_info.get()).and_then(|model| {
        let name = model.name.get()?;
        Some(match model.provider.get() {
            Some(provider) if !name.contains('/') => format!("{provider}/{name}"),
            _ => name.clone(),
        })
    });
    Subject {
        agent: agent.cloned().unwrap_or_else(|| "not recorded".to_owned()),
        model: model.or_else(|| config.model_name.get().cloned()),
    }
}

/// What can differ between arms, as the trial's configuration says; the back end comes first.
fn environment_settings(result: &TrialResult) -> Vec<(&'static str, String)> {
    let Some(environment) = result.config.get().and_then(|config| config.environment.get()) else {
        return Vec::new();
    };
    let mut settings = Vec::new();
    let mut add = |key, value: Option<String>| settings.extend(value.map(|value| (key, value)));
    add("back end", environment.import_path.get().or(environment.kind.get()).cloned());
    add("memory mode", environment.memory_enforcement_policy.get().cloned());
    add("CPU mode", environment.cpu_enforcement_policy.get().cloned());
    add("memory override (MB)", environment.override_memory_mb.get().map(f64::to_string));
    add("CPU override", environment.override_cpus.get().map(f64::to_string));
    add("storage override (MB)", environment.override_storage_mb.get().map(f64::to_string));
    let version = result.agent_info.get().and_then(|info| info.version.get());
    add("agent version", version.cloned());
    let multiplier = result.config.get().and_then(|config| config.timeout_multiplier.get());
    add("time-limit multiplier", multiplier.map(f64::to_string));
    settings
}
