//! The contract: one list of cases, run on every engine. What needs a kernel is in the other files.

use std::fs;
use std::path::Path;
use std::time::Duration;

use infranoise_core::{Ceiling, Stop};
use infranoise_sandbox::contract::{DeadlineKill, Overlay, OverlayKind};
use infranoise_sandbox::fake::{Answer, FakeEngine};
use infranoise_sandbox::{Engine, Sandbox};

use crate::place::{Place, SOON, sh, spec};

/// An engine and a folder for the test.
struct Ground {
    engine: Engine,
    folder: tempfile::TempDir,
}

impl Ground {
    fn sandbox(&self) -> Sandbox {
        self.engine.create(&spec(self.folder.path())).expect("the sandbox starts")
    }

    fn run(&self, sandbox: &Sandbox, script: &str) -> (Stop, String) {
        let output = self.folder.path().join("output");
        drop(fs::remove_file(&output));
        let end =
            sandbox.run(&sh(script, &output), SOON, DeadlineKill::Foreground).expect("it is waited for");
        (end.record.stop, fs::read_to_string(output).expect("the output is there"))
    }
}

/// A case, with its name in the table of engines.
type Case = (&'static str, fn(&Ground));

const CASES: [Case; 7] = [
    ("exit codes pass", exit_codes_pass),
    ("output passes", output_passes),
    ("a deadline ends a command", a_deadline_ends_a_command),
    ("an interruption ends a command", an_interruption_ends_a_command),
    ("bytes out are bytes in", bytes_out_are_bytes_in),
    ("a file that is not there is none", a_missing_file_is_none),
    ("commands are numbered and timed", commands_are_numbered_and_timed),
];

#[test]
fn the_local_engine_keeps_the_contract() {
    for (_, case) in CASES {
        let Some(Place { engine, folder }) = Place::new() else { return };
        case(&Ground { engine: Engine::Local(engine), folder });
    }
}

#[test]
fn the_fake_engine_keeps_the_contract() {
    for (_, case) in CASES {
        let folder = tempfile::tempdir().expect("a folder");
        case(&Ground { engine: Engine::Fake(FakeEngine::new(|_, exec| pretend(&exec.argv[2]))), folder });
    }
}

/// Just enough of a shell for the cases.
fn pretend(script: &str) -> Answer {
    let mut answer = Answer::exits(0);
    for part in script.split("; ") {
        match part.split_once(' ') {
            Some(("exit", code)) => answer.stop = Stop::Exited { code: code.parse().expect("a code") },
            Some(("echo", text)) => answer.prints.push_str(&format!("{text}\n")),
            Some(("sleep", seconds)) => answer.takes_ms = seconds.parse::<u64>().expect("seconds") * 1000,
            _ => assert_eq!(part, "true"),
        }
    }
    answer
}

fn exit_codes_pass(ground: &Ground) {
    let sandbox = ground.sandbox();
    for code in [0, 1, 3, 126, 137, 255] {
        assert_eq!(ground.run(&sandbox, &format!("exit {code}")).0, Stop::Exited { code });
    }
    sandbox.finalize().expect("finalize");
}

fn output_passes(ground: &Ground) {
    let sandbox = ground.sandbox();
    assert_eq!(
        ground.run(&sandbox, "echo one; echo two; exit 3"),
        (Stop::Exited { code: 3 }, "one\ntwo\n".to_owned())
    );
}

fn a_deadline_ends_a_command(ground: &Ground) {
    let sandbox = ground.sandbox();
    let output = ground.folder.path().join("output");
    let limit = Ceiling::At(Duration::from_millis(300));
    let end =
        sandbox.run(&sh("sleep 600", &output), limit, DeadlineKill::Foreground).expect("it is waited for");
    assert_eq!(end.record.stop, Stop::Deadline { limit_ms: 300 });
    assert!(end.sandbox_alive);
    assert!(end.record.ended_ms - end.record.started_ms >= 300);
    assert_eq!(ground.run(&sandbox, "exit 0").0, Stop::Exited { code: 0 }, "the sandbox goes on");
}

fn an_interruption_ends_a_command(ground: &Ground) {
    let sandbox = ground.sandbox();
    let interrupter = sandbox.interrupter();
    let output = ground.folder.path().join("output");
    let id = sandbox.exec(&sh("sleep 600", &output)).expect("it starts");
    interrupter.interrupt();
    let end = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect("it is waited for");
    assert_eq!(end.record.stop, Stop::Interrupted);
}

fn bytes_out_are_bytes_in(ground: &Ground) {
    let bytes: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    let host = ground.folder.path().join("bytes");
    fs::create_dir_all(host.join("deeper")).expect("a folder");
    fs::write(host.join("deeper/file"), &bytes).expect("write");
    let mut laid = spec(ground.folder.path());
    laid.overlays.push(Overlay { from: host.clone(), to: "/laid".into(), how: OverlayKind::Copy });
    let sandbox = ground.engine.create(&laid).expect("the sandbox starts");
    sandbox.put(&host, Path::new("/a/new/place")).expect("put");
    for inside in ["/laid", "/a/new/place"] {
        let back = ground.folder.path().join(inside.replace('/', "-"));
        let fetched = sandbox.get(Path::new(inside), &back).expect("get");
        assert_eq!((fetched.files, fetched.bytes), (1, bytes.len() as u64));
        assert_eq!(fs::read(back.join("deeper/file")).expect("read"), bytes);
    }
    let small = sandbox.read_small(Path::new("/laid/deeper/file"), bytes.len() as u64).expect("read");
    assert_eq!(small.as_ref(), Some(&bytes));
    assert!(sandbox.read_small(Path::new("/laid/deeper/file"), bytes.len() as u64 - 1).is_err(), "too large");
}

fn a_missing_file_is_none(ground: &Ground) {
    let sandbox = ground.sandbox();
    assert_eq!(sandbox.read_small(Path::new("/logs/verifier/reward.txt"), 100).expect("read"), None);
    assert!(sandbox.get(Path::new("/nowhere"), &ground.folder.path().join("x")).is_err());
}

fn commands_are_numbered_and_timed(ground: &Ground) {
    let sandbox = ground.sandbox();
    let output = ground.folder.path().join("output");
    let mut last = 0;
    for number in 0..3 {
        let end =
            sandbox.run(&sh("true", &output), SOON, DeadlineKill::Foreground).expect("it is waited for");
        assert_eq!(end.record.id.0, number);
        assert_eq!(end.record.command, "/bin/sh -c true");
        assert!(end.record.started_ms >= last && end.record.ended_ms >= end.record.started_ms);
        last = end.record.ended_ms;
    }
}
