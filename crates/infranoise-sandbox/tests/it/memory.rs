//! Memory over the ceiling where no command is waited for. The rest is in the contract.

use infranoise_core::{Bytes, Ceiling, ExecId, KillScope, OomScope, ResourceEvent, ResourceEventKind, Stop};
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
