//! Terminal-Bench 1's documents: what is read of them, every field lenient.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::results::read::Field;

/// `results.json` of a run: the only complete source, since a harness exception leaves no document of its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RunResults {
    pub(super) results: Field<Vec<Field<TrialResult>>>,
}

/// One trial, there or in a document of its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TrialResult {
    /// Since 0.2.12; before it was called `uuid`.
    pub(super) id: Field<String>,
    pub(super) uuid: Field<String>,
    pub(super) trial_name: Field<String>,
    pub(super) task_id: Field<String>,
    pub(super) is_resolved: Field<bool>,
    pub(super) failure_mode: Field<String>,
    pub(super) parser_results: Field<BTreeMap<String, Field<String>>>,
    pub(super) total_input_tokens: Field<u64>,
    pub(super) total_output_tokens: Field<u64>,
    pub(super) trial_started_at: Field<String>,
    pub(super) trial_ended_at: Field<String>,
    pub(super) agent_started_at: Field<String>,
    pub(super) agent_ended_at: Field<String>,
    pub(super) test_started_at: Field<String>,
    pub(super) test_ended_at: Field<String>,
}

/// `run_metadata.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Metadata {
    pub(super) run_id: Field<String>,
    pub(super) dataset_name: Field<String>,
    pub(super) dataset_version: Field<String>,
    pub(super) agent_name: Field<String>,
    pub(super) model_name: Field<String>,
    pub(super) task_ids: Field<Vec<Field<String>>>,
    pub(super) n_attempts: Field<u32>,
    pub(super) n_concurrent_trials: Field<u32>,
    pub(super) accuracy: Field<f64>,
}

/// `tb.lock`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Lock {
    pub(super) harness: Field<Harness>,
    pub(super) agent: Field<Agent>,
    pub(super) run_config: Field<RunConfig>,
}

/// The program that wrote it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Harness {
    pub(super) version: Field<String>,
}

/// The agent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Agent {
    pub(super) name: Field<String>,
    pub(super) import_path: Field<String>,
    pub(super) model_name: Field<String>,
    pub(super) extra_kwargs: Field<Value>,
}

/// How it was run.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RunConfig {
    pub(super) n_concurrent_trials: Field<u32>,
    pub(super) n_attempts: Field<u32>,
    pub(super) global_timeout_multiplier: Field<f64>,
    pub(super) global_agent_timeout_sec: Field<f64>,
    pub(super) global_test_timeout_sec: Field<f64>,
}
