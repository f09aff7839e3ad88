//! OpenHands' `output.jsonl`, of both generations.
//!
//! Its resource factor doubles after a crash of the runtime: resources change *because of* failures. Scores over such trials are
//! selected, and the import says so.

use infranoise_core::{Attempt, Cause, Observed, Phase, Reward, SourceFailure, Stop, Subject, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::candidate::Candidate;
use super::collect::Collector;
use super::draft::{Draft, Effective, PhaseDraft, observed};
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::read::{Field, Keys, Line, Lines, excerpt, moment_ms, parse, top_keys};

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "openhands",
    what: "an output.jsonl of OpenHands",
    looks_for: "a .jsonl file whose lines have instance_id and test_result, with metadata or history",
    detect,
    read,
};

/// A line holds a whole history.
const LONGEST: u64 = 512 << 20;
const NO_COUNTERS: &str = "OpenHands reads no kernel counters";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output {
    instance_id: Field<String>,
    attempt: Field<u32>,
    test_result: Field<Value>,
    report: Field<Value>,
    error: Field<String>,
    metadata: Field<Metadata>,
    metrics: Field<Metrics>,
    runtime_runs: Field<Vec<Field<RuntimeRun>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    agent_class: Field<String>,
    llm_config: Field<Llm>,
    llm: Field<Llm>,
    max_iterations: Field<u64>,
    workspace_type: Field<String>,
    base_resource_factor: Field<f64>,
    dataset: Field<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Llm {
    model: Field<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metrics {
    accumulated_cost: Field<f64>,
    accumulated_token_usage: Field<Tokens>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    prompt_tokens: Field<u64>,
    completion_tokens: Field<u64>,
    cache_read_tokens: Field<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RuntimeRun {
    resource_factor: Field<f64>,
    started_at: Field<String>,
}

fn is_output(keys: &Keys) -> bool {
    keys.all(&["instance_id", "test_result"]) && (keys.all(&["metadata"]) || keys.all(&["history"]))
}

fn detect(candidate: &Candidate) -> Detection {
    if !candidate.is_file_named(".jsonl") {
        return Detection::No;
    }
    let first =
        Lines::open(candidate.path(), LONGEST).ok().and_then(|mut lines| lines.next_line().ok().flatten());
    match first {
        Some(Line::Whole(line)) if top_keys(&line).is_some_and(|keys| is_output(&keys)) => {
            Detection::Is("an output.jsonl of OpenHands")
        }
        Some(Line::Whole(_) | Line::TooLong) | None => Detection::No,
    }
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    for found in found {
        collector.tell(ImportEvent::Reading { path: found.path.clone(), what: found.what });
        if let Err(why) = read_file(found, collector) {
            collector.losses.add(&*found.shown, "the file", why);
        }
    }
}

fn read_file(found: &Found, collector: &mut Collector<'_>) -> Result<(), String> {
    let mut lines = Lines::open(&found.path, LONGEST).map_err(|error| error.to_string())?;
    let (mut number, mut raised, mut trials) = (0, 0, 0);
    while let Some(line) = lines.next_line().map_err(|error| error.to_string())? {
        number += 1;
        let output: Result<Output, String> = match line {
            Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Whole(line) => parse(&line),
            Line::TooLong => Err("too long to be a trial".to_owned()),
        };
        let output = match output {
            Ok(output) => output,
            Err(why) => {
                collector.losses.add(&*found.shown, format!("line {number}"), why);
                continue;
            }
        };
        if output.instance_id.is_absent() {
            collector.losses.add(&*found.shown, format!("line {number}"), "it names no instance");
            continue;
        }
        trials += 1;
        raised += u64::from(factors(&output).is_some_and(|(first, last)| last > first));
        let subject = subject(&output);
        let label = subject.model.clone().unwrap_or_else(|| subject.agent.clone()).replace('/', ".");
        let arm = collector.arm(&label, &subject);
        if let Some(kind) = output.metadata.get().and_then(|metadata| metadata.workspace_type.get()) {
            collector.setting(arm, "workspace", kind.clone());
        }
        if let Some(factor) = output.metadata.get().and_then(|metadata| metadata.base_resource_factor.get()) {
            collector.setting(arm, "base resource factor", factor.to_string());
        }
        collector.trial(arm, draft(&output, found, number));
    }
    if raised > 0 {
        collector.warn(format!(
            "{}: {raised} of {trials} trials were given more resources because an earlier attempt had crashed; their scores are \
             selected by failure and comparable to nothing at one fixed size",
            found.shown
        ));
    }
    Ok(())
}

/// The first and the last resource factor.
fn factors(output: &Output) -> Option<(f64, f64)> {
    let listed = output.runtime_runs.get()?.iter().filter_map(Field::get);
    let all: Vec<f64> = listed.filter_map(|start| start.resource_factor.get().copied()).collect();
    Some((*all.first()?, *all.last()?))
}

fn subject(output: &Output) -> Subject {
    let metadata = output.metadata.get();
    let llm = metadata.and_then(|metadata| metadata.llm_config.get().or(metadata.llm.get()));
    let class = metadata.and_then(|metadata| metadata.agent_class.get());
    Subject {
        agent: class.map_or_else(|| "openhands".to_owned(), |class| format!("openhands {class}")),
        model: llm.and_then(|llm| llm.model.get().cloned()),
    }
}

fn draft(output: &Output, found: &Found, line: u64) -> Draft {
    let instance = output.instance_id.get().cloned().unwrap_or_else(|| format!("line-{line}"));
    let mut draft = Draft::new("openhands", format!("{}:{line}", found.shown), &instance, NO_COUNTERS);
    let replicate = output.attempt.get().copied().unwrap_or(0);
    draft.id = Some(format!("{}/{instance}/{replicate}", found.shown));
    draft.task.name = instance;
    let dataset = output.metadata.get().and_then(|metadata| metadata.dataset.get());
    draft.task.source = dataset.cloned().unwrap_or_else(|| "not recorded".to_owned());
    draft.phases = vec![PhaseDraft::untimed(Phase::Start), PhaseDraft::untimed(Phase::Agent)];
    draft.usage = usage(output);
    let starts = output.runtime_runs.get().map_or(0, Vec::len);
    draft.attempt = Attempt(u32::try_from(starts.saturating_sub(1)).unwrap_or(u32::MAX));
    let first = output.runtime_runs.get().and_then(|starts| starts.first()?.get()?.started_at.get());
    draft.started_ms = first.and_then(|text| moment_ms(text)).map(|(ms, _)| ms);
    if let Some((first, last)) = factors(output) {
        draft.effective =
            Effective::unknown(&format!("resource factor {last} of a base that is not recorded"));
        if last > first {
            draft.notes.push(format!("resources were raised after a crash: factor {first}, then {last}"));
        }
    }
    match resolved(output) {
        Some(resolved) => {
            let value = if resolved { 1.0 } else { 0.0 };
            draft.reward = Reward::Given {
                values: [("reward".to_owned(), value)].into(),
                source: "test_result".to_owned(),
            };
            draft.phases.push(PhaseDraft::untimed(Phase::Verify));
        }
        None => draft
            .notes
            .push("no verdict in the file: evaluate the patch and import the report with it".to_owned()),
    }
    if let Some(error) = output.error.get().filter(|error| !error.trim().is_empty()) {
        with_error(&mut draft, error);
    }
    draft
}

/// Where the generations keep the verdict.
fn resolved(output: &Output) -> Option<bool> {
    let within =
        |value: Option<&Value>, pointer: &str| value.and_then(|value| value.pointer(pointer)?.as_bool());
    let test = output.test_result.get();
    within(test, "/report/resolved")
        .or_else(|| within(test, "/resolved"))
        .or_else(|| within(output.report.get(), "/resolved"))
        .or_else(|| test.and_then(Value::as_bool))
}

fn usage(output: &Output) -> Usage {
    let metrics = output.metrics.get();
    let tokens = metrics.and_then(|metrics| metrics.accumulated_token_usage.get());
    let count = |of: fn(&Tokens) -> &Field<u64>| {
        observed(tokens.and_then(|tokens| of(tokens).get().copied()), "the file holds none")
    };
    Usage {
        tokens_in: count(|tokens| &tokens.prompt_tokens),
        tokens_cached: count(|tokens| &tokens.cache_read_tokens),
        tokens_out: count(|tokens| &tokens.completion_tokens),
        cost_usd: match metrics.and_then(|metrics| metrics.accumulated_cost.get()) {
            Some(cost) => Observed::Observed(*cost),
            None => Observed::Unavailable("the file holds none".to_owned()),
        },
    }
}

/// The error ended the attempt: its class is the first word of it, wherever the harness puts it.
fn with_error(draft: &mut Draft, error: &str) {
    const CLASSES: [(&str, Cause); 10] = [
        ("AgentRuntimeTimeoutError", Cause::EngineError),
        ("AgentRuntimeUnavailableError", Cause::SandboxGone),
        ("AgentRuntimeDisconnectedError", Cause::SandboxGone),
        ("AgentRuntimeNotFoundError", Cause::SandboxGone),
        ("AgentRuntimeNotReadyError", Cause::StartFailed),
        ("AgentRuntimeBuildError", Cause::BuildFailed),
        ("RateLimitError", Cause::ApiRateLimit),
        ("InternalServerError", Cause::ApiError),
        ("ServiceUnavailableError", Cause::ApiError),
        ("APIConnectionError", Cause::ApiError),
    ];
    let class = error
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .find(|word| word.ends_with("Error") || word.ends_with("Exception"))
        .unwrap_or_default();
    draft.source.failure = Some(SourceFailure { class: class.to_owned(), message: excerpt(error, 400) });
    let known = CLASSES.iter().find(|(name, _)| *name == class).map(|(_, cause)| *cause);
    let message = excerpt(error, 300);
    let before = matches!(known, Some(Cause::StartFailed | Cause::BuildFailed));
    if before {
        draft.phases.retain(|phase| phase.phase < Phase::Agent);
    }
    let phase = if before { Phase::Start } else { Phase::Agent };
    let agent_error = error.contains("AgentStuckInLoop") || error.contains("maximum iteration");
    if let Some(record) = draft.phase_mut(phase) {
        record.stop = if agent_error {
            Stop::Exited { code: 1 }
        } else {
            Stop::Failed { cause: known.unwrap_or(Cause::Unknown), message }
        };
    }
}
