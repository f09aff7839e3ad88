//! One instance of an evaluation as a draft: its own report and logs first, the run's lists where they are silent.

use infranoise_core::{
    Cause, Clue, ClueKind, Confidence, Evidence, Phase, Position, Reward, SourceFailure, Stop,
};

use super::evaluation::{Evaluation, Name};
use super::logs::Logs;
use super::schema::{InstanceReport, RunReport};
use crate::results::draft::{Draft, Effective, PhaseDraft};
use crate::results::loss::Losses;
use crate::results::read::{Field, parse, read_all};
use crate::results::side::Side;

const NO_COUNTERS: &str = "SWE-bench reads no kernel counters";
const NO_RESOURCES: &str =
    "SWE-bench sets no limits on its evaluation containers and records none, and not where the agent worked";
const LARGEST: u64 = 64 << 20;
/// Exit codes of a suite that a signal ended: SIGABRT, SIGKILL, SIGSEGV.
const SIGNALS: [(i32, &str); 3] = [(134, "SIGABRT"), (137, "SIGKILL"), (139, "SIGSEGV")];

/// Where an instance stands in the lists of a run's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    Resolved,
    Unresolved,
    EmptyPatch,
    Error,
    Nowhere,
}

fn listed(report: Option<&RunReport>, instance: &str) -> Listed {
    let Some(report) = report else { return Listed::Nowhere };
    let has = |list: &Field<Vec<String>>| list.get().is_some_and(|ids| ids.iter().any(|id| id == instance));
    if has(&report.resolved_ids) {
        Listed::Resolved
    } else if has(&report.empty_patch_ids) {
        Listed::EmptyPatch
    } else if has(&report.error_ids) {
        Listed::Error
    } else if has(&report.unresolved_ids) {
        Listed::Unresolved
    } else {
        Listed::Nowhere
    }
}

/// Reads an instance.
pub(super) fn draft(
    name: &Name,
    evaluation: &Evaluation,
    instance: &str,
    side: Option<&Side>,
    losses: &mut Losses,
) -> Draft {
    let folder = evaluation.folders.get(instance);
    let mut draft = Draft::new("swebench", evaluation.file.clone(), instance, NO_COUNTERS);
    draft.id = Some(format!("{}/{}/{instance}", name.model, name.run));
    draft.task.name = instance.to_owned();
    draft.task.source = "SWE-bench".to_owned();
    draft.effective = Effective::unknown(NO_RESOURCES);
    draft.source.counted = Some(true);
    draft.source.version = evaluation
        .report
        .as_ref()
        .and_then(|report| report.schema_version.get())
        .map(|version| format!("report {version}"));
    draft.phases = vec![PhaseDraft::untimed(Phase::Start), PhaseDraft::untimed(Phase::Agent)];
    let own = folder.and_then(|folder| own_report(folder, instance, &evaluation.file, losses));
    let logs = folder.map(|folder| Logs::read(folder)).unwrap_or_default();
    let list = listed(evaluation.report.as_ref(), instance);
    let empty = list == Listed::EmptyPatch || evaluation.predicted.get(instance) == Some(&true);
    if empty {
        draft.reward = given(false, "an empty patch");
        draft.notes.push("the patch is empty: there was nothing to evaluate".to_owned());
        draft.phases.push(PhaseDraft::untimed(Phase::Verify));
    } else if own.is_some() || list != Listed::Nowhere || folder.is_some() {
        evaluated(&mut draft, own.as_ref(), &logs, list);
        votes(&mut draft, own.as_ref(), evaluation.report.as_ref(), instance, &logs);
    } else {
        draft.notes.push("predicted, and not evaluated".to_owned());
    }
    if let Some(side) = side {
        side.apply(&mut draft);
    }
    draft
}

fn own_report(
    folder: &std::path::Path,
    instance: &str,
    file: &str,
    losses: &mut Losses,
) -> Option<InstanceReport> {
    let bytes = read_all(&folder.join("report.json"), LARGEST).ok()?;
    let by_id: std::collections::BTreeMap<String, Field<InstanceReport>> =
        parse(&bytes).map_err(|error| losses.add(file, format!("{instance}/report.json"), error)).ok()?;
    by_id.into_values().next()?.take(losses, file, &format!("{instance}/report.json"))
}

fn given(resolved: bool, source: &str) -> Reward {
    let value = if resolved { 1.0 } else { 0.0 };
    Reward::Given { values: [("reward".to_owned(), value)].into(), source: source.to_owned() }
}

