//! Harbor's job folders, of both eras: 0.1 without locks and modes, to 0.26.

mod class;
mod failure;
mod job;
mod message;
pub mod provider;
mod resources;
mod schema;
mod spec;
pub(in crate::results) mod traces;
mod trial;

pub(in crate::results) use self::class::start_failure;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Mutex;

use infranoise_core::Attempt;

use self::job::Job;
use self::spec::TaskFiles;
use self::trial::{MissingSpec, Read, Shared, Trial};
use super::arms::{Configured, labels};
use super::candidate::Candidate;
use super::collect::{ArmNumber, Collector};
use super::draft::TaskDraft;
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::loss::Losses;
use super::read::in_order;

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "harbor",
    what: "a job of Harbor, or one trial of it",
    looks_for: "result.json with n_total_trials, config.json with job_name, or folders whose result.json has trial_name and task_name",
    detect,
    read,
};

const TRIAL: &[&str] = &["trial_name", "task_name"];

fn detect(candidate: &Candidate) -> Detection {
    let job = candidate.holds("result.json", &["n_total_trials"])
        || candidate.holds("config.json", &["job_name"])
        || candidate.holds("lock.json", &["harbor", "trials"]);
    let file = candidate.is_file_named("result.json") && candidate.has_keys(TRIAL);
    if file || candidate.holds("result.json", TRIAL) {
        Detection::Is("a trial of Harbor")
    } else if job || candidate.child_holds("result.json", TRIAL) {
        Detection::Is("a job of Harbor")
    } else {
        Detection::No
    }
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    let jobs: Vec<Job> = found.iter().map(|found| Job::read(found, &mut collector.losses)).collect();
    let configured: Vec<Configured<'_>> = jobs
        .iter()
        .map(|job| Configured { path: &job.path, name: &job.name, fingerprint: &job.fingerprint })
        .collect();
    let labels = labels(&configured, |folder| folder.join("metadata.yaml").is_file());
    let files = Mutex::new(TaskFiles::beside(collector.task_folders.clone()));
    for (job, label) in jobs.iter().zip(labels) {
        collector.tell(ImportEvent::Reading { path: job.path.clone(), what: "a job of Harbor" });
        read_job(job, &label, &files, collector);
    }
}

fn read_job(job: &Job, label: &str, files: &Mutex<TaskFiles>, collector: &mut Collector<'_>) {
    let trials = match job.trials() {
        Ok(trials) => trials,
        Err(error) => return collector.losses.add(&*job.shown, "trials", error.to_string()),
    };
    let shared = Shared { job: &job.path, version: job.version.clone(), concurrency: job.concurrency, files };
    let mut places: BTreeMap<String, (ArmNumber, TaskDraft)> = BTreeMap::new();
    let mut first: Option<ArmNumber> = None;
    let mut missed: HashSet<Option<String>> = HashSet::new();
    let work = |folder: &PathBuf| {
        let shown = match folder.strip_prefix(&job.path) {
            Ok(inner) if !inner.as_os_str().is_empty() => format!("{}/{}", job.shown, inner.display()),
            _ => job.shown.clone(),
        };
        let mut losses = Losses::default();
        let read = trial::read(folder, &shown, &shared, &mut losses);
        (shown, read, losses)
    };
    in_order(&trials, work, |(shown, read, losses)| {
        collector.losses.join(losses);
        let read = match read {
            Ok(Trial::Foreign(read)) => *read,
            Ok(Trial::Ours(record)) => return collector.record(*record),
            Err(why) => return collector.losses.add(format!("{shown}/result.json"), "the trial", why),
        };
        let arm = place(job, label, &read, collector);
        first.get_or_insert(arm);
        let Read { mut draft, missing_spec, .. } = read;
        if let Some(MissingSpec { named, why }) = missing_spec
            && missed.insert(named)
        {
            // What a thousand trials lack is said once.
            collector.losses.add(&*draft.source.file, "task spec", why);
        }
        add_retries(job, &mut draft);
        for key in task_keys(&draft.task) {
            places.entry(key).or_insert_with(|| (arm, draft.task.clone()));
        }
        collector.trial(arm, draft);
    });
    plan(job, first, &places, collector);
    warn(job, collector);
}

