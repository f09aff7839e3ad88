//! Memory over the ceiling: what dies, whose it was, and what only looks like it.

use std::env;

use infranoise_core::{
    Bytes, Ceiling, ExecId, KillScope, OomScope, ResourceEvent, ResourceEventKind, SignalSender, Stop,
};
use infranoise_sandbox::Sandbox;

use super::ground::{Ground, real};
use super::{Came, cannot_run};
use crate::place::{allocation, sh};

const CEILING: Bytes = Bytes(16 << 20);
/// Holds three times the ceiling; its shell survives if the kill scope lets it.
const HOG: &str = "head -c 48000000 /dev/zero | tail -c 47999999 >/dev/null";

fn under(ground: &Ground, scope: KillScope) -> Result<Sandbox, Came> {
    let mut spec = ground.spec();
    spec.allocation = allocation(Ceiling::At(CEILING));
    spec.kill_scope = scope;
    let sandbox = ground.create(&spec);
    let holds = sandbox.enforcement();
    if !holds.memory_ceiling.by_kernel() || holds.kill_scope != scope {
        return Err(cannot_run(holds.gaps.join("; ")));
    }
    Ok(sandbox)
}

/// A sandbox with a ceiling under a kill scope, or the case is left.
macro_rules! under {
    ($ground:expr, $scope:expr) => {
        match under($ground, $scope) {
            Ok(sandbox) => sandbox,
            Err(came) => return came,
        }
    };
}

fn kills(events: &[ResourceEvent]) -> Vec<(Option<ExecId>, OomScope, bool)> {
    let kill = |event: &ResourceEvent| match &event.kind {
        ResourceEventKind::OomKill { scope, ended_trial, .. } => Some((event.exec, *scope, *ended_trial)),
        _ => None,
    };
    events.iter().filter_map(kill).collect()
}

fn kills_of(sandbox: Sandbox) -> Vec<(Option<ExecId>, OomScope, bool)> {
    kills(&sandbox.finalize().expect("finalize").events)
}

pub(super) fn over_the_ceiling(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Process);
    let (end, _) = ground.say(&sandbox, "x=$(head -c 48000000 /dev/zero | tr '\\0' x); echo went on");
    assert_eq!(end.record.stop, Stop::Signalled { signal: 9, by: SignalSender::OomKiller });
    let peak = end.record.memory_peak_bytes.value().expect("a peak").0;
    // The command's own counter may take in the last batches that the ceiling above it then refused.
    assert!((CEILING.0 * 9 / 10..=CEILING.0 + (2 << 20)).contains(&peak), "{peak}");
    assert_eq!(end.record.oom_kills.value(), Some(&1));
    assert_eq!(kills_of(sandbox), [(Some(ExecId(0)), OomScope::Own, false)]);
    Came::Holds
}

pub(super) fn uncapped_is_no_kill(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let (end, printed) = ground.say(&sandbox, &format!("{HOG}; echo $?"));
    assert_eq!((end.record.stop, printed.as_str()), (Stop::Exited { code: 0 }, "0\n"));
    assert_eq!(kills_of(sandbox), []);
    Came::Holds
}

pub(super) fn scope_process(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Process);
    let (end, printed) = ground.say(&sandbox, &format!("{HOG}; echo went on"));
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    assert!(printed.contains("went on"), "{printed}");
    Came::Holds
}

pub(super) fn scope_exec(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Exec);
    let (end, printed) = ground.say(&sandbox, &format!("{HOG}; sleep 5; echo went on"));
    assert!(matches!(end.record.stop, Stop::Signalled { signal: 9, .. }), "{end:?}");
    assert!(!printed.contains("went on"), "{printed}");
    assert!(end.sandbox_alive);
    assert_eq!(ground.say(&sandbox, "true").0.record.stop, Stop::Exited { code: 0 });
    assert_eq!(kills_of(sandbox), [(Some(ExecId(0)), OomScope::Own, false)]);
    Came::Holds
}

