//! ATIF trajectories as side files: tokens where the result has none, and the longest silence between two steps.

use std::path::Path;

use infranoise_core::{Observed, Usage};
use serde::Deserialize;

use super::draft::Draft;
use super::read::{Field, moment_ms, parse, read_all};

/// A trajectory is no larger.
const LARGEST: u64 = 256 << 20;
/// A shorter silence is not worth a word.
const SILENCE_MS: u64 = 60_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Trajectory {
    schema_version: Field<String>,
    steps: Field<Vec<Field<Step>>>,
    final_metrics: Field<Metrics>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Step {
    timestamp: Field<String>,
    source: Field<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metrics {
    total_prompt_tokens: Field<u64>,
    total_completion_tokens: Field<u64>,
    total_cached_tokens: Field<u64>,
    total_cost_usd: Field<f64>,
}

/// Adds what a trajectory tells, if there is one.
pub(in crate::results) fn apply(draft: &mut Draft, path: &Path) {
    let Ok(bytes) = read_all(path, LARGEST) else { return };
    let Ok(trajectory) = parse::<Trajectory>(&bytes) else { return };
    if !trajectory.schema_version.get().is_some_and(|version| version.starts_with("ATIF-")) {
        return;
    }
    if let Some(metrics) = trajectory.final_metrics.get() {
        fill(&mut draft.usage, metrics);
    }
    if let Some((silent_ms, step)) = longest_silence(&trajectory) {
        draft.notes.push(format!(
            "the longest silence before a step of the agent was {} s (step {step}): the model API, a tool, or both",
            silent_ms / 1000
        ));
    }
}

fn fill(usage: &mut Usage, metrics: &Metrics) {
    fn add<T: Copy>(known: &mut Observed<T>, field: &Field<T>) {
        if let (None, Some(value)) = (known.value(), field.get()) {
            *known = Observed::Observed(*value);
        }
    }
    add(&mut usage.tokens_in, &metrics.total_prompt_tokens);
    add(&mut usage.tokens_cached, &metrics.total_cached_tokens);
    add(&mut usage.tokens_out, &metrics.total_completion_tokens);
    add(&mut usage.cost_usd, &metrics.total_cost_usd);
}

/// The longest time between a step and the agent's next one, with that one's number.
fn longest_silence(trajectory: &Trajectory) -> Option<(u64, usize)> {
    let mut last = None;
    let mut longest = None;
    for (number, step) in trajectory.steps.get()?.iter().enumerate() {
        let Some(step) = step.get() else { continue };
        let Some((at, _)) = step.timestamp.get().and_then(|text| moment_ms(text)) else { continue };
        let silence = last.and_then(|last| at.checked_sub(last)).filter(|silence| *silence >= SILENCE_MS);
        if let Some(silence) = silence.filter(|_| step.source.get().is_some_and(|source| source == "agent")) {
            longest = longest.max(Some((silence, number + 1)));
        }
        last = Some(at);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trajectories_fill_what_is_missing_and_tell_of_silence() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trajectory.json");
        let step = |minute: u32, source: &str| {
            format!(r#"{{"timestamp": "2026-01-01T00:{minute:02}:00Z", "source": "{source}"}}"#)
        };
        let text = format!(
            r#"{{"schema_version": "ATIF-v1.8", "steps": [{}, {}, {}, 7], "final_metrics": {{"total_prompt_tokens": 5, "total_cost_usd": null}}}}"#,
            step(0, "user"),
            step(3, "agent"),
            step(4, "agent"),
        );
        std::fs::write(&path, text).expect("written");
        let mut draft = Draft::new("x", String::new(), "t", "none");
        draft.usage.tokens_out = Observed::Observed(9);
        apply(&mut draft, &path);
        assert_eq!((draft.usage.tokens_in.value(), draft.usage.tokens_out.value()), (Some(&5), Some(&9)));
        assert_eq!(draft.usage.cost_usd.value(), None);
        assert!(draft.notes[0].contains("180 s (step 2)"), "{:?}", draft.notes);
    }
}
