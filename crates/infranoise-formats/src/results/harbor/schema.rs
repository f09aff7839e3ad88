//! Harbor's documents, of both eras: what is read of them, every field lenient.

use std::collections::BTreeMap;

use infranoise_core::TrialRecord;
use serde::Deserialize;
use serde_json::Value;

use crate::results::read::Field;

/// `result.json` of a trial.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TrialResult {
    pub(super) id: Field<String>,
    pub(super) task_name: Field<String>,
    pub(super) trial_name: Field<String>,
    pub(super) task_id: Field<TaskId>,
    pub(super) source: Field<String>,
    pub(super) config: Field<TrialConfig>,
    pub(super) agent_info: Field<AgentInfo>,
    pub(super) agent_result: Field<AgentResult>,
    pub(super) verifier_result: Field<VerifierResult>,
    pub(super) exception_info: Field<ExceptionInfo>,
    pub(super) started_at: Field<String>,
    pub(super) finished_at: Field<String>,
    pub(super) environment_setup: Field<Timing>,
    pub(super) agent_setup: Field<Timing>,
    pub(super) agent_execution: Field<Timing>,
    pub(super) verifier: Field<Timing>,
    pub(super) step_results: Field<Vec<Field<StepResult>>>,
    pub(super) reward_valid: Field<bool>,
    /// In documents that infranoise wrote: the whole record.
    pub(super) infranoise: Field<Box<TrialRecord>>,
}

/// Where the task came from.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TaskId {
    pub(super) path: Field<String>,
    pub(super) org: Field<String>,
    pub(super) name: Field<String>,
    pub(super) git_url: Field<String>,
}

/// Who worked.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AgentInfo {
    pub(super) name: Field<String>,
    pub(super) version: Field<String>,
    pub(super) model_info: Field<ModelInfo>,
}

/// The model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ModelInfo {
    pub(super) name: Field<String>,
    pub(super) provider: Field<String>,
}

/// Tokens and money.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AgentResult {
    pub(super) n_input_tokens: Field<u64>,
    pub(super) n_cache_tokens: Field<u64>,
    pub(super) n_output_tokens: Field<u64>,
    pub(super) cost_usd: Field<f64>,
    pub(super) metadata: Field<AgentMetadata>,
}

/// What some agents add.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AgentMetadata {
    pub(super) api_request_times_msec: Field<Vec<Field<f64>>>,
}

/// Rewards.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VerifierResult {
    pub(super) rewards: Field<BTreeMap<String, Field<f64>>>,
    /// The first versions had one number.
    pub(super) reward: Field<f64>,
}

/// The first exception.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ExceptionInfo {
    pub(super) exception_type: Field<String>,
    pub(super) exception_message: Field<String>,
    pub(super) exception_traceback: Field<String>,
    pub(super) occurred_at: Field<String>,
}

/// One phase.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Timing {
    pub(super) started_at: Field<String>,
    pub(super) finished_at: Field<String>,
}

/// One step of a task with several.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StepResult {
    pub(super) step_name: Field<String>,
    pub(super) agent_result: Field<AgentResult>,
    pub(super) exception_info: Field<ExceptionInfo>,
    pub(super) agent_execution: Field<Timing>,
    pub(super) verifier: Field<Timing>,
}

/// The configuration of a trial; the first versions keep the same keys.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TrialConfig {
    pub(super) timeout_multiplier: Field<f64>,
    pub(super) agent_timeout_multiplier: Field<f64>,
    pub(super) verifier_timeout_multiplier: Field<f64>,
    pub(super) environment_build_timeout_multiplier: Field<f64>,
    pub(super) agent: Field<AgentConfig>,
    pub(super) environment: Field<EnvironmentConfig>,
    pub(super) verifier: Field<VerifierConfig>,
    pub(super) task: Field<TaskId>,
}

/// The agent's part.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AgentConfig {
    pub(super) name: Field<String>,
    pub(super) model_name: Field<String>,
    pub(super) override_timeout_sec: Field<f64>,
    pub(super) max_timeout_sec: Field<f64>,
    pub(super) kwargs: Field<Value>,
}

/// The verifier's part.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VerifierConfig {
    pub(super) override_timeout_sec: Field<f64>,
    pub(super) max_timeout_sec: Field<f64>,
}

/// The environment's part: all that Harbor records of resources.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct EnvironmentConfig {
    #[serde(rename = "type")]
    pub(super) kind: Field<String>,
    pub(super) import_path: Field<String>,
    pub(super) cpu_enforcement_policy: Field<String>,
    pub(super) memory_enforcement_policy: Field<String>,
    pub(super) override_cpus: Field<f64>,
    pub(super) override_memory_mb: Field<f64>,
    pub(super) override_storage_mb: Field<f64>,
    pub(super) extra_docker_compose: Field<Vec<Field<String>>>,
    pub(super) kwargs: Field<Value>,
}

/// `result.json` of a job.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JobResult {
    pub(super) started_at: Field<String>,
    pub(super) finished_at: Field<String>,
    pub(super) n_total_trials: Field<u64>,
    pub(super) stats: Field<JobStats>,
}

/// Counts of a job.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JobStats {
    pub(super) n_retries: Field<u64>,
    pub(super) evals: Field<BTreeMap<String, Field<JobEval>>>,
}

/// The job's own scores for one agent and dataset.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JobEval {
    pub(super) metrics: Field<Vec<Field<Metric>>>,
}

/// `{"mean": 0.4}`
type Metric = BTreeMap<String, Field<f64>>;

/// `lock.json` of a job.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct JobLock {
    pub(super) harbor: Field<HarborVersion>,
    pub(super) n_concurrent_trials: Field<u32>,
    pub(super) trials: Field<Vec<Field<TrialLock>>>,
}

/// The program that wrote it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HarborVersion {
    pub(super) version: Field<String>,
}

/// One planned trial, in the job's lock and in its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TrialLock {
    pub(super) task: Field<LockedTask>,
    pub(super) agent: Field<AgentConfig>,
}

/// Its task.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LockedTask {
    pub(super) name: Field<String>,
    pub(super) path: Field<String>,
    pub(super) digest: Field<String>,
}
