//! A row as a trial. What a column says is a fact or a clue; the verdict is drawn from them as from everybody's.

use infranoise_core::{
    Allocation, Attempt, Band, Bytes, Cause, Ceiling, Clue, ClueKind, Confidence, Enforcement, Evidence,
    Held, MilliCpu, Phase, Position, Provenance, Resource, Reward, SignalSender, SourceFailure, Stop,
    TimeLimits, Usage,
};

use super::row::Row;
use crate::results::draft::{Draft, Effective, PhaseDraft, observed};
use crate::results::read::moment_ms;

const NO_COUNTERS: &str = "a table holds no kernel counters";
const PHASES: [(Phase, &str); 7] = [
    (Phase::Pull, "pull_ms"),
    (Phase::Build, "build_ms"),
    (Phase::Start, "start_ms"),
    (Phase::Setup, "setup_ms"),
    (Phase::Agent, "agent_ms"),
    (Phase::Verify, "verify_ms"),
    (Phase::Stop, "stop_ms"),
];

/// The columns of a table that an import reads; `docs/import-schema.md` says what they mean.
pub const COLUMNS: &[&str] = &[
    "task",
    "arm",
    "repeat",
    "attempt",
    "agent",
    "model",
    "pass",
    "reward",
    "rewards",
    "infra",
    "blame",
    "resource",
    "cause",
    "phase",
    "started_at",
    "started_at_ms",
    "wall_ms",
    "pull_ms",
    "build_ms",
    "start_ms",
    "setup_ms",
    "agent_ms",
    "verify_ms",
    "stop_ms",
    "agent_stop",
    "agent_exit_code",
    "agent_signal",
    "verify_stop",
    "verify_exit_code",
    "memory_floor_bytes",
    "memory_ceiling_bytes",
    "memory_capped",
    "cpu_floor_millicpu",
    "cpu_ceiling_millicpu",
    "cpu_capped",
    "agent_limit_ms",
    "provenance",
    "tokens_in",
    "tokens_cached",
    "tokens_out",
    "cost_usd",
    "engine",
    "concurrent_trials",
];

/// Reads a row. The error says which column is missing.
pub(super) fn draft(row: &Row, file: &str, line: u64) -> Result<Draft, String> {
    let task = row.text("task").ok_or("no value in column `task`")?;
    let mut draft = Draft::new("table", format!("{file}:{line}"), &format!("line {line}"), NO_COUNTERS);
    draft.task.name = task;
    draft.task.source = file.to_owned();
    draft.engine = row.text("engine").unwrap_or_else(|| "not recorded".to_owned());
    let small = |name: &str| row.whole(name).and_then(|n| u32::try_from(n).ok());
    draft.repeat = small("repeat");
    draft.attempt = Attempt(small("attempt").unwrap_or(0));
    draft.source.concurrency = small("concurrent_trials");
    draft.source.counted = Some(true);
    let moment = row.text("started_at").and_then(|text| moment_ms(&text)).map(|(ms, _)| ms);
    draft.started_ms = row.whole("started_at_ms").or(moment);
    draft.ended_ms =
        draft.started_ms.zip(row.whole("wall_ms")).map(|(start, wall)| start.saturating_add(wall));
    draft.reward = reward(row);
    draft.phases = phases(row, draft.started_ms);
    draft.usage = usage(row);
    draft.effective = effective(row);
    statement(&mut draft, row);
    Ok(draft)
}

fn reward(row: &Row) -> Reward {
    let passed = row.truth("pass").map(|pass| if pass { 1.0 } else { 0.0 });
    let Some(main) = row.number("reward").or(passed) else { return Reward::NotGraded };
    let more: Option<std::collections::BTreeMap<String, f64>> =
        row.text("rewards").and_then(|text| serde_json::from_str(&text).ok());
    let mut values = more.unwrap_or_default();
    if values.len() != 1 {
        values.insert("reward".to_owned(), main);
    }
    Reward::Given { values, source: "the table".to_owned() }
}

