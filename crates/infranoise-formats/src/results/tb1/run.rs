//! One run of the harness: its documents, its trials, what they share.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use infranoise_core::Subject;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::harness_log::{GivenUp, HarnessLog};
use super::schema::{Lock, Metadata, RunResults, TrialResult};
use crate::results::loss::Losses;
use crate::results::read::{Field, Folder, Unread, parse, read_all};

/// A run's document is no larger.
const LARGEST: u64 = 512 << 20;

/// A run.
pub(super) struct Run {
    pub(super) path: PathBuf,
    /// How records and losses name it.
    pub(super) shown: String,
    pub(super) name: String,
    pub(super) metadata: Metadata,
    pub(super) lock: Lock,
    pub(super) log: HarnessLog,
}

/// A trial of it, with the file that holds it and its own folder, if there is one.
pub(super) struct Listed {
    pub(super) result: TrialResult,
    pub(super) file: String,
    pub(super) folder: Option<PathBuf>,
}

/// The trials that a run holds.
pub(super) struct Trials {
    pub(super) listed: Vec<Listed>,
    /// Whether trials that the harness gave up are among them.
    pub(super) whole: bool,
}

impl Run {
    /// Reads what the trials share.
    pub(super) fn read(path: &Path, shown: &str, losses: &mut Losses) -> Self {
        Self {
            path: path.to_owned(),
            shown: shown.to_owned(),
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            metadata: document(path, "run_metadata.json", shown, losses).unwrap_or_default(),
            lock: document(path, "tb.lock", shown, losses).unwrap_or_default(),
            log: HarnessLog::read(&path.join("run.log")),
        }
    }

    /// Everything of its configuration that makes it another experiment; empty where nothing is known. A folder that is not named
    /// after its run holds a whole submission and is an arm of its own.
    pub(super) fn fingerprint(&self) -> String {
        let text = |field: Option<&Field<String>>| field.and_then(Field::get).cloned();
        let number = |field: Option<&Field<f64>>| field.and_then(Field::get).copied();
        let (agent, config) = (self.lock.agent.get(), self.lock.run_config.get());
        if agent.is_none() && self.metadata.run_id.is_absent() {
            return String::new();
        }
        let whole = match self.metadata.run_id.get() {
            Some(id) if !self.name.contains(id.as_str()) => self.name.as_str(),
            _ => "",
        };
        let kwargs = agent.and_then(|agent| agent.extra_kwargs.get()).cloned().map(|mut kwargs| {
            kwargs.as_object_mut().map(|kwargs| kwargs.remove("model_name"));
            kwargs
        });
        json!([
            whole,
            self.metadata.agent_name.get(),
            self.model().map(|model| undated(model).to_owned()),
            self.metadata.dataset_name.get(),
            self.metadata.dataset_version.get(),
            text(agent.map(|agent| &agent.import_path)),
            kwargs,
            number(config.map(|config| &config.global_timeout_multiplier)).unwrap_or(1.0),
            number(config.map(|config| &config.global_agent_timeout_sec)),
            number(config.map(|config| &config.global_test_timeout_sec)),
        ])
        .to_string()
    }

    fn model(&self) -> Option<&String> {
        self.lock.agent.get().and_then(|agent| agent.model_name.get()).or(self.metadata.model_name.get())
    }

    /// Who worked; where nothing says so, the arm's name.
    pub(super) fn subject(&self, label: &str) -> Subject {
        let agent = self.lock.agent.get();
        let named = agent.and_then(|agent| agent.name.get()).or(self.metadata.agent_name.get());
        Subject { agent: named.cloned().unwrap_or_else(|| label.to_owned()), model: self.model().cloned() }
    }

    pub(super) fn version(&self) -> Option<String> {
        self.lock.harness.get()?.version.get().cloned()
    }

    pub(super) fn concurrency(&self) -> Option<u32> {
        let config = self.lock.run_config.get();
        config
            .and_then(|config| config.n_concurrent_trials.get())
            .or(self.metadata.n_concurrent_trials.get())
            .copied()
    }

    /// What the harness's log says of a trial that it gave up: by the trial's name, or by its task where there is only one trial of it.
    pub(super) fn given_up(&self, trial: &str, task: &str) -> Option<&GivenUp> {
        let named = self.log.given_up.iter().find(|given| given.is_of(trial));
        let only = || {
            let mut of_task = self.log.given_up.iter().filter(|given| given.task == task);
            of_task.next().filter(|given| given.project.is_none() && self.attempts() == 1)
        };
        named.or_else(only)
    }

    /// How often each task was planned.
    pub(super) fn attempts(&self) -> u32 {
        let config = self.lock.run_config.get();
        let attempts =
            config.and_then(|config| config.n_attempts.get()).or(self.metadata.n_attempts.get()).copied();
        attempts.unwrap_or(1)
    }

