//! Whose memory limit was it? A pure function from counters before and after, and from the kernel log.
//!
//! | evidence | verdict |
//! |---|---|
//! | the kernel log names the trial's own group as the limit | own, certain |
//! | the kernel log names another group, or none | host, certain |
//! | v2: a victim here, and `oom` of the group with the ceiling rose | own, certain |
//! | v2: a victim here, and that `oom` did not rise | host, certain |
//! | v1: a victim here, and no ceiling was set or it was never met | host, by exclusion |
//! | v1: a victim here, and the peak is the ceiling | own, likely |
//! | v1: a victim here alone | unknown |
//!
//! An exit status of 137 is no evidence and is not asked for.

use infranoise_core::{Bytes, Ceiling, Evidence, Observed, OomScope};

use super::oom_watch::OomState;
use super::waiting::WaitingTask;
use crate::kmsg::{OomKill, OomLimit};

/// What the counters say at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OomReading {
    /// Processes of the command, or of the trial, that the killer ended.
    pub kills: Observed<u64>,
    /// How often the trial's own limit ended in a kill (version 2).
    pub at_own_limit: Observed<u64>,
    /// How often an allocation met the trial's own limit, kill or not.
    pub limit_hits: Observed<u64>,
    /// The trial's peak.
    pub peak: Observed<Bytes>,
}

/// What the kernel log has to say.
#[derive(Clone, Copy, Debug)]
pub enum LogSays<'a> {
    /// The kills whose victim was in the command, or in the trial.
    Kills(&'a [OomKill]),
    /// It cannot be read, for this reason.
    Unreadable(&'a str),
}

/// Everything that the verdict is made from.
#[derive(Clone, Copy, Debug)]
pub struct OomQuestion<'a> {
    /// Who is asked about, as in `e2`.
    pub who: &'a str,
    /// The trial's groups, as the kernel log calls them: [`TrialGroup::path`](super::TrialGroup::path).
    pub trial_path: &'a str,
    /// The counters before.
    pub before: &'a OomReading,
    /// The counters after.
    pub after: &'a OomReading,
    /// The trial's memory ceiling.
    pub ceiling: Ceiling<Bytes>,
    /// The kernel log.
    pub log: LogSays<'a>,
}

/// Kills, whose limit they were about, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OomFinding {
    /// Whose limit it was.
    pub scope: OomScope,
    /// How many processes were ended.
    pub kills: u64,
    /// The first victim's program, where the kernel log says it.
    pub victim: Option<String>,
    /// The first victim's resident memory, where the kernel log says it.
    pub victim_rss: Option<Bytes>,
    /// What shows it.
    pub evidence: Evidence,
}

/// Says whose limit the kills were about: nothing if there were none, two findings if some were about one and some about another.
#[must_use]
pub fn judge(question: &OomQuestion<'_>) -> Vec<OomFinding> {
    let kills = grown(&question.before.kills, &question.after.kills);
    let lines = match question.log {
        LogSays::Kills(lines) => lines,
        LogSays::Unreadable(_) => &[],
    };
    let of = |scope: OomScope| -> Vec<&OomKill> {
        lines.iter().filter(|kill| scope_of(kill, question.trial_path) == scope).collect()
    };
    let named = [(OomScope::Own, of(OomScope::Own)), (OomScope::Host, of(OomScope::Host))];
    let mut found: Vec<OomFinding> =
        named.into_iter().filter_map(|(scope, lines)| by_log(question, scope, &lines)).collect();
    // A group kill takes more processes along than the log gives a limit for.
    if let ([only], Some(kills)) = (found.as_mut_slice(), kills) {
        only.kills = only.kills.max(kills);
    }
    if found.is_empty() && kills.is_some_and(|kills| kills > 0) {
        found.push(by_counters(question, kills.unwrap_or_default()));
    }
    found
}

/// Whose limit one line of the log names.
fn scope_of(kill: &OomKill, trial_path: &str) -> OomScope {
    match &kill.limit {
        OomLimit::Group(path) if format!("{path}/").contains(trial_path) => OomScope::Own,
        OomLimit::Group(_) | OomLimit::Host => OomScope::Host,
        OomLimit::SomeGroup => OomScope::Unknown,
    }
}

fn by_log(question: &OomQuestion<'_>, scope: OomScope, lines: &[&OomKill]) -> Option<OomFinding> {
    let first = lines.first()?;
    let limit = match &first.limit {
        OomLimit::Group(path) => format!("oom_memcg={path}"),
        OomLimit::Host => "global_oom".to_owned(),
        OomLimit::SomeGroup => "oom_memcg unknown".to_owned(),
    };
    let OomKill { program, pid, .. } = first;
    let whose = match scope {
        OomScope::Own => "at the trial's own memory ceiling",
        OomScope::Host | OomScope::Unknown => "for a limit that is not the trial's own",
    };
    let says = format!("the kernel ended `{program}` of {} {whose}", question.who);
    Some(OomFinding {
        scope,
        kills: lines.len() as u64,
        victim: Some(program.clone()),
        victim_rss: first.rss,
        evidence: Evidence::observed("kernel log", format!("{limit}, task={program}, pid={pid}"), says),
    })
}