/// The phases that have a length or an end; where none has, a trial that was started, worked and was graded.
fn phases(row: &Row, started_ms: Option<u64>) -> Vec<PhaseDraft> {
    let ended = |phase: &Phase| match phase {
        Phase::Agent => row.has("agent_stop"),
        Phase::Verify => row.has("verify_stop"),
        Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => false,
    };
    let mut phases: Vec<PhaseDraft> = PHASES
        .iter()
        .map(|(phase, column)| (phase, row.whole(column)))
        .filter(|(phase, length_ms)| length_ms.is_some() || ended(phase))
        .map(|(phase, length_ms)| PhaseDraft { length_ms, ..PhaseDraft::untimed(*phase) })
        .collect();
    if let Some(first) = phases.first_mut() {
        first.started_ms = started_ms;
    }
    if phases.is_empty() {
        phases = [Phase::Start, Phase::Agent, Phase::Verify].map(PhaseDraft::untimed).to_vec();
    }
    for record in &mut phases {
        let (stop, code) = match record.phase {
            Phase::Agent => ("agent_stop", "agent_exit_code"),
            Phase::Verify => ("verify_stop", "verify_exit_code"),
            Phase::Pull | Phase::Build | Phase::Start | Phase::Setup | Phase::Stop => continue,
        };
        record.stop = read_stop(row, stop, code).unwrap_or_else(|| record.stop.clone());
    }
    phases
}

fn read_stop(row: &Row, column: &str, code: &str) -> Option<Stop> {
    let number = |name: &str| row.text(name)?.parse::<i32>().ok();
    Some(match row.text(column)?.as_str() {
        "exited" => Stop::Exited { code: number(code).unwrap_or(0) },
        "signalled" => {
            Stop::Signalled { signal: number("agent_signal").unwrap_or(0), by: SignalSender::Unknown }
        }
        "deadline" => Stop::Deadline { limit_ms: row.whole("agent_limit_ms").unwrap_or(0) },
        "sandbox_ended" => Stop::SandboxEnded { resource: row.word("resource").unwrap_or(Resource::Memory) },
        "failed" => failed(row),
        "interrupted" => Stop::Interrupted,
        _ => return None,
    })
}

fn failed(row: &Row) -> Stop {
    let cause = row.word("cause").unwrap_or(Cause::Unknown);
    Stop::Failed { cause, message: "the table says so".to_owned() }
}

/// What the table itself says of blame.
fn statement(draft: &mut Draft, row: &Row) {
    let blame = row.text("blame");
    let cause: Cause = row.word("cause").unwrap_or(Cause::Unknown);
    let phase: Phase = row.word("phase").unwrap_or(Phase::Agent);
    let word = match (blame.as_deref(), row.truth("infra")) {
        (Some(word), _) => word.to_owned(),
        (None, Some(true)) => "infra".to_owned(),
        (None, Some(false) | None) => return late(draft, row, cause),
    };
    draft.source.failure =
        Some(SourceFailure { class: word.clone(), message: row.text("cause").unwrap_or_default() });
    let mut clue = |kind, confidence| {
        let reading = match row.text("cause") {
            Some(cause) => format!("{word}, {cause}"),
            None => word.clone(),
        };
        let evidence = Evidence::observed("the table", reading, "whoever made the table says so");
        draft.source.clues.push(Clue { kind, phase, position: Position::Terminal, confidence, evidence });
    };
    match word.as_str() {
        "infra" | "fault" => clue(ClueKind::Infra(cause), Confidence::High),
        "undetermined" => clue(ClueKind::Infra(cause), Confidence::Low),
        "task" => clue(ClueKind::TaskDefect, Confidence::High),
        "agent" if draft.reward == Reward::NotGraded => clue(ClueKind::Agent(cause), Confidence::High),
        "ceiling" => end_agent(
            draft,
            Stop::SandboxEnded { resource: row.word("resource").unwrap_or(Resource::Memory) },
        ),
        "not_started" => {
            draft.phases.retain(|record| record.phase < Phase::Agent);
            let stop = failed(row);
            match draft.phases.last_mut() {
                Some(record) => record.stop = stop,
                None => draft.phases.push(PhaseDraft { stop, ..PhaseDraft::untimed(Phase::Start) }),
            }
        }
        _ => late(draft, row, cause),
    }
}

