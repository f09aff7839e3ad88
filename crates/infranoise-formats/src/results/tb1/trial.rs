//! One trial of Terminal-Bench 1 as a draft.

use std::path::Path;

use infranoise_core::{Cause, Observed, Phase, Reward, SourceFailure, Stop, TaskSpec, Usage};

use super::cast;
use super::harness_log::{GivenUp, Stage};
use super::run::{Listed, Run};
use super::schema::TrialResult;
use crate::results::draft::{Draft, Effective, PhaseDraft, TaskDraft, stated};
use crate::results::loss::Losses;
use crate::results::read::{Field, excerpt, moment_ms};

pub(super) const NO_COUNTERS: &str = "Terminal-Bench 1 reads no kernel counters";
const NO_RESOURCES: &str =
    "Terminal-Bench 1 sets no resources and records none; a compose file of the task may set some";

/// Reads a trial. What its own terminals tell is added by [`super::terminals`].
pub(super) fn draft(listed: Listed, run: &Run, losses: &mut Losses) -> Draft {
    let Listed { mut result, file, folder } = listed;
    let name = std::mem::take(&mut result.trial_name).take(losses, &file, "trial_name").unwrap_or_default();
    let task = std::mem::take(&mut result.task_id).take(losses, &file, "task_id");
    let mut draft = start(run, file, &name, task.as_deref());
    let id = std::mem::take(&mut result.id).take(losses, &draft.source.file, "id");
    draft.id = id.or_else(|| std::mem::take(&mut result.uuid).take(losses, &draft.source.file, "uuid"));
    let mode = std::mem::take(&mut result.failure_mode).take(losses, &draft.source.file, "failure_mode");
    let resolved = std::mem::take(&mut result.is_resolved).take(losses, &draft.source.file, "is_resolved");
    draft.usage = usage(&result);
    draft.phases = phases(&result, folder.as_deref(), &mut draft);
    draft.reward = reward(resolved, mode.as_deref(), &result);
    // Its own rule: what has no verdict counts as failed.
    draft.source.counted = Some(true);
    apply_mode(&mut draft, mode.as_deref(), resolved, run);
    draft
}

/// A trial of which only the harness's log tells.
pub(super) fn given_up(given: &GivenUp, run: &Run) -> Draft {
    let name = given.trial_name();
    let mut draft = start(run, format!("{}/run.log", run.shown), &name, Some(&given.task));
    draft.id = Some(format!("{}/{name}", run.shown));
    draft.source.counted = Some(true);
    apply_given_up(&mut draft, given);
    draft
}

fn start(run: &Run, file: String, name: &str, task: Option<&str>) -> Draft {
    let mut draft = Draft::new("tb1", file, name, NO_COUNTERS);
    let task = task.unwrap_or_else(|| name.split(".1-of-").next().unwrap_or(name));
    let limit = run.log.agent_limit_ms.get(task).copied();
    let dataset = run.metadata.dataset_name.get().map_or("not recorded", String::as_str);
    draft.task = TaskDraft {
        name: task.to_owned(),
        source: match run.metadata.dataset_version.get() {
            Some(version) => format!("{dataset} {version}"),
            None => dataset.to_owned(),
        },
        spec: TaskSpec { agent_limit_ms: stated(limit), ..TaskSpec::default() },
        ..TaskDraft::default()
    };
    draft.effective = Effective::unknown(NO_RESOURCES);
    draft.source.version = run.version();
    draft.source.concurrency = run.concurrency();
    draft
}

/// Installed agents report 0, which means that nobody counted.
fn usage(result: &TrialResult) -> Usage {
    let (tokens_in, tokens_out) = (&result.total_input_tokens, &result.total_output_tokens);
    let counted = [tokens_in, tokens_out].iter().any(|field| field.get().is_some_and(|n| *n > 0));
    let known = |field: &Field<u64>| match field.get() {
        Some(n) if counted => Observed::Observed(*n),
        Some(_) => Observed::Unavailable("0 for input and output: the agent counted nothing".to_owned()),
        None => Observed::Unavailable("not recorded".to_owned()),
    };
    Usage { tokens_in: known(tokens_in), tokens_out: known(tokens_out), ..Usage::default() }
}

