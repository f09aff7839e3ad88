//! Deadlines: the tree dies, daemons live on, and the CPU ceiling is seen.

use std::time::Duration;

use infranoise_core::{Band, Ceiling, MilliCpu, ResourceEventKind, Stop};
use infranoise_sandbox::contract::DeadlineKill;

use crate::place::{Place, SOON, say, sh};

const SHORT: Ceiling<Duration> = Ceiling::At(Duration::from_millis(2000));
/// A command with a daemon, a child in a session of its own, and a stubborn child.
const TREE: &str = "setsid sh -c 'setsid sleep 611 & exit' & sleep 0.1
    (trap '' TERM INT HUP; sleep 612) & setsid sleep 613 & sleep 614";

fn living(place: &Place, sandbox: &infranoise_sandbox::local::Sandbox) -> Vec<u32> {
    let (_, output) =
        say(place, sandbox, "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline; echo; done 2>/dev/null");
    let sleeps = output.lines().filter_map(|line| line.trim().strip_prefix("sleep ")?.parse().ok());
    let mut all: Vec<u32> = sleeps.collect();
    all.sort_unstable();
    all
}

#[test]
fn foreground_dies_and_daemons_live() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let end =
        sandbox.run(&sh(TREE, &place.path("out")), SHORT, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(end.record.stop, Stop::Deadline { limit_ms: 2000 });
    assert_eq!(living(&place, &sandbox), [611]);
    sandbox.quiesce().expect("quiesce");
    assert_eq!(living(&place, &sandbox), [0_u32; 0]);
}

#[test]
fn everything_dies() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let end =
        sandbox.run(&sh(TREE, &place.path("out")), SHORT, DeadlineKill::Everything).expect("waited for");
    assert_eq!(end.record.stop, Stop::Deadline { limit_ms: 2000 });
    assert_eq!(living(&place, &sandbox), [0_u32; 0]);
}

#[test]
fn a_command_that_ends_in_time_leaves_its_daemons() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let end = sandbox
        .run(&sh("sleep 615 &", &place.path("out")), SOON, DeadlineKill::Foreground)
        .expect("waited for");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    assert_eq!(living(&place, &sandbox), [615]);
}

#[test]
fn the_cpu_ceiling_throttles_and_is_seen() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation.cpu = Band::try_new(MilliCpu(0), Ceiling::At(MilliCpu(200))).expect("a band");
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    assert!(sandbox.enforcement().cpu_ceiling.by_kernel());
    let spin = sh("while :; do :; done", &place.path("out"));
    let end = sandbox
        .run(&spin, Ceiling::At(Duration::from_millis(1500)), DeadlineKill::Foreground)
        .expect("waited for");
    let used = *end.record.cpu_us.value().expect("CPU time");
    assert!((100_000..800_000).contains(&used), "{used}");
    let evidence = sandbox.finalize().expect("finalize");
    let throttled = evidence.events.iter().find_map(|event| match event.kind {
        ResourceEventKind::Throttled { throttled_us } => Some(throttled_us),
        _ => None,
    });
    assert!(throttled.is_some_and(|us| us > 200_000), "{evidence:?}");
}

#[test]
fn forks_beyond_the_pids_ceiling_are_counted() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation.pids = Ceiling::At(20);
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let bomb = "i=0; while [ $i -lt 40 ]; do sleep 2 & i=$((i+1)); done; wait";
    let (end, _) = say(&place, &sandbox, bomb);
    assert!(end.record.pids_refused.value().is_some_and(|count| *count > 0), "{end:?}");
    let evidence = sandbox.finalize().expect("finalize");
    assert!(evidence.events.iter().any(|event| matches!(event.kind, ResourceEventKind::PidsRefused { .. })));
}
