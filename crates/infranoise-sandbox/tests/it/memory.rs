//! Memory over the ceiling, under each kill scope; what is one and what only looks like one.

use infranoise_core::{
    Bytes, Ceiling, ExecId, KillScope, OomScope, Phase, ResourceEvent, ResourceEventKind, SignalSender, Stop,
};
use infranoise_sandbox::local::Sandbox;

use crate::place::{Place, allocation, say};

const CEILING: Bytes = Bytes(16 << 20);
/// Holds three times the ceiling; its shell survives if the kill scope lets it.
const HOG: &str = "head -c 48000000 /dev/zero | tail -c 47999999 >/dev/null";

fn under(place: &Place, scope: KillScope) -> Sandbox {
    let mut spec = place.spec();
    spec.allocation = allocation(Ceiling::At(CEILING));
    spec.kill_scope = scope;
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    assert_eq!(sandbox.enforcement().kill_scope, scope);
    assert!(sandbox.enforcement().memory_ceiling.by_kernel(), "{:?}", sandbox.enforcement());
    sandbox
}

fn kills(events: &[ResourceEvent]) -> Vec<(Option<ExecId>, OomScope, bool)> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            ResourceEventKind::OomKill { scope, ended_trial, .. } => Some((event.exec, *scope, *ended_trial)),
            _ => None,
        })
        .collect()
}

#[test]
fn scope_process_kills_a_tool_and_names_its_command() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Process);
    let (before, _) = say(&place, &sandbox, "true");
    assert_eq!(before.record.oom_kills.value(), Some(&0));
    let (hit, output) = say(&place, &sandbox, &format!("{HOG}; echo went on"));
    assert_eq!(hit.record.stop, Stop::Exited { code: 0 });
    assert!(output.contains("went on"), "{output}");
    assert_eq!(hit.record.oom_kills.value(), Some(&1));
    let peak = hit.record.memory_peak_bytes.value().expect("a peak").0;
    assert!(peak >= CEILING.0 * 9 / 10, "{peak}");
    let (after, _) = say(&place, &sandbox, "true");
    assert_eq!(after.record.oom_kills.value(), Some(&0));
    assert!(after.sandbox_alive);
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(kills(&evidence.events), [(Some(ExecId(1)), OomScope::Own, false)], "{evidence:?}");
    assert_eq!(evidence.events[0].phase, Phase::Agent);
}

#[test]
fn scope_process_on_the_command_itself_is_a_signal_of_the_killer() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Process);
    let (end, _) = say(&place, &sandbox, "x=$(head -c 48000000 /dev/zero | tr '\\0' x); echo went on");
    assert_eq!(end.record.stop, Stop::Signalled { signal: 9, by: SignalSender::OomKiller });
}

#[test]
fn scope_exec_ends_the_command_and_spares_the_sandbox() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Exec);
    let (end, output) = say(&place, &sandbox, &format!("{HOG}; sleep 5; echo went on"));
    assert!(matches!(end.record.stop, Stop::Signalled { signal: 9, .. }), "{end:?}");
    assert!(!output.contains("went on"), "{output}");
    assert!(end.sandbox_alive);
    let (next, _) = say(&place, &sandbox, "true");
    assert_eq!(next.record.stop, Stop::Exited { code: 0 });
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(kills(&evidence.events), [(Some(ExecId(0)), OomScope::Own, false)], "{evidence:?}");
}

#[test]
fn scope_trial_ends_the_sandbox() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Trial);
    let (_, _) = say(&place, &sandbox, "sleep 600 &");
    let (end, output) = say(&place, &sandbox, &format!("{HOG}; echo went on"));
    assert!(matches!(end.record.stop, Stop::SandboxEnded { .. }), "{end:?}");
    assert!(!end.sandbox_alive);
    assert!(!output.contains("went on"), "{output}");
    let (late, output) = say(&place, &sandbox, "echo too late");
    assert!(matches!(late.record.stop, Stop::SandboxEnded { .. }), "{late:?}");
    assert_eq!(output, "");
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(kills(&evidence.events), [(Some(ExecId(1)), OomScope::Own, true)], "{evidence:?}");
}

#[test]
fn uncapped_is_no_kill() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let (end, output) = say(&place, &sandbox, &format!("{HOG}; echo $?"));
    assert_eq!((end.record.stop, output.as_str()), (Stop::Exited { code: 0 }, "0\n"));
    assert!(kills(&sandbox.finalize().expect("finalize").events).is_empty());
}

#[test]
fn what_looks_like_a_kill_is_none() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Process);
    for (script, stop) in [
        ("exit 137", Stop::Exited { code: 137 }),
        ("kill -9 $$", Stop::Signalled { signal: 9, by: SignalSender::Inside }),
        ("sh -c 'kill -9 $$'; exit $?", Stop::Exited { code: 137 }),
    ] {
        let (end, _) = say(&place, &sandbox, script);
        assert_eq!(end.record.stop, stop, "{script}");
        assert_eq!(end.record.oom_kills.value(), Some(&0), "{script}");
    }
    assert!(kills(&sandbox.finalize().expect("finalize").events).is_empty());
}

#[test]
fn a_daemon_that_runs_over_later_is_its_own_commands_doing() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Process);
    say(&place, &sandbox, &format!("setsid sh -c 'sleep 0.3; {HOG}; touch /tmp/over' >/dev/null 2>&1 &"));
    let (end, _) = say(&place, &sandbox, "until test -e /tmp/over; do sleep 0.1; done");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(kills(&evidence.events), [(Some(ExecId(0)), OomScope::Own, false)], "{evidence:?}");
}

#[test]
fn a_daemon_that_runs_over_between_commands_ends_the_trial() {
    let Some(place) = Place::new() else { return };
    let sandbox = under(&place, KillScope::Trial);
    say(&place, &sandbox, &format!("setsid sh -c '{HOG}' >/dev/null 2>&1 &"));
    // Long enough even for an emulated processor; the end of the trial is seen without any command running.
    let ended = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        sandbox.processes().is_ok_and(|count| count <= 1)
    });
    assert!(ended, "the daemon is ended");
    let (late, _) = say(&place, &sandbox, "true");
    assert!(matches!(late.record.stop, Stop::SandboxEnded { .. }), "{late:?}");
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(kills(&evidence.events), [(Some(ExecId(0)), OomScope::Own, true)], "{evidence:?}");
}
