//! Terminal-Bench 1: runs and leaderboard submissions in every layout, with or without logs.

mod cast;
mod harness_log;
mod pane;
pub(in crate::results) mod pytest;
mod run;
mod schema;
mod terminals;
mod trial;
mod verifier;

use std::collections::{BTreeMap, BTreeSet};

use infranoise_core::{Confidence, Subject};

use self::run::{Listed, Run, Trials, document};
use self::schema::{RunResults, TrialResult};
use super::arms::{Configured, labels};
use super::candidate::Candidate;
use super::collect::{ArmNumber, Collector};
use super::draft::{Draft, TaskDraft};
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::loss::Losses;
use super::read::{Field, in_order};

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "tb1",
    what: "a run or a submission of Terminal-Bench 1",
    looks_for: "results.json with results and n_resolved, tb.lock, run_metadata.json, or <task>/<trial>/results.json with is_resolved",
    detect,
    read,
};

const LONE_TRIAL: &str = "a trial of Terminal-Bench 1";
const LONE_RUN: &str = "the results of a run of Terminal-Bench 1";
const RUN: &[&str] = &["results", "n_resolved"];
const TRIAL: &[&str] = &["trial_name", "is_resolved", "failure_mode"];

fn detect(candidate: &Candidate) -> Detection {
    const A_RUN: Detection = Detection::Is("a run of Terminal-Bench 1");
    // The small documents first: a run's own is large, and need not be looked through where they are there.
    let small = candidate.holds("run_metadata.json", &["run_id", "dataset_name"])
        || candidate.holds("tb.lock", &["lockfile_version", "harness"]);
    if small {
        return A_RUN;
    }
    let alone = candidate.is_file_named("results.json") && candidate.has_keys(TRIAL);
    if alone || candidate.holds("results.json", TRIAL) {
        Detection::Is(LONE_TRIAL)
    } else if candidate.holds("results.json", RUN) || candidate.grandchild_holds("results.json", TRIAL) {
        A_RUN
    } else if candidate.is_file_named("results.json") && candidate.has_keys(RUN) {
        Detection::Is(LONE_RUN)
    } else {
        Detection::No
    }
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    let mut runs: Vec<Run> = Vec::with_capacity(found.len());
    in_order(
        found,
        |found| {
            let mut losses = Losses::default();
            (Run::read(&found.path, &found.shown, &mut losses), losses)
        },
        |(run, losses)| {
            runs.push(run);
            collector.losses.join(losses);
        },
    );
    let prints: Vec<String> = runs.iter().map(Run::fingerprint).collect();
    let configured: Vec<Configured<'_>> = found
        .iter()
        .zip(&runs)
        .zip(&prints)
        .map(|((found, run), fingerprint)| Configured { path: &found.path, name: &run.name, fingerprint })
        .collect();
    let labels = labels(&configured, |_| false);
    let each: Vec<(&Found, &Run, String)> =
        found.iter().zip(&runs).zip(labels).map(|((found, run), label)| (found, run, label)).collect();
    let mut subjects: BTreeMap<String, Subject> = BTreeMap::new();
    in_order(
        &each,
        |(found, run, label)| {
            let mut losses = Losses::default();
            let trials = listed(found, run, &mut losses);
            (*found, *run, label.clone(), Drafted::of(run, trials, losses))
        },
        |(found, run, label, drafted)| {
            // Runs of one arm have one subject, however each of them spells the model.
            let subject = subjects.entry(label.clone()).or_insert_with(|| run.subject(&label)).clone();
            let arm = collector.arm(&label, &subject);
            collector.tell(ImportEvent::Reading { path: found.path.clone(), what: found.what });
            let tasks = drafted.hand_on(run, arm, collector);
            if found.path.is_dir() {
                read_inside(run, arm, &tasks, 0, collector);
            }
        },
    );
}

fn listed(found: &Found, run: &Run, losses: &mut Losses) -> Trials {
    let folder = if found.path.is_dir() { Some(found.path.as_path()) } else { found.path.parent() };
    let Some(folder) = folder else { return Trials { listed: Vec::new(), whole: true } };
    let name = match found.path.file_name() {
        Some(name) if found.path.is_file() => name.to_string_lossy().into_owned(),
        _ => "results.json".to_owned(),
    };
    let file = if found.path.is_file() { found.shown.clone() } else { format!("{}/{name}", found.shown) };
    match found.what {
        LONE_TRIAL => {
            let result = document::<TrialResult>(folder, &name, &found.shown, losses);
            let listed = result.map(|result| Listed { result, file, folder: Some(folder.to_owned()) });
            Trials { listed: listed.into_iter().collect(), whole: true }
        }
        LONE_RUN => {
            let results = document::<RunResults>(folder, &name, &found.shown, losses).unwrap_or_default();
            run.listed_in(results, &file, losses)
        }
        _ => run.trials(losses),
    }
}

