//! SWE-bench's documents: the report of a run (schema 1 and 2), the report of an instance, predictions.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::results::read::Field;

/// `<model>.<run>.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RunReport {
    pub(super) schema_version: Field<u32>,
    pub(super) submitted_ids: Field<Vec<String>>,
    pub(super) incomplete_ids: Field<Vec<String>>,
    pub(super) empty_patch_ids: Field<Vec<String>>,
    pub(super) resolved_ids: Field<Vec<String>>,
    pub(super) unresolved_ids: Field<Vec<String>>,
    pub(super) error_ids: Field<Vec<String>>,
    /// Schema 2.
    pub(super) infra_failure_ids: Field<Vec<String>>,
    pub(super) ambiguous_failure_ids: Field<Vec<String>>,
    pub(super) failure_reasons: Field<BTreeMap<String, Field<String>>>,
}

/// The value in `report.json` of an instance.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct InstanceReport {
    #[serde(rename = "patch_is_None")]
    pub(super) patch_is_none: Field<bool>,
    pub(super) patch_exists: Field<bool>,
    pub(super) patch_successfully_applied: Field<bool>,
    pub(super) resolved: Field<bool>,
    pub(super) infra_failure: Field<bool>,
    pub(super) infra_failure_reason: Field<String>,
    pub(super) tests_status: Field<BTreeMap<String, Field<Tests>>>,
}

/// Tests of one kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tests {
    pub(super) success: Field<Vec<String>>,
    pub(super) failure: Field<Vec<String>>,
}

/// One prediction.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Prediction {
    pub(super) instance_id: Field<String>,
    pub(super) model_name_or_path: Field<String>,
    pub(super) model_patch: Field<String>,
}
