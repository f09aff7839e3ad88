//! What a command's end is on record: how it stopped, who sent the signal, what it used, and what ceilings did meanwhile.

use std::sync::PoisonError;

use infranoise_core::{
    Bytes, Cause, Evidence, ExecId, ExecRecord, KillScope, Observed, Phase, Resource, ResourceEvent,
    ResourceEventKind, SignalSender, Stop,
};
use infranoise_supervisor::message::Ending;

use super::sandbox::Sandbox;
use super::state::{Exec, Progress, RanOver, State, Told};
use super::wait::Over;
use crate::cgroup::LeafCounters;
use crate::cgroup::oom::{LogSays, OomFinding, OomQuestion, OomReading, judge};
use crate::contract::ExecEnd;
use crate::storage::Fullness;

/// What a shell says of a command that is not there, and of one that cannot be executed.
const NOT_FOUND: i32 = 127;
const NOT_EXECUTABLE: i32 = 126;
const SIGKILL: i32 = 9;

impl Sandbox {
    /// Reads every counter once and writes the record.
    pub(super) fn conclude(&self, id: ExecId, over: Over) -> ExecEnd {
        let at_ms = match over {
            Over::Ended { at_ms, .. } | Over::Refused { at_ms, .. } => at_ms,
            Over::TooLate | Over::Deadline { .. } | Over::Interrupted | Over::Gone => self.shared.clock.ms(),
        };
        if let Some(sampling) = &self.sampling {
            self.engine.parts.sampler.sample_now(sampling);
        }
        self.tell_kills(at_ms);
        let group = &self.shared.group;
        let value = |counter: Observed<u64>| counter.value().copied().unwrap_or(0);
        let now = Told {
            throttled_us: value(group.throttled_us()),
            floor_breaches: value(group.floor_breaches()),
            space: self.look_at_space(),
        };
        let mut state = self.shared.lock();
        let alive = state.trial_ended.is_none();
        let told = std::mem::replace(&mut state.told, now);
        let Some(exec) = state.exec(id) else { unreachable!("`wait` has looked this command up") };
        let used = exec.leaf.counters();
        let stop = if !alive && !matches!(over, Over::Ended { ending: Ending::Code(_), .. }) {
            Stop::SandboxEnded { resource: Resource::Memory }
        } else {
            stop(over, exec, &used)
        };
        self.tell_trial(id, exec.phase, (told, now), &used, at_ms);
        let oom_kills = match used.oom_kill {
            Observed::Observed(counted) => Observed::Observed(counted.max(exec.kills)),
            other => other,
        };
        let record = ExecRecord {
            id,
            phase: exec.phase,
            command: exec.command.clone(),
            started_ms: exec.started_ms,
            ended_ms: at_ms.max(exec.started_ms),
            stop,
            memory_peak_bytes: used.memory_peak,
            cpu_us: used.cpu_us,
            oom_kills,
            pids_refused: used.pids_refused,
        };
        ExecEnd { record, sandbox_alive: alive }
    }

    /// Adds what memory ended since the last time, in whichever command, to the events.
    pub(super) fn tell_kills(&self, at_ms: u64) {
        let mut state = self.shared.lock();
        let phase = state.execs.last().map_or(Phase::Start, |exec| exec.phase);
        let mut found = Vec::new();
        let before = state.oom.clone();
        for (id, exec) in (0..).map(ExecId).zip(&mut state.execs).filter(|(_, exec)| !exec.closed) {
            let empty = matches!(exec.progress, Progress::Ended { .. })
                && exec.leaf.pids().is_ok_and(|pids| pids.is_empty());
            let counted = self.counted(exec, &before).into_iter();
            let counted = counted.map(|finding| RanOver { at_ms, exec: Some(id), finding });
            let new: Vec<RanOver> = std::mem::take(&mut exec.ran_over).into_iter().chain(counted).collect();
            exec.kills += new.iter().map(|ran_over| ran_over.finding.kills).sum::<u64>();
            found.extend(new);
            // What was empty before the counters were read will not count any more.
            exec.closed = empty;
        }
        if !found.is_empty() {
            state.oom = self.shared.group.oom_reading(None);
        }
        found.retain(|ran_over| !self.is_more_of_a_group_kill(ran_over));
        // On version 2 the kernel itself ends the group.
        if self.enforcement.kill_scope == KillScope::Trial && state.trial_ended.is_none() {
            state.trial_ended = first_over(&found, &state);
        }
        let mut events: Vec<ResourceEvent> =
            found.iter().map(|ran_over| killed(phase, ran_over, false)).collect();
        if let (Some(ended), false) = (state.trial_ended.clone(), state.trial_end_told) {
            state.trial_end_told = true;
            events = vec![killed(phase, &ended, true)];
        }
        drop(state);
        self.add(events);
    }