/// The arm of a trial; agents of one job are apart.
fn place(job: &Job, label: &str, read: &Read, collector: &mut Collector<'_>) -> ArmNumber {
    let arm = if job.agents > 1 {
        let model = read.subject.model.as_deref().map(|model| model.rsplit('/').next().unwrap_or(model));
        let parts: Vec<&str> = [label, &read.subject.agent].into_iter().chain(model).collect();
        collector.arm(&parts.join("."), &read.subject)
    } else {
        collector.arm(label, &read.subject)
    };
    for (key, value) in &read.settings {
        collector.setting(arm, key, value.clone());
    }
    collector.setting(arm, "job", &*job.name);
    for score in &job.scores {
        collector.setting(arm, "score of the source", &**score);
    }
    if let Some(version) = &job.version {
        collector.setting(arm, "harness version", format!("harbor {version}"));
    }
    if let Some(concurrency) = job.concurrency {
        collector.setting(arm, "concurrency", concurrency.to_string());
    }
    arm
}

/// The job's log names retried trials; nothing else of their first attempts is left.
fn add_retries(job: &Job, draft: &mut super::draft::Draft) {
    let earlier: Vec<&str> = job
        .retries
        .iter()
        .filter(|retry| retry.trial == draft.source.trial)
        .map(|retry| retry.class.as_str())
        .collect();
    if !earlier.is_empty() {
        draft.attempt = Attempt(u32::try_from(earlier.len()).unwrap_or(u32::MAX));
        draft.notes.push(format!(
            "after retry: earlier attempts ended with {} and Harbor deleted their folders",
            earlier.join(", ")
        ));
    }
}

/// By what a planned task and a trial's task are known to be one.
fn task_keys(task: &TaskDraft) -> Vec<String> {
    let digest = task.digest.iter().map(|digest| format!("sha256:{digest}"));
    digest.chain([task.source.clone(), task.name.clone()]).collect()
}

/// What the lock planned, also where no trial was recorded.
fn plan(
    job: &Job,
    first: Option<ArmNumber>,
    places: &BTreeMap<String, (ArmNumber, TaskDraft)>,
    collector: &mut Collector<'_>,
) {
    let Some(first) = first.filter(|_| job.agents == 1) else { return };
    for locked in &job.planned {
        let keys = [&locked.digest, &locked.path, &locked.name].map(|field| field.get().cloned());
        let known = keys.iter().flatten().find_map(|key| places.get(key));
        let unseen = || TaskDraft {
            name: locked.name.get().cloned().unwrap_or_default(),
            source: locked.path.get().cloned().unwrap_or_default(),
            digest: locked.digest.get().map(|text| text.trim_start_matches("sha256:").to_owned()),
            ..TaskDraft::default()
        };
        let (arm, task) = known.cloned().unwrap_or_else(|| (first, unseen()));
        if !task.name.is_empty() {
            collector.planned(arm, &task, 1);
        }
    }
}

fn warn(job: &Job, collector: &mut Collector<'_>) {
    if job.n_retries > 0 || !job.retries.is_empty() {
        let retries = job.n_retries.max(job.retries.len() as u64);
        let says = format!(
            "job {}: {retries} attempts were retried and their folders deleted, so that infra errors are undercounted and scores are \
             after retry",
            job.name
        );
        collector.losses.add(&*job.shown, "retried attempts", &*says);
        collector.warn(says);
    }
    if !job.finished {
        let says = format!(
            "job {} was interrupted: what it planned and did not record counts as not started",
            job.name
        );
        collector.warn(says);
    }
}