    /// Its trials: from the run's own document, which is whole, else from each trial's.
    pub(super) fn trials(&self, losses: &mut Losses) -> Trials {
        match document::<RunResults>(&self.path, "results.json", &self.shown, losses) {
            Some(results) if !results.results.is_absent() => {
                let file = format!("{}/results.json", self.shown);
                self.listed_in(results, &file, losses)
            }
            Some(_) | None => Trials { listed: self.in_folders(losses), whole: false },
        }
    }

    /// The trials of a document of a whole run.
    pub(super) fn listed_in(&self, results: RunResults, file: &str, losses: &mut Losses) -> Trials {
        let listed = results.results.take(losses, file, "results").unwrap_or_default();
        let listed = listed
            .into_iter()
            .zip(0..)
            .filter_map(|(result, place)| {
                let result = result.take(losses, file, &format!("results[{place}]"))?;
                let folder = self.folder(&result);
                Some(Listed { result, file: file.to_owned(), folder })
            })
            .collect();
        Trials { listed, whole: true }
    }

    /// Where a trial's own files lie. Names of strangers that are no plain names lead nowhere.
    fn folder(&self, result: &TrialResult) -> Option<PathBuf> {
        let plain =
            |name: &String| !name.is_empty() && !name.contains(['/', '\0']) && name != ".." && name != ".";
        let task = result.task_id.get().filter(|name| plain(name))?;
        let trial = result.trial_name.get().filter(|name| plain(name))?;
        let folder = self.path.join(task).join(trial);
        folder.symlink_metadata().is_ok_and(|kind| kind.is_dir()).then_some(folder)
    }

    fn in_folders(&self, losses: &mut Losses) -> Vec<Listed> {
        let mut trials = Vec::new();
        for task in subfolders(&self.path, &self.shown, losses) {
            for folder in subfolders(&task, &self.shown, losses) {
                let inner = folder.strip_prefix(&self.path).unwrap_or(&folder).display().to_string();
                let shown = format!("{}/{inner}", self.shown);
                if let Some(result) = document::<TrialResult>(&folder, "results.json", &shown, losses)
                    && !result.trial_name.is_absent()
                {
                    let file = format!("{shown}/results.json");
                    trials.push(Listed { result, file, folder: Some(folder) });
                }
            }
        }
        trials
    }

    /// Runs that lie inside of this one: copies that someone left, or a folder too deep. Folders of tasks are none.
    pub(super) fn inside(&self, tasks: &BTreeSet<String>, losses: &mut Losses) -> Vec<PathBuf> {
        let is_run = |folder: &PathBuf| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            if tasks.contains(name.as_ref()) {
                return false;
            }
            ["run_metadata.json", "tb.lock"].iter().any(|name| folder.join(name).is_file())
                || folder.join("results.json").is_file()
        };
        subfolders(&self.path, &self.shown, losses).into_iter().filter(is_run).collect()
    }
}

/// A model's name without its date or alias: `claude-sonnet-4-20250514` and `claude-sonnet-4-0` are one model.
fn undated(model: &str) -> &str {
    let Some((family, last)) = model.rsplit_once('-') else { return model };
    let date = last.len() == 8 && last.bytes().all(|byte| byte.is_ascii_digit());
    if date || last == "0" || last == "latest" { family } else { model }
}

fn subfolders(path: &Path, shown: &str, losses: &mut Losses) -> Vec<PathBuf> {
    match Folder::list(path) {
        Ok(folder) => folder.folders,
        Err(error) => {
            losses.add(shown, path.display().to_string(), error.to_string());
            Vec::new()
        }
    }
}

/// A document, if it is there and can be read.
pub(super) fn document<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    shown: &str,
    losses: &mut Losses,
) -> Option<T> {
    let bytes = match read_all(&folder.join(name), LARGEST) {
        Ok(bytes) => bytes,
        Err(Unread::Missing) => return None,
        Err(error) => {
            losses.add(format!("{shown}/{name}"), "the file", error.to_string());
            return None;
        }
    };
    parse(&bytes).map_err(|error| losses.add(format!("{shown}/{name}"), "the file", error)).ok()
}

#[cfg(test)]
mod tests {
    use super::undated;

    #[test]
    fn a_date_is_not_another_model() {
        let cases = [
            ("anthropic/claude-sonnet-4-20250514", "anthropic/claude-sonnet-4"),
            ("anthropic/claude-sonnet-4-0", "anthropic/claude-sonnet-4"),
            ("gpt-5", "gpt-5"),
            ("model", "model"),
        ];
        for (model, expected) in cases {
            assert_eq!(undated(model), expected);
        }
    }
}
