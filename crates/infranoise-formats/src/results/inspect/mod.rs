//! Logs of Inspect AI: `.eval` archives, finished or crashed, and `.json` documents.

mod failure;
mod log;
pub(in crate::results) mod sandbox;
mod schema;
mod score;

use std::collections::BTreeMap;

use infranoise_core::{Observed, Phase, Stated, Subject, TaskSpec, Usage};
use serde_json::{Value, json};

use self::log::Read;
use self::schema::{Config, Eval, Log, Sample};
use super::candidate::Candidate;
use super::collect::{ArmNumber, Collector};
use super::draft::{Draft, Effective, PhaseDraft, TaskDraft};
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::read::{Archive, Field, moment_ms};

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "inspect",
    what: "a log of Inspect AI",
    looks_for: "an .eval archive with header.json or _journal/start.json, or a .json document with version, status and eval",
    detect,
    read,
};

const NO_COUNTERS: &str = "Inspect reads no kernel counters";

fn detect(candidate: &Candidate) -> Detection {
    let archive = candidate.is_file_named(".eval")
        && Archive::open(candidate.path()).is_ok_and(|archive| {
            archive.names().any(|name| name == "header.json" || name == "_journal/start.json")
        });
    if archive || candidate.is_file_named(".json") && candidate.has_keys(&["version", "status", "eval"]) {
        Detection::Is("a log of Inspect AI")
    } else {
        Detection::No
    }
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    for found in found {
        collector.tell(ImportEvent::Reading { path: found.path.clone(), what: found.what });
        match log::read(&found.path, &found.shown, &mut collector.losses) {
            Ok(read) => read_log(found, read, &mut labels, collector),
            Err(why) => collector.losses.add(&*found.shown, "the log", why),
        }
    }
}

fn read_log(found: &Found, read: Read, labels: &mut BTreeMap<String, String>, collector: &mut Collector<'_>) {
    let Read { log, mut samples, crashed } = read;
    let silent = Eval::default();
    let eval = log.eval.get().unwrap_or(&silent);
    let subject = subject(&log, eval);
    let arm = collector.arm(&label(labels, fingerprint(&log, eval), &subject), &subject);
    settings(&log, eval, arm, collector);
    let quiet = Config::default();
    let config = eval.config.get().unwrap_or(&quiet);
    let shared = Shared {
        task: eval.task.get().cloned().unwrap_or_default(),
        effective: sandbox::effective(eval.sandbox.get(), config),
        scorers: names(eval),
        version: eval.packages.get().and_then(|packages| packages.get("inspect_ai")?.get().cloned()),
        config,
        shown: &found.shown,
    };
    samples.sort_by_key(|sample| (id_text(&sample.id), sample.epoch.get().copied()));
    for sample in &samples {
        if sample.id.is_null() {
            collector.losses.add(&*found.shown, "a sample", "it has no id");
            continue;
        }
        collector.trial(arm, draft(sample, &shared));
    }
    let epochs = config.epochs.get().copied().unwrap_or(1);
    for id in eval.dataset.get().and_then(|dataset| dataset.sample_ids.get()).into_iter().flatten() {
        collector.planned(arm, &shared.task_of(id), epochs);
    }
    if crashed {
        collector.warn(format!(
            "log {} was never finished: what it planned and did not record counts as not started",
            found.shown
        ));
    }
}

/// What the samples of a log share.
struct Shared<'l> {
    task: String,
    effective: Effective,
    scorers: Vec<String>,
    version: Option<String>,
    config: &'l Config,
    shown: &'l str,
}

impl Shared<'_> {
    fn task_of(&self, id: &Value) -> TaskDraft {
        let seconds = self.config.time_limit.get().or(self.config.working_limit.get());
        let limit =
            seconds.map_or(Stated::NotStated, |seconds| Stated::Value((seconds * 1000.0).max(0.0) as u64));
        TaskDraft {
            name: format!("{}/{}", self.task, id_text(id)),
            source: self.task.clone(),
            spec: TaskSpec { agent_limit_ms: limit, ..TaskSpec::default() },
            ..TaskDraft::default()
        }
    }
}

/// A sample's id is a number or a text.
fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

fn draft(sample: &Sample, shared: &Shared<'_>) -> Draft {
    let trial = format!("{} epoch {}", id_text(&sample.id), sample.epoch.get().copied().unwrap_or(1));
    let mut draft = Draft::new("inspect", shared.shown.to_owned(), &trial, NO_COUNTERS);
    draft.id = sample.uuid.get().cloned();
    draft.task = shared.task_of(&sample.id);
    draft.effective = shared.effective.clone();
    draft.source.version.clone_from(&shared.version);
    draft.source.concurrency = shared.config.max_samples.get().copied();
    draft.source.counted = Some(true);
    let at = |field: &Field<String>| field.get().and_then(|text| moment_ms(text)).map(|(ms, _)| ms);
    (draft.started_ms, draft.ended_ms) = (at(&sample.started_at), at(&sample.completed_at));
    draft.reward = score::reward(sample.scores.get(), &shared.scorers);
    draft.phases = vec![
        PhaseDraft { ended_ms: draft.started_ms, ..PhaseDraft::untimed(Phase::Start) },
        PhaseDraft {
            started_ms: draft.started_ms,
            ended_ms: draft.ended_ms,
            ..PhaseDraft::untimed(Phase::Agent)
        },
        PhaseDraft {
            started_ms: draft.ended_ms,
            ended_ms: draft.ended_ms,
            ..PhaseDraft::untimed(Phase::Verify)
        },
    ];
    draft.usage = usage(sample);
    if let (Some(total), Some(working)) = (sample.total_time.get(), sample.working_time.get()) {
        draft.notes.push(format!("{working:.1} s of work in {total:.1} s, the rest was waiting"));
    }
    failure::apply(&mut draft, sample, shared.config);
    draft
}

