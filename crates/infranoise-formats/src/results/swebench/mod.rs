//! SWE-bench: reports of runs, logs of instances, predictions, put together where several lie side by side.

mod evaluation;
mod instance;
mod logs;
mod schema;

use infranoise_core::Subject;

use self::evaluation::evaluations;
use super::candidate::Candidate;
use super::collect::Collector;
use super::draft::TaskDraft;
use super::import::ImportEvent;
use super::importer::{Detection, Found, Importer};
use super::read::{Line, Lines, top_keys};

/// The entry in the list.
pub(in crate::results) const IMPORTER: Importer = Importer {
    id: "swebench",
    what: "reports, logs or predictions of SWE-bench",
    looks_for: "a .json report with total_instances and resolved_ids, folders with run_instance.log, or predictions with instance_id and model_patch",
    detect,
    read,
};

pub(super) const REPORT: &str = "a report of SWE-bench";
pub(super) const LOGS: &str = "logs of a SWE-bench evaluation";
pub(super) const PREDICTIONS: &str = "predictions for SWE-bench";
const PREDICTION: &[&str] = &["instance_id", "model_name_or_path", "model_patch"];

fn detect(candidate: &Candidate) -> Detection {
    if candidate.child_has("run_instance.log") || candidate.grandchild_has("run_instance.log") {
        Detection::Is(LOGS)
    } else if candidate.is_file_named(".json") && candidate.has_keys(&["total_instances", "resolved_ids"]) {
        Detection::Is(REPORT)
    } else if is_predictions(candidate) {
        Detection::Is(PREDICTIONS)
    } else {
        Detection::No
    }
}

/// Lines, a list, or an object by instance; only as much as is needed is looked at.
fn is_predictions(candidate: &Candidate) -> bool {
    if candidate.is_file_named(".jsonl") {
        let first = Lines::open(candidate.path(), 64 << 20)
            .ok()
            .and_then(|mut lines| lines.next_line().ok().flatten());
        return match first {
            Some(Line::Whole(line)) => top_keys(&line).is_some_and(|keys| keys.all(PREDICTION)),
            Some(Line::TooLong) | None => false,
        };
    }
    candidate.is_file_named(".json") && candidate.first_member_has(PREDICTION)
}

fn read(found: &[Found], collector: &mut Collector<'_>) {
    for found in found {
        collector.tell(ImportEvent::Reading { path: found.path.clone(), what: found.what });
    }
    for (name, evaluation) in evaluations(found, &mut collector.losses) {
        let model = name.model.replace("__", "/");
        let subject = Subject { agent: "SWE-bench prediction".to_owned(), model: Some(model) };
        let arm = collector.arm(&name.model, &subject);
        if !name.run.is_empty() {
            collector.setting(arm, "run", &*name.run);
        }
        for instance in evaluation.instances() {
            let side = collector.side(&instance);
            let draft = instance::draft(&name, &evaluation, &instance, side.as_ref(), &mut collector.losses);
            collector.trial(arm, draft);
        }
        let report = evaluation.report.as_ref();
        for id in report.and_then(|report| report.incomplete_ids.get()).into_iter().flatten() {
            let task = TaskDraft { name: id.clone(), source: "SWE-bench".to_owned(), ..TaskDraft::default() };
            collector.planned(arm, &task, 1);
        }
        let ambiguous = report.and_then(|report| report.ambiguous_failure_ids.get()).map_or(0, Vec::len);
        let infra = report.and_then(|report| report.infra_failure_ids.get()).map_or(0, Vec::len);
        if infra + ambiguous > 0 {
            let says = format!("{infra} likely infrastructure, {ambiguous} ambiguous");
            collector.setting(arm, "the harness's own labels", says);
        }
    }
}
