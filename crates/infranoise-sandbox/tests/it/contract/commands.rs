//! Commands: how they end, what they print, what reaches them.

use std::fs;

use infranoise_core::{SignalSender, Stop};
use infranoise_sandbox::contract::DeadlineKill;

use super::Came;
use super::ground::{Ground, real};
use crate::place::{SOON, command, sh};

pub(super) fn exit_codes_pass(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    for code in [0, 1, 3, 126, 127, 255] {
        assert_eq!(ground.say(&sandbox, &format!("exit {code}")).0.record.stop, Stop::Exited { code });
    }
    sandbox.finalize().expect("finalize");
    Came::Holds
}

pub(super) fn signals_pass(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    for signal in [1, 6, 9, 11, 15] {
        let (end, _) = ground.say(&sandbox, &format!("kill -{signal} $$"));
        assert_eq!(end.record.stop, Stop::Signalled { signal, by: SignalSender::Inside });
        assert!(end.sandbox_alive);
    }
    Came::Holds
}

pub(super) fn output_passes(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let (end, printed) = ground.say(&sandbox, "echo one; echo two; exit 3");
    assert_eq!((end.record.stop, printed.as_str()), (Stop::Exited { code: 3 }, "one\ntwo\n"));
    if ground.is_real() {
        let (_, printed) =
            ground.say(&sandbox, "echo one >&2; echo two; echo three >&2; head -c 300000 /dev/zero");
        assert!(printed.starts_with("one\ntwo\nthree\n"), "{:?}", &printed[..20]);
        assert_eq!(printed.len(), 14 + 300_000);
    }
    Came::Holds
}

pub(super) fn output_is_bounded(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let mut exec = sh("head -c 3000000 /dev/zero; exit 5", &ground.path("bounded"));
    exec.output_limit_bytes = 10_000;
    let end = sandbox.run(&exec, SOON, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(end.record.stop, Stop::Exited { code: 5 });
    assert_eq!(fs::metadata(ground.path("bounded")).expect("output").len(), 10_000);
    let notes = sandbox.finalize().expect("finalize").notes;
    assert!(notes.iter().any(|note| note.contains("2990000 bytes")), "{notes:?}");
    Came::Holds
}

pub(super) fn variables_and_folder_pass(ground: &Ground) -> Came {
    real!(ground);
    let mut spec = ground.spec();
    spec.env = vec![("ONE".to_owned(), "a b".to_owned()), ("TWO".to_owned(), "spec".to_owned())];
    let sandbox = ground.create(&spec);
    let mut exec = sh("echo \"$ONE|$TWO|$(pwd)\"", &ground.path("variables"));
    exec.env = vec![("TWO".to_owned(), "exec\n$x".to_owned())];
    exec.cwd = "/a/new/folder".into();
    sandbox.run(&exec, SOON, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(fs::read_to_string(ground.path("variables")).expect("read"), "a b|exec\n$x|/a/new/folder\n");
    Came::Holds
}

pub(super) fn signals_are_as_new(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    // The shell sees its child's end, and nothing is blocked or ignored but what C libraries keep for themselves.
    let (_, printed) =
        ground.say(&sandbox, "true & wait; grep -E '^Sig(Blk|Ign)' /proc/self/status | cut -f2");
    let masks: Vec<u64> =
        printed.lines().map(|line| u64::from_str_radix(line, 16).expect("a mask")).collect();
    let libcs_own = 0b11 << 31;
    assert_eq!(masks.iter().map(|mask| mask & !libcs_own).collect::<Vec<_>>(), [0, 0], "{printed}");
    Came::Holds
}

pub(super) fn missing_programs_end_as_in_a_shell(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let mut cases = vec![(&["/nowhere"][..], 127), (&["no-such-program"], 127)];
    if ground.is_real() {
        cases.extend([(&["/etc/passwd"][..], 126), (&["/root"], 126)]);
    }
    for (argv, code) in cases {
        let exec = command(argv, &ground.path("out"));
        let end = sandbox.run(&exec, SOON, DeadlineKill::Foreground).expect("waited for");
        assert_eq!(end.record.stop, Stop::Exited { code }, "{argv:?}");
    }
    Came::Holds
}

pub(super) fn commands_are_numbered_and_timed(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let mut last = 0;
    for number in 0..3 {
        let record = ground.say(&sandbox, "true").0.record;
        assert_eq!((record.id.0, record.command.as_str()), (number, "/bin/sh -c true"));
        assert!(record.started_ms >= last && record.ended_ms >= record.started_ms);
        last = record.ended_ms;
    }
    Came::Holds
}

pub(super) fn commands_run_side_by_side(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let waits = "mkdir -p /tmp/met; : >/tmp/met/$N; while [ $(ls /tmp/met | wc -l) -lt 4 ]; do sleep 0.05; done; exit $N";
    let started: Vec<_> = (1..5)
        .map(|number| {
            let mut exec = sh(waits, &ground.path(&number.to_string()));
            exec.env = vec![("N".to_owned(), number.to_string())];
            (number, sandbox.exec(&exec).expect("it starts"))
        })
        .collect();
    for (code, id) in started {
        let end = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect("waited for");
        assert_eq!(end.record.stop, Stop::Exited { code });
    }
    Came::Holds
}