/// Tokens in are the sum of fresh ones, read from a cache and written to it.
fn usage(sample: &Sample) -> Usage {
    let silent = || "the log holds none".to_owned();
    let models: Vec<_> =
        sample.model_usage.get().into_iter().flat_map(BTreeMap::values).filter_map(Field::get).collect();
    if models.is_empty() {
        return Usage::default();
    }
    let sum = |of: &dyn Fn(&schema::ModelUsage) -> [Option<u64>; 3]| {
        let counts: Vec<u64> = models.iter().flat_map(|usage| of(usage)).flatten().collect();
        if counts.is_empty() {
            Observed::Unavailable(silent())
        } else {
            Observed::Observed(counts.iter().sum())
        }
    };
    let of = |field: &Field<u64>| field.get().copied();
    let costs: Vec<f64> = models.iter().filter_map(|usage| usage.total_cost.get().copied()).collect();
    Usage {
        tokens_in: sum(&|usage| {
            [of(&usage.input_tokens), of(&usage.input_tokens_cache_read), of(&usage.input_tokens_cache_write)]
        }),
        tokens_cached: sum(&|usage| [of(&usage.input_tokens_cache_read), None, None]),
        tokens_out: sum(&|usage| [of(&usage.output_tokens), None, None]),
        cost_usd: if costs.is_empty() {
            Observed::Unavailable(silent())
        } else {
            Observed::Observed(costs.iter().sum())
        },
    }
}

fn names(eval: &Eval) -> Vec<String> {
    let scorers = eval.scorers.get().into_iter().flatten().filter_map(Field::get);
    scorers.filter_map(|scorer| scorer.name.get().cloned()).collect()
}

fn solvers(log: &Log) -> Vec<String> {
    let steps = log.plan.get().and_then(|plan| plan.steps.get()).into_iter().flatten();
    steps.filter_map(|step| step.get()?.solver.get().cloned()).collect()
}

fn subject(log: &Log, eval: &Eval) -> Subject {
    let steps = solvers(log);
    let named = eval.solver.get().cloned().or_else(|| (!steps.is_empty()).then(|| steps.join("+")));
    Subject { agent: named.unwrap_or_else(|| "not recorded".to_owned()), model: eval.model.get().cloned() }
}

/// Everything that makes it another experiment.
fn fingerprint(log: &Log, eval: &Eval) -> String {
    let steps = log.plan.get().and_then(|plan| plan.steps.get()).into_iter().flatten();
    let params: Vec<_> = steps.map(|step| step.get().and_then(|step| step.params.get())).collect();
    let config = eval.config.get();
    let limits = config.map(|config| {
        json!([
            config.time_limit.get(),
            config.working_limit.get(),
            config.message_limit.get(),
            config.token_limit.get()
        ])
    });
    json!([
        eval.task.get(),
        eval.task_version.get(),
        eval.model.get(),
        eval.model_generate_config.get(),
        eval.model_args.get(),
        eval.sandbox.get(),
        solvers(log),
        params,
        limits,
    ])
    .to_string()
}

/// The model names an arm; the second configuration of it gets a number.
fn label(labels: &mut BTreeMap<String, String>, fingerprint: String, subject: &Subject) -> String {
    if let Some(known) = labels.get(&fingerprint) {
        return known.clone();
    }
    let model = subject.model.as_deref().unwrap_or(&subject.agent).replace('/', ".");
    let same =
        labels.values().filter(|label| **label == model || label.starts_with(&format!("{model}."))).count();
    let label = if same == 0 { model } else { format!("{model}.{}", same + 1) };
    labels.insert(fingerprint, label.clone());
    label
}

fn settings(log: &Log, eval: &Eval, arm: ArmNumber, collector: &mut Collector<'_>) {
    let mut set = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            collector.setting(arm, key, value);
        }
    };
    let version = eval.packages.get().and_then(|packages| packages.get("inspect_ai")?.get());
    set("harness version", version.map(|version| format!("inspect_ai {version}")));
    set("dataset", eval.dataset.get().and_then(|dataset| dataset.name.get().cloned()));
    let sandbox = eval.sandbox.get().and_then(|sandbox| sandbox.get("type")?.as_str());
    set("sandbox", sandbox.map(str::to_owned));
    if let Some(config) = eval.config.get() {
        set("max samples at once", config.max_samples.get().map(u32::to_string));
        set("max sandboxes at once", config.max_sandboxes.get().map(u32::to_string));
        set("max subprocesses at once", config.max_subprocesses.get().map(u32::to_string));
        set("time limit (s)", config.time_limit.get().map(f64::to_string));
        set("working limit (s)", config.working_limit.get().map(f64::to_string));
    }
    for row in log
        .results
        .get()
        .and_then(|results| results.scores.get())
        .into_iter()
        .flatten()
        .filter_map(Field::get)
    {
        let accuracy = row.metrics.get().and_then(|metrics| metrics.get("accuracy")?.get()?.value.get());
        let name = row.name.get().map_or("score", String::as_str);
        set("accuracy of the source", accuracy.map(|value| format!("{name}: {value}")));
    }
}
