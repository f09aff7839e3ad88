//! Inspect's log, version 2: what is read of it, every field lenient. The same names serve the archive's members and the one document.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::results::read::Field;

/// `header.json`, `_journal/start.json`, or the whole of a `.json` log.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Log {
    pub(super) status: Field<String>,
    pub(super) eval: Field<Eval>,
    pub(super) plan: Field<Plan>,
    pub(super) results: Field<Results>,
    pub(super) samples: Field<Vec<Field<Sample>>>,
}

/// What was evaluated.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Eval {
    pub(super) task: Field<String>,
    pub(super) task_version: Field<Value>,
    pub(super) solver: Field<String>,
    pub(super) model: Field<String>,
    pub(super) model_generate_config: Field<Value>,
    pub(super) model_args: Field<Value>,
    pub(super) dataset: Field<Dataset>,
    pub(super) sandbox: Field<Value>,
    pub(super) config: Field<Config>,
    pub(super) packages: Field<BTreeMap<String, Field<String>>>,
    pub(super) scorers: Field<Vec<Field<Named>>>,
}

/// Something with a name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Named {
    pub(super) name: Field<String>,
}

/// The samples that were planned.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Dataset {
    pub(super) name: Field<String>,
    pub(super) sample_ids: Field<Vec<Value>>,
}

/// Limits and concurrency.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Config {
    pub(super) epochs: Field<u32>,
    pub(super) time_limit: Field<f64>,
    pub(super) working_limit: Field<f64>,
    pub(super) message_limit: Field<u64>,
    pub(super) token_limit: Field<u64>,
    pub(super) max_samples: Field<u32>,
    pub(super) max_sandboxes: Field<u32>,
    pub(super) max_subprocesses: Field<u32>,
}

/// The steps of the solver.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Plan {
    pub(super) steps: Field<Vec<Field<Step>>>,
}

/// One of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Step {
    pub(super) solver: Field<String>,
    pub(super) params: Field<Value>,
}

/// The log's own scores.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Results {
    pub(super) scores: Field<Vec<Field<ScoreRow>>>,
}

/// One of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ScoreRow {
    pub(super) name: Field<String>,
    pub(super) metrics: Field<BTreeMap<String, Field<Metric>>>,
}

/// One number of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Metric {
    pub(super) value: Field<f64>,
}

/// A sample or its summary.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Sample {
    /// A number or a text.
    pub(super) id: Value,
    pub(super) epoch: Field<u32>,
    pub(super) uuid: Field<String>,
    pub(super) scores: Field<BTreeMap<String, Field<Score>>>,
    pub(super) started_at: Field<String>,
    pub(super) completed_at: Field<String>,
    pub(super) total_time: Field<f64>,
    pub(super) working_time: Field<f64>,
    /// A text in a summary, an object in a sample.
    pub(super) error: Value,
    /// Likewise.
    pub(super) limit: Value,
    pub(super) retries: Field<u32>,
    pub(super) error_retries: Field<Vec<Value>>,
    pub(super) model_usage: Field<BTreeMap<String, Field<ModelUsage>>>,
}

/// One score: `C`, `I`, a number, or an object of numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Score {
    pub(super) value: Value,
}

/// Tokens of one model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ModelUsage {
    pub(super) input_tokens: Field<u64>,
    pub(super) output_tokens: Field<u64>,
    pub(super) input_tokens_cache_read: Field<u64>,
    pub(super) input_tokens_cache_write: Field<u64>,
    pub(super) total_cost: Field<f64>,
}