pub(super) fn scope_trial(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Trial);
    let bystander = sandbox.exec(&sh("sleep 600", &ground.path("bystander"))).expect("it starts");
    let (end, printed) = ground.say(&sandbox, &format!("{HOG}; echo went on"));
    assert!(matches!(end.record.stop, Stop::SandboxEnded { .. }), "{end:?}");
    assert!(!end.sandbox_alive && !printed.contains("went on"), "{printed}");
    let limit = crate::place::SOON;
    let other = sandbox.wait(bystander, limit, infranoise_sandbox::contract::DeadlineKill::Foreground);
    assert!(matches!(other.expect("waited for").record.stop, Stop::SandboxEnded { .. }));
    assert_eq!(kills_of(sandbox), [(Some(ExecId(1)), OomScope::Own, true)]);
    Came::Holds
}

pub(super) fn a_survived_kill_has_its_command(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Process);
    let before = ground.say(&sandbox, "true").0.record;
    let hit = ground.say(&sandbox, &format!("{HOG}; exit 0")).0.record;
    let after = ground.say(&sandbox, "true").0.record;
    let counted = [before, hit, after].map(|record| record.oom_kills.value().copied());
    assert_eq!(counted, [Some(0), Some(1), Some(0)]);
    assert_eq!(kills_of(sandbox), [(Some(ExecId(1)), OomScope::Own, false)]);
    Came::Holds
}

pub(super) fn a_daemons_kill_has_its_command(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Process);
    let daemon = format!(
        "setsid sh -c 'until test -e /tmp/go; do sleep 0.1; done; {HOG}; : >/tmp/over' >/dev/null 2>&1 &"
    );
    ground.say(&sandbox, &daemon);
    let (end, _) = ground.say(&sandbox, ": >/tmp/go; until test -e /tmp/over; do sleep 0.1; done");
    assert_eq!((end.record.stop, end.record.oom_kills.value()), (Stop::Exited { code: 0 }, Some(&0)));
    assert_eq!(kills_of(sandbox), [(Some(ExecId(0)), OomScope::Own, false)]);
    Came::Holds
}

pub(super) fn a_kill_by_hand_is_none(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = under!(ground, KillScope::Process);
    for (script, stop) in [
        ("kill -9 $$", Stop::Signalled { signal: 9, by: SignalSender::Inside }),
        ("sh -c 'kill -9 $$'; exit $?", Stop::Exited { code: 137 }),
    ] {
        let (end, _) = ground.say(&sandbox, script);
        assert_eq!((end.record.stop, end.record.oom_kills.value()), (stop, Some(&0)), "{script}");
    }
    assert_eq!(kills_of(sandbox), []);
    Came::Holds
}

pub(super) fn exit_137_is_none(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let (end, _) = ground.say(&sandbox, "exit 137");
    assert_eq!((end.record.stop, end.record.oom_kills.value()), (Stop::Exited { code: 137 }, Some(&0)));
    assert_eq!(kills_of(sandbox), []);
    Came::Holds
}

pub(super) fn the_host_runs_out(ground: &Ground) -> Came {
    real!(ground);
    if env::var_os("INFRANOISE_IN_A_MACHINE").is_none() {
        return cannot_run("takes all memory of the host: only in a virtual machine");
    }
    // Piece by piece: the kernel refuses at once what it could never hold.
    let mut spec = ground.spec();
    spec.allocation = allocation(Ceiling::At(Bytes(64 << 30)));
    let sandbox = ground.create(&spec);
    let (end, _) = ground.say(&sandbox, "perl -e 'push @held, \"x\" x 10_000_000 while 1'; true");
    assert_eq!(end.record.oom_kills.value(), Some(&1), "{end:?}");
    assert_eq!(kills_of(sandbox), [(Some(ExecId(0)), OomScope::Host, false)]);
    Came::Holds
}
