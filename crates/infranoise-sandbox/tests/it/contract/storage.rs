//! The space on disk, and how fast it is read and written.

use infranoise_core::{Bytes, Ceiling, DiskRate, ResourceEvent, ResourceEventKind, Stop};
use infranoise_sandbox::contract::SandboxSpec;

use super::Came;
use super::ground::{Ground, real};
use super::limits::held;

fn with_space(ground: &Ground, mib: u64) -> SandboxSpec {
    let mut spec = ground.spec();
    spec.allocation.storage = Ceiling::At(Bytes(mib << 20));
    spec
}

/// How often each command was refused.
fn refused(events: &[ResourceEvent]) -> Vec<(u32, u64)> {
    let of = |event: &ResourceEvent| match event.kind {
        ResourceEventKind::StorageRefused { count } => Some((event.exec?.0, count)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

pub(super) fn writes_are_refused(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.create(&with_space(ground, 32));
    held!(&sandbox.enforcement().storage_ceiling);
    let fits = "head -c 24M /dev/zero >/root/fits && rm /root/fits";
    assert_eq!(ground.say(&sandbox, fits).0.record.stop, Stop::Exited { code: 0 });
    let (end, printed) = ground.say(&sandbox, "dd if=/dev/zero of=/usr/large bs=1M count=64 2>&1; sleep 0.2; rm /usr/large; echo small >/root/small && echo room");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    assert!(printed.contains("No space left on device") && printed.ends_with("room\n"), "{printed}");
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(refused(&evidence.events), [(1, 1)], "{:?}", evidence.events);
    let peak = evidence.telemetry.storage_peak_bytes.value().expect("a peak").0;
    assert!((30 << 20..33 << 20).contains(&peak), "{peak}");
    Came::Holds
}

pub(super) fn inodes_are_refused(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.create(&with_space(ground, 8));
    held!(&sandbox.enforcement().storage_ceiling);
    let many = "mkdir /root/m; cd /root/m; i=0; while echo >$i; do i=$((i+1)); done 2>&1; echo $i";
    let (_, printed) = ground.say(&sandbox, many);
    assert!(printed.contains("No space left on device"), "{printed}");
    let made: u32 = printed.lines().last().and_then(|line| line.parse().ok()).unwrap_or_default();
    assert!((100..1000).contains(&made), "{printed}");
    let evidence = sandbox.finalize().expect("finalize");
    assert_eq!(refused(&evidence.events), [(0, 1)], "{:?}", evidence.events);
    let peak = evidence.telemetry.storage_peak_bytes.value().expect("a peak").0;
    assert!(peak < 4 << 20, "inodes ran out, not bytes: {peak}");
    Came::Holds
}

pub(super) fn uncapped_space_is_not_refused(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let (end, _) = ground.say(&sandbox, "head -c 40M /dev/zero >/root/large");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    assert_eq!(refused(&sandbox.finalize().expect("finalize").events), []);
    Came::Holds
}

pub(super) fn the_rate_is_held(ground: &Ground) -> Came {
    real!(ground);
    let mut spec = with_space(ground, 64);
    let rate = Ceiling::At(Bytes(4 << 20));
    spec.allocation.disk_rate = DiskRate { read: rate, written: rate };
    let sandbox = ground.create(&spec);
    held!(&sandbox.enforcement().storage_ceiling);
    held!(&sandbox.enforcement().disk_rate);
    let took = |script: &str| {
        let (end, printed) = ground.say(&sandbox, script);
        assert_eq!(end.record.stop, Stop::Exited { code: 0 }, "{printed}");
        end.record.ended_ms - end.record.started_ms
    };
    let write = took("dd if=/dev/zero of=/root/f bs=1M count=6 oflag=direct 2>&1");
    let read = took("dd if=/root/f of=/dev/null bs=1M iflag=direct 2>&1");
    // Six MiB at four a second; the first slice of time is free.
    assert!(write > 1000 && read > 1000, "{write} ms, {read} ms");
    Came::Holds
}