/// The phases by their times; older versions record none, so that recordings must tell.
fn phases(result: &TrialResult, folder: Option<&Path>, draft: &mut Draft) -> Vec<PhaseDraft> {
    let at = |field: &Field<String>| field.get().and_then(|text| moment_ms(text)).map(|(ms, _)| ms);
    draft.started_ms = at(&result.trial_started_at);
    draft.ended_ms = at(&result.trial_ended_at);
    let phase = |phase, started_ms: Option<u64>, ended_ms: Option<u64>| {
        started_ms.map(|_| PhaseDraft { started_ms, ended_ms, ..PhaseDraft::untimed(phase) })
    };
    let timed = result.trial_started_at != Field::Absent;
    let recorded = |name: &str| folder.and_then(|folder| cast::times_ms(&folder.join("sessions").join(name)));
    let (agent, verify) = if timed {
        (
            phase(Phase::Agent, at(&result.agent_started_at), at(&result.agent_ended_at)),
            phase(Phase::Verify, at(&result.test_started_at), at(&result.test_ended_at)),
        )
    } else {
        let (agent, tests) = (recorded("agent.cast"), recorded("tests.cast"));
        if agent.is_some() {
            draft.notes.push("phase times are those of the terminals' recordings".to_owned());
        }
        let agent_end = tests.map(|(start, _)| start).or(agent.and_then(|(_, end)| end));
        (
            phase(Phase::Agent, agent.map(|(start, _)| start), agent_end),
            phase(Phase::Verify, tests.map(|(start, _)| start), tests.and_then(|(_, end)| end)),
        )
    };
    let begun = draft.started_ms.or(agent.as_ref().and_then(|agent| agent.started_ms));
    let start = PhaseDraft {
        started_ms: begun,
        ended_ms: agent.as_ref().and_then(|agent| agent.started_ms),
        ..PhaseDraft::untimed(Phase::Start)
    };
    let untimed = |phase| (!timed).then(|| PhaseDraft::untimed(phase));
    let agent = agent.or_else(|| untimed(Phase::Agent));
    let verify = verify.or_else(|| untimed(Phase::Verify));
    [Some(start), agent, verify].into_iter().flatten().collect()
}

fn reward(resolved: Option<bool>, mode: Option<&str>, result: &TrialResult) -> Reward {
    match (resolved, mode) {
        (Some(resolved), _) => {
            let mut values = vec![("reward".to_owned(), if resolved { 1.0 } else { 0.0 })];
            if let Some(tests) = result.parser_results.get() {
                let passed = tests.values().filter(|test| test.get().is_some_and(|word| word == "passed"));
                values.push(("tests".to_owned(), tests.len() as f64));
                values.push(("tests_passed".to_owned(), passed.count() as f64));
            }
            Reward::Given {
                values: values.into_iter().collect(),
                source: "results.json, is_resolved".to_owned(),
            }
        }
        (None, Some("parse_error")) => Reward::Garbled {
            why: "the harness could not read the tests' output".to_owned(),
            excerpt: "parse_error".to_owned(),
        },
        (None, _) => Reward::NotGraded,
    }
}

/// What the harness's one word for the failure means. It keeps only one, and a later one overwrites an earlier.
fn apply_mode(draft: &mut Draft, mode: Option<&str>, resolved: Option<bool>, run: &Run) {
    let Some(mode) = mode.filter(|mode| !matches!(*mode, "unset" | "none")) else { return };
    draft.source.failure = Some(SourceFailure { class: mode.to_owned(), message: String::new() });
    let given = run.given_up(&draft.source.trial, &draft.task.name);
    match mode {
        "agent_timeout" => agent_deadline(draft),
        "test_timeout" => {
            let limit_ms = length_ms(draft, Phase::Verify);
            set_stop(draft, Phase::Verify, Stop::Deadline { limit_ms });
        }
        "agent_installation_failed" => never_began(draft, Cause::AgentInstall, "agent_installation_failed"),
        "context_length_exceeded" | "output_length_exceeded" | "fatal_llm_parse_error" => {
            set_stop(draft, Phase::Agent, Stop::Exited { code: 1 });
        }
        "unknown_agent_error" => match (given, resolved) {
            (Some(given), _) => apply_given_up(draft, given),
            (None, Some(_)) => set_stop(draft, Phase::Agent, Stop::Exited { code: 1 }),
            (None, None) => unexplained(draft),
        },
        "parse_error" => {}
        _ => draft
            .notes
            .push(format!("the harness's failure mode `{}` is not known here", mode.escape_debug())),
    }
}

