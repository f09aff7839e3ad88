//! Resources as they really were: task file, overrides, mode and the back end's habits, put together.

use infranoise_core::{
    Allocation, AssumeSpec, Band, Bytes, Ceiling, Enforcement, Factor, Held, KillScope, MilliCpu, Provenance,
    Stated, TaskSpec, TimeLimits,
};

use super::provider::{Means, Mode, Provider, provider};
use super::schema::{EnvironmentConfig, TrialConfig};
use crate::results::draft::{Effective, stated};

/// What is known of the task file.
pub(super) enum Spec {
    /// It was found.
    Known(TaskSpec),
    /// It was not, for this reason.
    NotFound(String),
}

/// How a version treats silence of the task file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Before 0.9: 1 CPU, 2048 MB, 10240 MB.
    Defaults,
    /// Since 0.9: the provider's default, no limit on Docker.
    Silence,
}

/// One resource: its floor and its ceiling, or why they are not known.
struct Part<T> {
    band: Option<Band<T>>,
    floor: Held,
    ceiling: Held,
    declared: bool,
}

/// The effective resources of a trial.
pub(super) fn effective(config: &TrialConfig, spec: &Spec, era: Era) -> Effective {
    let silent = EnvironmentConfig::default();
    let environment = config.environment.get().unwrap_or(&silent);
    let name = environment.kind.get().map_or("docker", String::as_str);
    let plug_in = environment.import_path.get();
    let row = if plug_in.is_some() { None } else { provider(name) };
    let Some(row) = row else {
        let who = plug_in.map_or(name, String::as_str);
        return Effective::unknown(&format!("what the back end `{who}` makes of resources is not known"));
    };
    let stated_spec = match spec {
        Spec::Known(spec) => Ok(with_defaults(*spec, era)),
        Spec::NotFound(why) => Err(why.as_str()),
    };
    let memory = memory(row, environment, name, stated_spec);
    let cpu = cpu(row, environment, name, stated_spec);
    let provenance = match (&memory.band, &cpu.band) {
        (None, None) => Provenance::Unknown,
        _ if memory.declared && cpu.declared => Provenance::Declared,
        _ => Provenance::Inferred,
    };
    let allocation = memory.band.zip(cpu.band).map(|(memory, cpu)| Allocation {
        memory,
        cpu,
        pids: Ceiling::Uncapped,
        storage: Ceiling::Uncapped,
        disk_rate: Default::default(),
        time: time_limits(config, stated_spec.ok()),
    });
    let enforcement = Enforcement {
        memory_floor: memory.floor,
        memory_ceiling: memory.ceiling,
        swap_closed: Held::NotKnown { why: "Harbor sets no swap limit".to_owned() },
        cpu_floor: cpu.floor,
        cpu_ceiling: cpu.ceiling,
        pids_ceiling: Held::NotAsked,
        storage_ceiling: Held::NotKnown { why: "depends on the back end".to_owned() },
        disk_rate: Held::NotKnown { why: "depends on the back end".to_owned() },
        kill_scope: row.kill_scope.unwrap_or(KillScope::Process),
        kill_scope_held: Held::NotKnown { why: "not recorded".to_owned() },
        gaps: gaps(row, environment),
    };
    Effective { allocation, enforcement, provenance }
}

fn with_defaults(spec: TaskSpec, era: Era) -> TaskSpec {
    let assume = match era {
        Era::Defaults => AssumeSpec::HARBOR_BEFORE_0_9,
        Era::Silence => AssumeSpec::default(),
    };
    TaskSpec {
        memory: stated(spec.memory.or(assume.memory)),
        cpu: stated(spec.cpu.or(assume.cpu)),
        storage: stated(spec.storage.or(assume.storage)),
        ..spec
    }
}

fn gaps(row: &Provider, environment: &EnvironmentConfig) -> Vec<String> {
    let mut gaps = vec![row.says.to_owned()];
    if environment.extra_docker_compose.get().is_some_and(|files| !files.is_empty()) {
        gaps.push("an extra compose file was given: it may override every number".to_owned());
    }
    gaps
}

fn memory(
    row: &Provider,
    environment: &EnvironmentConfig,
    backend: &str,
    spec: Result<TaskSpec, &str>,
) -> Part<Bytes> {
    let given = environment.override_memory_mb.get().and_then(|mb| mebibytes(*mb));
    let mode = environment.memory_enforcement_policy.get().map_or("auto", String::as_str);
    let value = Value {
        what: "memory_mb",
        given,
        spec: spec.map(|spec| spec.memory.or(None)),
        mode,
        backend,
        least: Bytes(0),
    };
    let Some(known) = Mode::parse(mode) else { return unknown(&format!("the mode `{mode}` is not known")) };
    let mut part = part(row, row.memory(known), value, |bytes| Bytes(bytes.0 / 100 * 95));
    let multiplied = known == Mode::Auto && matches!(backend, "gke" | "ack");
    if let (true, Some(factor), Some(band)) = (multiplied, multiplier(environment), part.band) {
        let ceiling = band.floor().times(factor);
        part.ceiling = Held::Inferred {
            knob: row.knob.to_owned(),
            value: ceiling.to_string(),
            from: format!("memory_limit_multiplier = {}", factor.as_f64()),
        };
        part.band = Band::try_new(band.floor(), Ceiling::At(ceiling)).ok();
    }
    part
}