/// The verifier's phase and what it said.
fn evaluated(draft: &mut Draft, own: Option<&InstanceReport>, logs: &Logs, list: Listed) {
    let stop = match (&logs.engine, logs.timed_out_ms, logs.exit_code) {
        (Some((cause, says)), _, _) => Stop::Failed { cause: *cause, message: says.clone() },
        (None, Some(limit_ms), _) => Stop::Deadline { limit_ms },
        (None, None, Some(code)) => Stop::Exited { code },
        (None, None, None) => Stop::Exited { code: 0 },
    };
    draft.phases.push(PhaseDraft { length_ms: logs.runtime_ms, stop, ..PhaseDraft::untimed(Phase::Verify) });
    let resolved = own.and_then(|own| own.resolved.get().copied());
    // A report without test results says nothing: no parsable output is written down as a patch that did not apply.
    let parsed = own.is_none_or(|own| !own.tests_status.is_absent());
    draft.reward = match (resolved, list) {
        (Some(true), _) | (None, Listed::Resolved) => given(true, "report, resolved"),
        (Some(false), _) if parsed => given(false, "report, resolved"),
        (None, Listed::Unresolved) => given(false, "report, unresolved_ids"),
        _ if logs.patch_failed.is_some() => given(false, "run_instance.log"),
        (Some(false), _) => Reward::Garbled {
            why: "the tests' output could not be read".to_owned(),
            excerpt: "patch_successfully_applied: false".to_owned(),
        },
        (None, Listed::Error | Listed::EmptyPatch | Listed::Nowhere) => Reward::NotGraded,
    };
    if let Some(line) = &logs.patch_failed {
        draft.source.failure =
            Some(SourceFailure { class: "patch apply failed".to_owned(), message: line.clone() });
    }
}

/// What logs prove, then the harness's own label as one vote among them.
fn votes(
    draft: &mut Draft,
    own: Option<&InstanceReport>,
    run: Option<&RunReport>,
    instance: &str,
    logs: &Logs,
) {
    if let Some(line) = &logs.patch_failed {
        let says = "the model's patch does not apply: nobody else's doing";
        push(draft, ClueKind::Agent(Cause::WrongAnswer), Confidence::High, ("run_instance.log", line, says));
    }
    let signal = logs.exit_code.and_then(|code| SIGNALS.iter().find(|(known, _)| *known == code));
    match (&logs.killed, signal) {
        (Some(line), _) => {
            let says = "SIGKILL ended the tests, and nothing counted whose limit it was about";
            push(draft, ClueKind::Killed, Confidence::Medium, ("test_output.txt", line, says));
        }
        (None, Some((code, name))) if *code == 137 => {
            let reading = format!("Test Exit Code: {code}");
            let says = format!("{name} ended the tests, and nothing counted whose limit it was about");
            push(draft, ClueKind::Killed, Confidence::Medium, ("test_output.txt", &reading, &says));
        }
        (None, _) => {}
    }
    let of_run = run.and_then(|run| run.failure_reasons.get()?.get(instance)?.get());
    let label = own.and_then(|own| own.infra_failure_reason.get()).or(of_run);
    let Some(label) = label else { return };
    if draft.source.failure.is_none() {
        draft.source.failure = Some(SourceFailure { class: label.clone(), message: String::new() });
    }
    let seen = logs.killed.is_some() || logs.engine.is_some() || logs.timed_out_ms.is_some();
    let cause = label_cause(label);
    if let (false, Some(cause)) = (seen, cause) {
        let says = "the harness's own label, from a pattern anywhere in the log; nothing else shows it";
        push(draft, ClueKind::Infra(cause), Confidence::Low, ("failure reason", label, says));
    }
}

/// The harness's own labels of its environment tier; its ambiguous ones say nothing of a cause.
fn label_cause(label: &str) -> Option<Cause> {
    Some(match label {
        "out_of_memory" => Cause::Oom,
        "container_unavailable" => Cause::SandboxGone,
        "network_unreachable" => Cause::Network,
        "browser_launch_failed" | "display_unavailable" => Cause::VerifierBroken,
        _ => return None,
    })
}

fn push(draft: &mut Draft, kind: ClueKind, confidence: Confidence, place: (&str, &str, &str)) {
    let (source, reading, says) = place;
    let evidence = match confidence {
        Confidence::High => Evidence::observed(source, reading, says),
        Confidence::Medium | Confidence::Low => Evidence::partial(source, reading, says),
    };
    draft.source.clues.push(Clue {
        kind,
        phase: Phase::Verify,
        position: Position::Terminal,
        confidence,
        evidence,
    });
}