/// An exception of the harness without a word about it. Where no agent's time is recorded, none began.
fn unexplained(draft: &mut Draft) {
    let stop = Stop::Failed { cause: Cause::Unknown, message: "unknown_agent_error".to_owned() };
    draft.phases.retain(|phase| phase.phase != Phase::Verify || phase.started_ms.is_some());
    let timed = draft.phases.iter().any(|phase| phase.phase == Phase::Agent && phase.started_ms.is_some());
    if timed {
        return set_stop(draft, Phase::Agent, stop);
    }
    if draft.started_ms.is_some() {
        draft.phases.retain(|phase| phase.phase < Phase::Agent);
        return set_stop(draft, Phase::Start, stop);
    }
    draft.phases.retain(|phase| phase.phase <= Phase::Agent);
    set_stop(draft, Phase::Agent, stop);
}

/// Marks the agent's deadline: the limit where the harness's log names it, else how long the agent had.
pub(super) fn agent_deadline(draft: &mut Draft) {
    let had = length_ms(draft, Phase::Agent);
    let limit_ms = draft.task.spec.agent_limit_ms.or(None).unwrap_or(had);
    set_stop(draft, Phase::Agent, Stop::Deadline { limit_ms });
    // The harness stops waiting at the limit and joins its thread for up to 300 s more.
    if had > limit_ms + 10_000 {
        draft.notes.push(format!(
            "the agent went on for {} s after its limit: the harness's time-out is soft",
            (had - limit_ms) / 1000
        ));
    }
}

pub(super) fn length_ms(draft: &Draft, phase: Phase) -> u64 {
    let record = draft.phases.iter().find(|record| record.phase == phase);
    record.and_then(|record| record.ended_ms?.checked_sub(record.started_ms?)).unwrap_or(0)
}

fn set_stop(draft: &mut Draft, phase: Phase, stop: Stop) {
    match draft.phase_mut(phase) {
        Some(record) => record.stop = stop,
        None => draft.phases.push(PhaseDraft { stop, ..PhaseDraft::untimed(phase) }),
    }
}

/// The agent was never there: what the harness calls the agent phase was its installation.
pub(super) fn never_began(draft: &mut Draft, cause: Cause, says: &str) {
    let (started_ms, ended_ms) = draft
        .phases
        .iter()
        .find(|phase| phase.phase == Phase::Agent)
        .map_or((None, None), |phase| (phase.started_ms, phase.ended_ms));
    draft.phases.retain(|phase| phase.phase < Phase::Agent);
    let stop = Stop::Failed { cause, message: excerpt(says, 300) };
    draft.phases.push(PhaseDraft { started_ms, ended_ms, stop, ..PhaseDraft::untimed(Phase::Setup) });
    if draft.reward != Reward::NotGraded {
        draft
            .notes
            .push("the harness graded an untouched container and counts the trial as the agent's".to_owned());
        draft.reward = Reward::NotGraded;
    }
}

fn apply_given_up(draft: &mut Draft, given: &GivenUp) {
    let message = format!("run.log:{}: {}", given.line, excerpt(&given.says, 300));
    draft.source.failure =
        Some(SourceFailure { class: "harness exception".to_owned(), message: excerpt(&given.says, 400) });
    let stop = Stop::Failed { cause: given.cause, message };
    match given.stage {
        Stage::Build | Stage::Up | Stage::Engine => {
            let phase = if given.stage == Stage::Build { Phase::Build } else { Phase::Start };
            draft.phases =
                vec![PhaseDraft { started_ms: draft.started_ms, stop, ..PhaseDraft::untimed(phase) }];
        }
        Stage::Gone | Stage::Other => {
            draft.phases.retain(|phase| phase.phase <= Phase::Agent);
            set_stop(draft, Phase::Agent, stop);
        }
        Stage::Capture => {
            if draft.phases.iter().all(|phase| phase.phase != Phase::Agent) {
                draft.phases.push(PhaseDraft::untimed(Phase::Agent));
            }
            set_stop(draft, Phase::Verify, stop);
        }
    }
}
