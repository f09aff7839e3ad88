//! Errors and limits of a sample: what ended it, by the exception's class first and its words second.

use infranoise_core::{
    Cause, Clue, ClueKind, Confidence, Evidence, Phase, Position, Resource, SourceFailure, Stop,
};
use serde_json::Value;

use super::schema::{Config, Sample};
use crate::results::draft::{Draft, PhaseDraft};
use crate::results::read::excerpt;

/// The share of a sample's time that must have been waiting before a time limit is in doubt.
const WAITED_SHARE: f64 = 0.5;

/// Puts error and limit of a sample into its draft.
pub(super) fn apply(draft: &mut Draft, sample: &Sample, config: &Config) {
    if let Some(error) = text_of(&sample.error, "message") {
        with_error(draft, error);
    } else if let Some(limit) = text_of(&sample.limit, "type") {
        with_limit(draft, limit, sample, config);
    }
    let retried = sample.retries.get().copied().unwrap_or(0);
    let retried = retried.max(sample.error_retries.get().map_or(0, |errors| errors.len() as u32));
    if retried > 0 {
        draft.attempt = infranoise_core::Attempt(retried);
        draft.notes.push(format!("after retry: {retried} earlier attempts ended with an error"));
    }
}

/// A text, or the named text of an object.
fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.as_str().or_else(|| value.get(key)?.as_str())
}

fn with_error(draft: &mut Draft, error: &str) {
    let class = error.split(['(', ':']).next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    draft.source.failure = Some(SourceFailure { class: class.to_owned(), message: excerpt(error, 400) });
    // Samples with an error are not scored and leave the denominator.
    draft.source.counted = Some(false);
    let stop = match meaning(class, error) {
        Meaning::Outside(cause) => Stop::Failed { cause, message: excerpt(error, 300) },
        Meaning::MemoryCeiling => Stop::SandboxEnded { resource: Resource::Memory },
        Meaning::Agent => Stop::Exited { code: 1 },
        Meaning::Cancelled => Stop::Interrupted,
        Meaning::Unknown => Stop::Failed { cause: Cause::Unknown, message: excerpt(error, 300) },
    };
    draft.phases.retain(|phase| phase.phase <= Phase::Agent);
    if let Some(record) = draft.phase_mut(Phase::Agent) {
        record.stop = stop;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Outside(Cause),
    MemoryCeiling,
    Agent,
    Cancelled,
    Unknown,
}

/// The exception ended the sample, so that its position is known; it was raised in the harness, not printed by a tool.
fn meaning(class: &str, error: &str) -> Meaning {
    if error.contains("last terminated OOMKilled") || error.contains("last_reason='OOMKilled'") {
        return Meaning::MemoryCeiling;
    }
    match class {
        "PodReplacedError" => Meaning::Outside(Cause::Eviction),
        "ContainerRestartedError" | "SandboxUnavailableError" => Meaning::Outside(Cause::SandboxGone),
        "RateLimitError" => Meaning::Outside(Cause::ApiRateLimit),
        "APITimeoutError" | "ReadTimeout" => Meaning::Outside(Cause::ApiStall),
        "InternalServerError"
        | "ServiceUnavailableError"
        | "APIConnectionError"
        | "APIStatusError"
        | "APIError"
        | "OverloadedError" => Meaning::Outside(Cause::ApiError),
        "ConnectionError" | "ConnectError" | "ConnectTimeout" | "MaxRetryError" => {
            let names = ["NameResolutionError", "Name or service not known", "getaddrinfo failed"];
            let dns = names.iter().any(|words| error.contains(words));
            Meaning::Outside(if dns { Cause::Dns } else { Cause::Network })
        }
        "OutputLimitExceededError" | "ContextWindowExceededError" => Meaning::Agent,
        "CancelledError" | "KeyboardInterrupt" => Meaning::Cancelled,
        _ if error.contains("FailedScheduling") => Meaning::Outside(Cause::Unschedulable),
        _ => Meaning::Unknown,
    }
}

fn with_limit(draft: &mut Draft, limit: &str, sample: &Sample, config: &Config) {
    draft.source.failure = Some(SourceFailure { class: format!("limit: {limit}"), message: String::new() });
    let seconds = match limit {
        "time" => config.time_limit.get().or(sample.total_time.get()),
        "working" => config.working_limit.get().or(sample.working_time.get()),
        "operator" => {
            set(draft, Stop::Interrupted);
            return;
        }
        _ => {
            draft.notes.push(format!("the agent was ended at its {} limit", excerpt(limit, 40)));
            return;
        }
    };
    set(draft, Stop::Deadline { limit_ms: seconds.map_or(0, |seconds| (seconds * 1000.0).max(0.0) as u64) });
    if limit == "time" {
        draft.source.clues.extend(waited(sample));
    }
}

fn set(draft: &mut Draft, stop: Stop) {
    match draft.phase_mut(Phase::Agent) {
        Some(record) => record.stop = stop,
        None => draft.phases.push(PhaseDraft { stop, ..PhaseDraft::untimed(Phase::Agent) }),
    }
}

/// Time that was neither work nor successful generation: back-off, hidden retries, queues for slots.
fn waited(sample: &Sample) -> Option<Clue> {
    let (total, working) = (*sample.total_time.get()?, *sample.working_time.get()?);
    let share = (total - working) / total;
    (total > 0.0 && share >= WAITED_SHARE).then(|| Clue {
        kind: ClueKind::Infra(Cause::TimeOut),
        phase: Phase::Agent,
        position: Position::Terminal,
        confidence: Confidence::Low,
        evidence: Evidence::partial(
            "total_time minus working_time",
            format!("{:.1} of {total:.1} s", total - working),
            "most of the time limit passed in waiting: for retries, rate limits or the harness's own slots",
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_decides_and_the_words_refine() {
        let dns =
            "ConnectionError(MaxRetryError('… (Caused by NameResolutionError(\"Failed to resolve\"))'))";
        let cases = [
            (dns, Meaning::Outside(Cause::Dns)),
            ("ConnectionError('refused')", Meaning::Outside(Cause::Network)),
            ("anthropic.RateLimitError(429)", Meaning::Outside(Cause::ApiRateLimit)),
            ("PodReplacedError(old_uid='a', new_uid='b')", Meaning::Outside(Cause::Eviction)),
            (
                "RuntimeError: container 'default': last terminated OOMKilled (exit code 137), restarted 1 time(s)",
                Meaning::MemoryCeiling,
            ),
            ("RuntimeError('boom: sandbox lost')", Meaning::Unknown),
            ("ValueError('rate limit 429 overloaded')", Meaning::Unknown),
        ];
        for (error, expected) in cases {
            let class =
                error.split(['(', ':']).next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
            assert_eq!(meaning(class, error), expected, "{error}");
        }
    }
}
