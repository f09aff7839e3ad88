//! The contract: what every engine keeps.

use infranoise_core::{Bytes, Ceiling, KillScope, ResourceEventKind, SignalSender, Stop};

use crate::place::{Place, allocation, say};

#[test]
fn exit_codes_and_output_pass() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    for (script, stop, printed) in [
        ("true", Stop::Exited { code: 0 }, ""),
        ("echo out; echo err >&2; exit 3", Stop::Exited { code: 3 }, "out\nerr\n"),
        ("exit 137", Stop::Exited { code: 137 }, ""),
        ("kill -9 $$", Stop::Signalled { signal: 9, by: SignalSender::Inside }, ""),
        ("kill -TERM $$", Stop::Signalled { signal: 15, by: SignalSender::Inside }, ""),
        (
            "id -u; pwd; hostname >/dev/null; ls / | tr '\\n' ' '",
            Stop::Exited { code: 0 },
            "0\n/root\nbin dev etc home lib lib64 mnt opt proc root run sbin srv sys tmp usr var ",
        ),
    ] {
        let (end, output) = say(&place, &sandbox, script);
        assert_eq!(end.record.stop, stop, "{script}: {output}");
        assert_eq!(output, printed, "{script}");
    }
    sandbox.finalize().expect("finalize");
}

#[test]
fn memory_over_the_ceiling_is_a_kill_of_the_command() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation = allocation(Ceiling::At(Bytes(64 << 20)));
    let sandbox = place.engine.create(&spec).expect("create");
    let (end, output) =
        say(&place, &sandbox, "head -c 200000000 /dev/zero | tail -c 199999999 >/dev/null; echo survived $?");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 }, "{output}");
    assert_eq!(end.record.oom_kills.value(), Some(&1), "{output}");
    assert!(end.record.memory_peak_bytes.value().is_some_and(|peak| peak.0 > (60 << 20)));
    let evidence = sandbox.finalize().expect("finalize");
    assert!(
        matches!(evidence.events[..], [ref event] if matches!(event.kind, ResourceEventKind::OomKill { kills: 1, ended_trial: false, .. })),
        "{evidence:?}"
    );
}

#[test]
fn scope_trial_ends_the_sandbox() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation = allocation(Ceiling::At(Bytes(64 << 20)));
    spec.kill_scope = KillScope::Trial;
    let sandbox = place.engine.create(&spec).expect("create");
    let (end, _) =
        say(&place, &sandbox, "head -c 200000000 /dev/zero | tail -c 199999999 >/dev/null; echo survived $?");
    assert!(matches!(end.record.stop, Stop::SandboxEnded { .. }), "{end:?}");
    assert!(!end.sandbox_alive);
    let evidence = sandbox.finalize().expect("finalize");
    assert!(
        matches!(evidence.events[..], [ref event] if matches!(event.kind, ResourceEventKind::OomKill { ended_trial: true, .. })),
        "{evidence:?}"
    );
}
