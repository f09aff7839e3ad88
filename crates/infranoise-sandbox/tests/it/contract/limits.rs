//! Floors and the other ceilings: that they are there, and that their work is seen.

use std::time::Duration;

use infranoise_core::{Band, Bytes, Ceiling, Held, MilliCpu, ResourceEvent, ResourceEventKind, Stop};
use infranoise_sandbox::contract::DeadlineKill;

use super::Came;
use super::ground::{Ground, real};
use crate::place::{SOON, sh};

/// Leaves a case whose promise is not kept here.
macro_rules! held {
    ($held:expr) => {
        if let infranoise_core::Held::NotAtAll { why } | infranoise_core::Held::NotKnown { why } = $held {
            return $crate::contract::cannot_run(why.as_str());
        }
    };
}
pub(super) use held;

fn amount(events: &[ResourceEvent], of: fn(&ResourceEventKind) -> Option<u64>) -> u64 {
    events.iter().filter_map(|event| of(&event.kind)).sum()
}

pub(super) fn the_floor_is_admitted(ground: &Ground) -> Came {
    real!(ground);
    let mut spec = ground.spec();
    spec.allocation.memory = Band::try_new(Bytes(12 << 20), Ceiling::At(Bytes(32 << 20))).expect("a band");
    spec.allocation.cpu = Band::try_new(MilliCpu(100), Ceiling::Uncapped).expect("a band");
    let sandbox = ground.create(&spec);
    let floor = &sandbox.enforcement().memory_floor;
    held!(floor);
    assert!(matches!(floor, Held::ByKernel { .. } | Held::BestEffort { .. }), "{floor:?}");
    let (end, printed) = ground.say(&sandbox, "head -c 10000000 /dev/zero | tail -c 9000000 | wc -c");
    assert_eq!((end.record.stop, printed.as_str()), (Stop::Exited { code: 0 }, "9000000\n"));
    assert_eq!(end.record.oom_kills.value(), Some(&0));
    Came::Holds
}

pub(super) fn throttling_is_seen(ground: &Ground) -> Came {
    real!(ground);
    let mut spec = ground.spec();
    spec.allocation.cpu = Band::try_new(MilliCpu(0), Ceiling::At(MilliCpu(200))).expect("a band");
    let sandbox = ground.create(&spec);
    held!(&sandbox.enforcement().cpu_ceiling);
    let spin = sh("while :; do :; done", &ground.path("out"));
    let limit = Ceiling::At(Duration::from_millis(1500));
    let end = sandbox.run(&spin, limit, DeadlineKill::Foreground).expect("waited for");
    let used = *end.record.cpu_us.value().expect("CPU time");
    assert!((50_000..900_000).contains(&used), "{used}");
    let events = sandbox.finalize().expect("finalize").events;
    let throttled = amount(&events, |kind| match kind {
        ResourceEventKind::Throttled { throttled_us } => Some(*throttled_us),
        _ => None,
    });
    assert!(throttled > 100_000, "{events:?}");
    Came::Holds
}

pub(super) fn pids_are_refused(ground: &Ground) -> Came {
    real!(ground);
    let mut spec = ground.spec();
    spec.allocation.pids = Ceiling::At(20);
    let sandbox = ground.create(&spec);
    held!(&sandbox.enforcement().pids_ceiling);
    let bomb = "i=0; while [ $i -lt 40 ]; do sleep 2 & i=$((i+1)); done; wait";
    let (end, _) = ground.say(&sandbox, bomb);
    assert!(end.record.pids_refused.value().is_some_and(|count| *count > 0), "{end:?}");
    let events = sandbox.finalize().expect("finalize").events;
    let refused = amount(&events, |kind| match kind {
        ResourceEventKind::PidsRefused { count } => Some(*count),
        _ => None,
    });
    assert!(refused > 0, "{events:?}");
    Came::Holds
}

pub(super) fn use_is_measured(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let idle = ground.say(&sandbox, "sleep 0.3").0.record;
    let busy = "head -c 20000000 /dev/zero | tail -c 19000000 >/dev/null; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done";
    let run = sandbox.run(&sh(busy, &ground.path("out")), SOON, DeadlineKill::Foreground);
    let busy = run.expect("waited for").record;
    let of = |record: &infranoise_core::ExecRecord| {
        let peak = record.memory_peak_bytes.value().map(|bytes| bytes.0 >> 20);
        (peak.expect("a peak"), record.cpu_us.value().copied().expect("CPU time"))
    };
    let ((small, few), (large, many)) = (of(&idle), of(&busy));
    assert!(small < 12 && (18..60).contains(&large), "{small} MiB, {large} MiB");
    assert!(few < many && many > 10_000, "{few} us, {many} us");
    Came::Holds
}