/// The trials of a run as drafts, read by whichever thread came to it.
struct Drafted {
    drafts: Vec<Draft>,
    tasks: BTreeSet<String>,
    losses: Losses,
}

impl Drafted {
    fn of(run: &Run, trials: Trials, mut losses: Losses) -> Self {
        let mut drafts = Vec::with_capacity(trials.listed.len());
        let mut tasks = BTreeSet::new();
        for listed in trials.listed {
            tasks.extend(listed.result.task_id.get().cloned());
            if listed.result.trial_name.get().is_none() && listed.result.task_id.get().is_none() {
                losses.add(listed.file, "the trial", "it names neither itself nor its task");
                continue;
            }
            let folder = listed.folder.clone();
            let broken = broken_test(&listed.result);
            let mut draft = trial::draft(listed, run, &mut losses);
            terminals::apply(&mut draft, folder.as_deref(), broken.as_ref());
            drafts.push(draft);
        }
        if !trials.whole {
            // Without the run's own document, trials that the harness gave up are in its log alone.
            drafts.extend(run.log.given_up.iter().map(|given| trial::given_up(given, run)));
        }
        Self { drafts, tasks, losses }
    }

    /// Gives the trials to the collector; what comes back are their tasks.
    fn hand_on(self, run: &Run, arm: ArmNumber, collector: &mut Collector<'_>) -> BTreeSet<String> {
        collector.losses.join(self.losses);
        settings(run, arm, collector);
        for draft in self.drafts {
            collector.trial(arm, draft);
        }
        for task in run.metadata.task_ids.get().into_iter().flatten().filter_map(Field::get) {
            let task = TaskDraft {
                name: task.clone(),
                source: "run_metadata.json".to_owned(),
                ..TaskDraft::default()
            };
            collector.planned(arm, &task, run.attempts());
        }
        self.tasks
    }
}

/// Copies of other runs inside of this one: what was read before is dropped by its id.
fn read_inside(
    run: &Run,
    arm: ArmNumber,
    tasks_of_run: &BTreeSet<String>,
    depth: usize,
    collector: &mut Collector<'_>,
) {
    if depth > 4 {
        return;
    }
    for path in run.inside(tasks_of_run, &mut collector.losses) {
        let shown = format!("{}/{}", run.shown, path.strip_prefix(&run.path).unwrap_or(&path).display());
        let mut inner = Run::read(&path, &shown, &mut collector.losses);
        let mut losses = Losses::default();
        let trials = inner.trials(&mut losses);
        // What was planned there was counted with the original.
        inner.metadata.task_ids = Field::Absent;
        let inner_tasks = Drafted::of(&inner, trials, losses).hand_on(&inner, arm, collector);
        read_inside(&inner, arm, &inner_tasks, depth + 1, collector);
    }
}

/// The test that stands for a test file which does not load, where it is the only one.
fn broken_test(result: &TrialResult) -> Option<(String, Confidence)> {
    let tests = result.parser_results.get().filter(|tests| tests.len() == 1)?;
    tests.keys().find_map(|test| Some((test.clone(), verifier::broken_file(test)?)))
}

fn settings(run: &Run, arm: ArmNumber, collector: &mut Collector<'_>) {
    collector.setting(arm, "run", &*run.name);
    if let Some(version) = run.version() {
        collector.setting(arm, "harness version", format!("terminal-bench {version}"));
    }
    if let Some(concurrency) = run.concurrency() {
        collector.setting(arm, "concurrency", concurrency.to_string());
    }
    let config = run.lock.run_config.get();
    if let Some(multiplier) = config.and_then(|config| config.global_timeout_multiplier.get()) {
        collector.setting(arm, "time-limit multiplier", multiplier.to_string());
    }
    if let Some(accuracy) = run.metadata.accuracy.get() {
        collector.setting(arm, "accuracy of the source, by run", format!("{}: {accuracy}", run.name));
    }
}