fn cpu(
    row: &Provider,
    environment: &EnvironmentConfig,
    backend: &str,
    spec: Result<TaskSpec, &str>,
) -> Part<MilliCpu> {
    let given = environment.override_cpus.get().and_then(|cpus| MilliCpu::try_from_cpus(*cpus).ok());
    let mode = environment.cpu_enforcement_policy.get().map_or("auto", String::as_str);
    let value = Value {
        what: "cpus",
        given,
        spec: spec.map(|spec| spec.cpu.or(None)),
        mode,
        backend,
        least: MilliCpu(0),
    };
    match Mode::parse(mode) {
        Some(known) => part(row, row.cpu(known), value, |cpu| cpu),
        None => unknown(&format!("the mode `{mode}` is not known")),
    }
}

/// GKE's and ACK's own factor; 0 is none.
fn multiplier(environment: &EnvironmentConfig) -> Option<Factor> {
    let factor = environment.kwargs.get()?.get("memory_limit_multiplier")?.as_f64()?;
    (factor > 0.0 && factor < 1_000_000.0).then(|| Factor((factor * 1000.0).round() as u32))
}

fn mebibytes(mb: f64) -> Option<Bytes> {
    (mb > 0.0 && mb < 1e9).then(|| Bytes((mb * Bytes::MIB as f64).round() as u64))
}

/// One resource before it is resolved.
struct Value<'v, T> {
    what: &'static str,
    given: Option<T>,
    spec: Result<Option<T>, &'v str>,
    mode: &'v str,
    backend: &'v str,
    least: T,
}

fn part<T: Copy + PartialOrd + std::fmt::Display>(
    row: &Provider,
    means: Means,
    value: Value<'_, T>,
    watched: impl Fn(T) -> T,
) -> Part<T> {
    let Value { what, given, spec, mode, backend, least } = value;
    let from = match given {
        Some(_) => format!("override, mode {mode} on {backend}"),
        None => format!("{what} of the task file, mode {mode} on {backend}"),
    };
    let number = match (means, given, spec) {
        (Means::Nothing, _, _) => return free(least),
        (_, Some(given), _) => given,
        (_, None, Ok(Some(stated))) => stated,
        (Means::Size, None, Ok(None)) => return unknown("the task states none: the back end's default size"),
        (Means::Unknown, None, Ok(None)) => return unknown(row.says),
        (_, None, Ok(None)) => return free(least),
        (_, None, Err(why)) => return unknown(why),
    };
    let held = |number: T| Held::Inferred {
        knob: row.knob.to_owned(),
        value: number.to_string(),
        from: from.clone(),
    };
    let (floor, ceiling) = match means {
        Means::Ceiling => (None, Some(number)),
        Means::Floor => (Some(number), None),
        Means::Both | Means::Size => (Some(number), Some(number)),
        Means::Watchdog => (None, Some(watched(number))),
        Means::Nothing => (None, None),
        Means::Unknown => return unknown(row.says),
    };
    Part {
        band: Band::try_new(floor.unwrap_or(least), ceiling.map_or(Ceiling::Uncapped, Ceiling::At)).ok(),
        floor: floor.map_or(Held::NotAsked, held),
        ceiling: ceiling.map_or(Held::NotAsked, held),
        declared: given.is_some() && mode != "auto",
    }
}

/// No floor and no ceiling.
fn free<T: Copy + PartialOrd + std::fmt::Display>(least: T) -> Part<T> {
    Part {
        band: Band::try_new(least, Ceiling::Uncapped).ok(),
        floor: Held::NotAsked,
        ceiling: Held::NotAsked,
        declared: false,
    }
}

fn unknown<T>(why: &str) -> Part<T> {
    let held = || Held::NotKnown { why: why.to_owned() };
    Part { band: None, floor: held(), ceiling: held(), declared: false }
}

/// The wall-clock limits: an override, else the task's up to a maximum, times a factor.
fn time_limits(config: &TrialConfig, spec: Option<TaskSpec>) -> TimeLimits {
    let common = config.timeout_multiplier.get().copied().unwrap_or(1.0);
    let limit = |given: Option<f64>, most: Option<f64>, stated: Option<Stated<u64>>, factor: Option<f64>| {
        let of_task = stated.and_then(|stated| stated.or(None)).map(|ms| ms as f64 / 1000.0);
        let base = given.or_else(|| match (of_task, most) {
            (Some(stated), Some(most)) => Some(stated.min(most)),
            (stated, most) => stated.or(most),
        });
        base.map_or(Ceiling::Uncapped, |seconds| {
            Ceiling::At((seconds * factor.unwrap_or(common) * 1000.0).max(0.0) as u64)
        })
    };
    let agent = config.agent.get();
    let verifier = config.verifier.get();
    TimeLimits {
        start_ms: limit(
            None,
            None,
            spec.map(|spec| spec.start_limit_ms),
            config.environment_build_timeout_multiplier.get().copied(),
        ),
        agent_ms: limit(
            agent.and_then(|agent| agent.override_timeout_sec.get().copied()),
            agent.and_then(|agent| agent.max_timeout_sec.get().copied()),
            spec.map(|spec| spec.agent_limit_ms),
            config.agent_timeout_multiplier.get().copied(),
        ),
        verifier_ms: limit(
            verifier.and_then(|verifier| verifier.override_timeout_sec.get().copied()),
            verifier.and_then(|verifier| verifier.max_timeout_sec.get().copied()),
            spec.map(|spec| spec.verifier_limit_ms),
            config.verifier_timeout_multiplier.get().copied(),
        ),
    }
}

#[cfg(test)]
mod tests;
