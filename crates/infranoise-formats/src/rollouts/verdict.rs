//! The line that comes back.

use infranoise_core::{Blame, Classification, Evidence, Facts, Shown, TrialRecord};
use serde::Serialize;
use serde_json::Value;

use crate::exports::{ExportOptions, Mask, infra, mask, word};

/// A verdict on a rollout.
#[derive(Serialize)]
pub(super) struct VerdictLine<'v> {
    id: &'v Value,
    mask: Mask,
    why: String,
    shown: Shown,
    infra: Option<bool>,
    blame: String,
    resource: Option<String>,
    cause: String,
    phase: Option<String>,
    rule: &'v str,
    evidence_state: String,
    evidence: &'v [Evidence],
    survived: &'v [String],
}

/// The verdict as one line of JSON.
pub(super) fn line(
    id: &Value,
    facts: Facts,
    classification: Classification,
    options: ExportOptions,
) -> Result<String, serde_json::Error> {
    let record = TrialRecord { facts, classification };
    let verdict = &record.classification;
    let masked = mask(verdict, options);
    let shown = Shown::of(&record);
    serde_json::to_string(&VerdictLine {
        id,
        mask: masked.mask,
        why: masked.why,
        shown,
        infra: infra(shown),
        blame: word(&verdict.blame),
        resource: match verdict.blame {
            Blame::Ceiling { resource } => Some(word(&resource)),
            Blame::Nobody
            | Blame::Agent
            | Blame::Fault
            | Blame::Task
            | Blame::Undetermined
            | Blame::NotStarted => None,
        },
        cause: word(&verdict.cause),
        phase: verdict.phase.map(|phase| word(&phase)),
        rule: &verdict.rule.0,
        evidence_state: word(&verdict.weakest_evidence()),
        evidence: &verdict.evidence,
        survived: &verdict.survived,
    })
}