    /// A group is killed one process after the other, and the counters may have been read in the middle of that: what comes later, when
    /// no limit is met any more, is more of the same kill and is added to it.
    fn is_more_of_a_group_kill(&self, ran_over: &RanOver) -> bool {
        let by_exec = self.enforcement.kill_scope == KillScope::Exec;
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = events.iter_mut().find_map(|event| match &mut event.kind {
            ResourceEventKind::OomKill { kills, ended_trial, .. }
                if *ended_trial || (by_exec && event.exec == ran_over.exec) =>
            {
                Some(kills)
            }
            _ => None,
        });
        earlier.map(|kills| *kills += ran_over.finding.kills).is_some()
    }

    /// What the kernel's own killer did in a command since the last time: nothing, if its counter stands where it stood.
    fn counted(&self, exec: &mut Exec, trial_before: &OomReading) -> Vec<OomFinding> {
        if exec.leaf.oom_kills() == exec.told_kills {
            return Vec::new();
        }
        let after = self.shared.group.oom_reading(Some(&exec.leaf));
        let before = OomReading { kills: exec.told_kills.clone(), ..trial_before.clone() };
        let lines = self.engine.kernel_log().kills(exec.leaf.path());
        let fresh = lines.as_deref().map(|lines| lines.get(exec.told_lines..).unwrap_or_default());
        let findings = judge(&OomQuestion {
            who: exec.leaf.name(),
            trial_path: self.shared.group.path(),
            before: &before,
            after: &after,
            ceiling: self.shared.group.memory_ceiling(),
            log: match fresh {
                Ok(lines) => LogSays::Kills(lines),
                Err(why) => LogSays::Unreadable(why),
            },
        });
        exec.told_lines = lines.map_or(exec.told_lines, |lines| lines.len());
        exec.told_kills = after.kills;
        findings
    }

    /// Adds what other ceilings and floors did since the last command ended.
    fn tell_trial(
        &self,
        id: ExecId,
        phase: Phase,
        (told, now): (Told, Told),
        used: &LeafCounters,
        at_ms: u64,
    ) {
        let event = |kind, source: &str, reading: String, says: &str| ResourceEvent {
            at_ms,
            phase,
            exec: Some(id),
            kind,
            evidence: Evidence::observed(source, reading, says),
        };
        let mut events = Vec::new();
        if let Some(count) = grown(0, used.pids_refused.value().copied().unwrap_or(0)) {
            let kind = ResourceEventKind::PidsRefused { count };
            events.push(event(kind, "pids.events", format!("max {count}"), "the pids ceiling refused forks"));
        }
        if let Some(throttled_us) = grown(told.throttled_us, now.throttled_us) {
            let kind = ResourceEventKind::Throttled { throttled_us };
            let says = "the CPU ceiling held the trial back while this command ran";
            events.push(event(kind, "cpu.stat", format!("throttled {throttled_us} us"), says));
        }
        if let Some(count) = grown(told.floor_breaches, now.floor_breaches) {
            let kind = ResourceEventKind::FloorBreached { count };
            let says = "memory below the floor was taken away";
            events.push(event(kind, "memory.events", format!("low {count}"), says));
        }
        events.extend(
            full(told.space, now.space)
                .into_iter()
                .map(|(kind, source, reading, says)| event(kind, source, reading, says)),
        );
        self.add(events);
    }

    fn add(&self, events: Vec<ResourceEvent>) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).extend(events);
    }
}

/// Of all the commands that a kill of the whole group ended, the one that ran over: the kernel log names it, or it was the largest.
fn first_over(found: &[RanOver], state: &State) -> Option<RanOver> {
    let peak = |id: ExecId| state.exec(id)?.leaf.counters().memory_peak.value().copied();
    let first = found.iter().max_by_key(|over| (over.finding.victim.is_some(), over.exec.and_then(peak)))?;
    let mut ended = first.clone();
    ended.finding.kills = found.iter().map(|over| over.finding.kills).sum();
    Some(ended)
}

