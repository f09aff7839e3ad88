//! A job's folder: what its trials share, what was planned, what was retried.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::schema::{JobLock, JobResult, LockedTask};
use super::trial::LARGEST;
use crate::results::importer::Found;
use crate::results::loss::Losses;
use crate::results::read::{Field, Folder, moment_ms, parse, read_all, read_ends};

/// One job.
pub(super) struct Job {
    pub(super) path: PathBuf,
    /// How records and losses name it.
    pub(super) shown: String,
    pub(super) name: String,
    /// Everything of its configuration that makes it another experiment.
    pub(super) fingerprint: String,
    pub(super) agents: usize,
    pub(super) version: Option<String>,
    pub(super) concurrency: Option<u32>,
    pub(super) planned: Vec<LockedTask>,
    pub(super) retries: Vec<Retry>,
    pub(super) n_retries: u64,
    pub(super) finished: bool,
    /// The job's own scores, in words.
    pub(super) scores: Vec<String>,
}

/// A trial that was retried: its first folder is gone.
pub(super) struct Retry {
    pub(super) trial: String,
    pub(super) class: String,
}

impl Job {
    /// Reads what is beside the trials. A single trial's folder is a job of its own.
    pub(super) fn read(found: &Found, losses: &mut Losses) -> Self {
        let path = match found.path.parent() {
            Some(folder) if found.path.is_file() => folder.to_owned(),
            _ => found.path.clone(),
        };
        let mut document = |name: &str| -> Option<Value> {
            let bytes = match read_all(&path.join(name), LARGEST) {
                Ok(bytes) => bytes,
                Err(crate::results::read::Unread::Missing) => return None,
                Err(error) => {
                    losses.add(format!("{}/{name}", found.shown), "", error.to_string());
                    return None;
                }
            };
            parse(&bytes).map_err(|error| losses.add(format!("{}/{name}", found.shown), "", error)).ok()
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let config = document("config.json").unwrap_or(Value::Null);
        let lock: JobLock = document("lock.json").and_then(typed).unwrap_or_default();
        let result: JobResult = document("result.json").and_then(typed).unwrap_or_default();
        let planned = lock.trials.get().into_iter().flatten();
        let planned = planned.filter_map(|trial| trial.get()?.task.get().cloned()).collect();
        let concurrency = lock.n_concurrent_trials.get().copied().or_else(|| concurrency(&config));
        Self {
            shown: found.shown.clone(),
            fingerprint: fingerprint(&name, &config, concurrency),
            name,
            agents: config["agents"].as_array().map_or(1, Vec::len),
            version: lock.harbor.get().and_then(|harbor| harbor.version.get().cloned()),
            concurrency,
            planned,
            retries: retries(&path),
            n_retries: result.stats.get().and_then(|stats| stats.n_retries.get().copied()).unwrap_or(0),
            scores: scores(&result),
            finished: result.finished_at != Field::Absent || result.started_at == Field::Absent,
            path,
        }
    }

    /// The folders of its trials.
    pub(super) fn trials(&self) -> std::io::Result<Vec<PathBuf>> {
        let listed = Folder::list(&self.path)?;
        let is_trial = |folder: &PathBuf| {
            !folder.file_name().unwrap_or_default().to_string_lossy().starts_with('.')
                && (folder.join("result.json").is_file() || folder.join("config.json").is_file())
        };
        let trials: Vec<PathBuf> = listed.folders.into_iter().filter(is_trial).collect();
        Ok(if trials.is_empty() { vec![self.path.clone()] } else { trials })
    }
}

fn typed<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

/// `mean 0.4 (oracle__tasks)`
fn scores(result: &JobResult) -> Vec<String> {
    let evals = result.stats.get().and_then(|stats| stats.evals.get()).into_iter().flatten();
    evals
        .filter_map(|(name, eval)| Some((name, eval.get()?.metrics.get()?)))
        .flat_map(|(name, metrics)| metrics.iter().filter_map(Field::get).map(move |metric| (name, metric)))
        .flat_map(|(name, metric)| metric.iter().map(move |(key, value)| (name, key, value)))
        .filter_map(|(name, key, value)| Some(format!("{key} {} ({name})", value.get()?)))
        .collect()
}

/// The first versions kept it under `orchestrator`.
fn concurrency(config: &Value) -> Option<u32> {
    let now = config["n_concurrent_trials"].as_u64();
    now.or_else(|| config["orchestrator"]["n_concurrent_trials"].as_u64()).and_then(|n| u32::try_from(n).ok())
}

/// Jobs of one fingerprint are repeats of one arm. A job that a person named is an arm of its own; one that is called after its hour is
/// told apart by its configuration alone.
fn fingerprint(name: &str, config: &Value, concurrency: Option<u32>) -> String {
    const KEYS: [&str; 7] = [
        "environment",
        "agents",
        "verifier",
        "timeout_multiplier",
        "agent_timeout_multiplier",
        "verifier_timeout_multiplier",
        "environment_build_timeout_multiplier",
    ];
    const OF_DATASET: [&str; 5] = ["name", "version", "ref", "path", "registry"];
    let datasets: Vec<Value> = config["datasets"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|dataset| OF_DATASET.iter().map(|key| dataset[*key].clone()).collect())
        .collect();
    let parts: Vec<&Value> = KEYS.iter().map(|key| &config[*key]).collect();
    let named = moment_ms(name).is_none().then_some(name);
    json!([named, parts, datasets, concurrency]).to_string()
}

/// `Trial X failed with exception Y. Retrying in …`, as the job's log has it.
fn retries(job: &Path) -> Vec<Retry> {
    let Ok(log) = read_ends(&job.join("job.log"), 8 << 20) else { return Vec::new() };
    let lines = log.head.lines().chain(log.tail.iter().flat_map(|tail| tail.lines()));
    lines
        .filter_map(|line| {
            let (trial, rest) = line.strip_prefix("Trial ")?.split_once(" failed with exception ")?;
            let (class, _) = rest.split_once(". Retrying in ")?;
            Some(Retry { trial: trial.to_owned(), class: class.to_owned() })
        })
        .collect()
}