fn by_counters(question: &OomQuestion<'_>, kills: u64) -> OomFinding {
    let (scope, evidence) = match grown(&question.before.at_own_limit, &question.after.at_own_limit) {
        Some(0) => (
            OomScope::Host,
            certain(
                question,
                kills,
                "oom 0",
                "its own limit was not involved: the host's or a group's above",
            ),
        ),
        Some(ooms) => (
            OomScope::Own,
            certain(question, kills, &format!("oom {ooms}"), "it was at the trial's own memory ceiling"),
        ),
        None => by_peak(question, kills),
    };
    OomFinding { scope, kills, victim: None, victim_rss: None, evidence }
}

fn certain(question: &OomQuestion<'_>, kills: u64, limit: &str, says: &str) -> Evidence {
    let source = format!("memory.events ({}), memory.events.local (work)", question.who);
    Evidence::observed(
        source,
        format!("oom_kill {kills}, {limit}"),
        format!("the kernel ended {kills}; {says}"),
    )
}

/// Version 1 counts kills, not whose limit they were about: what is left is whether the ceiling can have been it.
fn by_peak(question: &OomQuestion<'_>, kills: u64) -> (OomScope, Evidence) {
    let source = format!("memory.oom_control ({}), work", question.who);
    let unread = match question.log {
        LogSays::Kills(_) => "; the kernel log names no limit".to_owned(),
        LogSays::Unreadable(why) => format!("; the kernel log cannot be read ({why})"),
    };
    let partial = |reading: String, says: &str| {
        Evidence::partial(source.clone(), format!("oom_kill {kills}, {reading}"), format!("{says}{unread}"))
    };
    let Ceiling::At(ceiling) = question.ceiling else {
        let says = "the trial had no memory ceiling, so that it was the host's or a group's above";
        return (OomScope::Host, partial("uncapped".to_owned(), says));
    };
    if grown(&question.before.limit_hits, &question.after.limit_hits) == Some(0) {
        let says = "the ceiling was not met once, so that it was the host's or a group's above";
        return (OomScope::Host, partial("failcnt 0".to_owned(), says));
    }
    match question.after.peak.value() {
        Some(peak) if peak.0 + NEARLY >= ceiling.0 => {
            let reading = format!("max_usage {} of {}", peak.0, ceiling.0);
            (
                OomScope::Own,
                partial(reading, "the peak is the ceiling, so that it was most likely the trial's own"),
            )
        }
        peak => {
            let reading = format!("max_usage {:?} of {}", peak.map(|bytes| bytes.0), ceiling.0);
            (OomScope::Unknown, partial(reading, "a kill happened; whose limit it was about is not known"))
        }
    }
}

/// The kernel refuses before the last page, if what was asked for is larger than one.
const NEARLY: u64 = 1 << 20;

/// Version 1 with the killer off: tasks wait for memory until we kill. `ended` is how many processes that took.
#[must_use]
pub fn judge_waiting(state: &OomState, tasks: &[WaitingTask], ended: u64) -> Option<OomFinding> {
    if !state.under_oom {
        return None;
    }
    let (scope, says) = if state.ancestor_under_oom {
        (OomScope::Host, "tasks waited for memory at a limit above the trial's; infranoise ended them")
    } else {
        (OomScope::Own, "tasks waited for memory at the trial's own ceiling; infranoise ended them")
    };
    let first = tasks.iter().find(|task| task.for_memory()).or(tasks.first());
    let mut reading = "under_oom 1".to_owned();
    if let Some(task) = first {
        reading.push_str(&format!(", task={}, pid={}, wchan={}", task.program, task.pid, task.wait_channel));
    }
    let who = first.map_or("work", |task| &task.leaf);
    Some(OomFinding {
        scope,
        kills: ended,
        victim: first.map(|task| task.program.clone()),
        victim_rss: first.and_then(|task| task.rss),
        evidence: Evidence::observed(format!("memory.oom_control ({who})"), reading, says),
    })
}

/// By how much a counter rose, if it was read at the end; one that was not readable before began at 0.
fn grown(before: &Observed<u64>, after: &Observed<u64>) -> Option<u64> {
    let before = before.value().copied().unwrap_or(0);
    after.value().map(|after| after.saturating_sub(before))
}

#[cfg(test)]
#[path = "oom_tests.rs"]
mod tests;