/// What was full while a command ran: its own space, the host's disk, or neither.
fn full(told: Fullness, now: Fullness) -> Vec<(ResourceEventKind, &'static str, String, &'static str)> {
    let mut found = Vec::new();
    // What a command before it filled up is full for this one as well.
    let times = grown(told.times_full, now.times_full).or((told.full_now && now.full_now).then_some(1));
    if let Some(count) = times {
        let reading = format!("{} bytes and {} inodes free at the least", now.low_bytes, now.low_inodes);
        let says = "the trial's own space on disk was full, or too small for another large write: its storage ceiling";
        found.push((
            ResourceEventKind::StorageRefused { count },
            "statfs of the trial's volume",
            reading,
            says,
        ));
    }
    if grown(told.host_full, now.host_full).is_some() {
        let kind = ResourceEventKind::HostDiskFull { free_bytes: Bytes(now.host_low) };
        let reading = format!("{} bytes free at the least", now.host_low);
        let says = "the host's disk, where the trial's files lie, was full";
        found.push((kind, "statfs of the scratch folder", reading, says));
    }
    found
}

/// By how much a counter rose, if it did.
fn grown(before: u64, now: u64) -> Option<u64> {
    now.checked_sub(before).filter(|grown| *grown > 0)
}

fn killed(phase: Phase, RanOver { at_ms, exec, finding }: &RanOver, ended_trial: bool) -> ResourceEvent {
    let kind = ResourceEventKind::OomKill {
        scope: finding.scope,
        victim: finding.victim.clone(),
        victim_rss_bytes: finding.victim_rss,
        kills: finding.kills,
        ended_trial,
    };
    ResourceEvent { at_ms: *at_ms, phase, exec: *exec, kind, evidence: finding.evidence.clone() }
}

fn stop(over: Over, exec: &Exec, used: &LeafCounters) -> Stop {
    match over {
        Over::Ended { ending: Ending::Code(code), .. } => Stop::Exited { code },
        Over::Ended { ending: Ending::Signal(signal), .. } => {
            Stop::Signalled { signal, by: sender(signal, exec.killed_by_us, &used.oom_kill) }
        }
        Over::Refused { errno, .. } => refused(errno),
        Over::TooLate => Stop::SandboxEnded { resource: Resource::Memory },
        Over::Deadline { limit_ms } => Stop::Deadline { limit_ms },
        Over::Interrupted => Stop::Interrupted,
        Over::Gone => {
            Stop::Failed { cause: Cause::SandboxGone, message: "the supervisor has ended".to_owned() }
        }
    }
}

/// Nobody but us, the kernel and the sandbox's own programs can send a signal into it.
fn sender(signal: i32, by_us: bool, oom_kills: &Observed<u64>) -> SignalSender {
    match (signal, oom_kills.value()) {
        (SIGKILL, _) if by_us => SignalSender::Infranoise,
        (SIGKILL, Some(1..)) => SignalSender::OomKiller,
        (SIGKILL, None) => SignalSender::Unknown,
        _ => SignalSender::Inside,
    }
}

/// A command that is not there ends as a shell would say; one that the host or a ceiling refused did not end by itself.
fn refused(errno: i32) -> Stop {
    let failed =
        |cause| Stop::Failed { cause, message: std::io::Error::from_raw_os_error(errno).to_string() };
    match errno {
        libc::ENOENT | libc::ENOTDIR => Stop::Exited { code: NOT_FOUND },
        libc::EACCES | libc::ENOEXEC | libc::EISDIR | libc::EPERM => Stop::Exited { code: NOT_EXECUTABLE },
        libc::EAGAIN => failed(Cause::Pids),
        _ => failed(Cause::EngineError),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kill_is_blamed_on_who_sent_it() {
        let seen = Observed::Observed;
        let unseen = || Observed::Unavailable("gone".to_owned());
        let cases = [
            (9, false, seen(0), SignalSender::Inside),
            (9, false, seen(1), SignalSender::OomKiller),
            (9, true, seen(1), SignalSender::Infranoise),
            (9, false, unseen(), SignalSender::Unknown),
            (15, false, seen(1), SignalSender::Inside),
            (11, false, unseen(), SignalSender::Inside),
        ];
        for (signal, by_us, kills, expected) in cases {
            assert_eq!(sender(signal, by_us, &kills), expected, "{signal} {by_us} {kills:?}");
        }
    }

    #[test]
    fn a_missing_program_ends_as_a_shell_would_say() {
        assert_eq!(refused(libc::ENOENT), Stop::Exited { code: 127 });
        assert_eq!(refused(libc::EACCES), Stop::Exited { code: 126 });
        assert!(matches!(refused(libc::EAGAIN), Stop::Failed { cause: Cause::Pids, .. }));
    }
}