fn late(draft: &mut Draft, row: &Row, cause: Cause) {
    if matches!(cause, Cause::TimeOut | Cause::Throttled) && !row.has("agent_stop") {
        end_agent(draft, Stop::Deadline { limit_ms: row.whole("agent_limit_ms").unwrap_or(0) });
    }
}

fn end_agent(draft: &mut Draft, stop: Stop) {
    if let Some(record) = draft.phase_mut(Phase::Agent) {
        record.stop = stop;
    }
}

fn usage(row: &Row) -> Usage {
    let why = "the table holds none";
    Usage {
        tokens_in: observed(row.whole("tokens_in"), why),
        tokens_cached: observed(row.whole("tokens_cached"), why),
        tokens_out: observed(row.whole("tokens_out"), why),
        cost_usd: observed(row.number("cost_usd"), why),
    }
}

fn effective(row: &Row) -> Effective {
    let memory = band(row, "memory_floor_bytes", "memory_ceiling_bytes", "memory_capped", Bytes);
    let cpu = band(row, "cpu_floor_millicpu", "cpu_ceiling_millicpu", "cpu_capped", |n| {
        MilliCpu(u32::try_from(n).unwrap_or(u32::MAX))
    });
    let held = |known: bool, value: Option<String>| match value {
        Some(value) => {
            Held::Inferred { knob: "the table".to_owned(), value, from: "the table says so".to_owned() }
        }
        None if known => Held::NotAsked,
        None => Held::NotKnown { why: "the table does not say".to_owned() },
    };
    let known = memory.is_some() || cpu.is_some();
    let agent_ms = row.whole("agent_limit_ms").map_or(Ceiling::Uncapped, Ceiling::At);
    let time = TimeLimits { start_ms: Ceiling::Uncapped, agent_ms, verifier_ms: Ceiling::Uncapped };
    Effective {
        allocation: memory.zip(cpu).map(|(memory, cpu)| Allocation {
            memory,
            cpu,
            pids: Ceiling::Uncapped,
            storage: Ceiling::Uncapped,
            disk_rate: Default::default(),
            time,
        }),
        enforcement: Enforcement {
            memory_ceiling: held(memory.is_some(), row.text("memory_ceiling_bytes")),
            memory_floor: held(memory.is_some(), row.text("memory_floor_bytes")),
            cpu_ceiling: held(cpu.is_some(), row.text("cpu_ceiling_millicpu")),
            cpu_floor: held(cpu.is_some(), row.text("cpu_floor_millicpu")),
            ..Enforcement::not_known("the table does not say")
        },
        provenance: match row.word("provenance") {
            Some(provenance) => provenance,
            None if known => Provenance::Declared,
            None => Provenance::Unknown,
        },
    }
}

/// A band, where the table says that there is a ceiling or that there is none (`none`, or capped is false).
fn band<T: Copy + PartialOrd + std::fmt::Display>(
    row: &Row,
    floor: &str,
    ceiling: &str,
    capped: &str,
    unit: fn(u64) -> T,
) -> Option<Band<T>> {
    let none =
        matches!(row.text(ceiling).as_deref(), Some("none" | "uncapped")) || row.truth(capped) == Some(false);
    let ceiling = match row.whole(ceiling) {
        Some(amount) => Ceiling::At(unit(amount)),
        None if none => Ceiling::Uncapped,
        None => return None,
    };
    Band::try_new(unit(row.whole(floor).unwrap_or(0)), ceiling).ok()
}
