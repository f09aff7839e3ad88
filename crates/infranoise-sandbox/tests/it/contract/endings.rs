//! Endings: of a sandbox, of its supervisor, of the engine.

use std::time::Duration;

use infranoise_core::{Cause, Stop};
use infranoise_sandbox::contract::{DeadlineKill, EngineError};
use infranoise_sandbox::{Engine, Sandbox};
use rustix::process::{Pid, Signal, kill_process};

use super::ground::{Ground, NO_KERNEL, real};
use super::{Came, cannot_run};
use crate::leftovers::{groups, mounts, processes};
use crate::place::{SOON, sh};

fn kill(pid: u32) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a pid");
    kill_process(pid, Signal::KILL).expect("it can be killed");
}

pub(super) fn destroying_leaves_nothing(ground: &Ground) -> Came {
    let spec = ground.spec();
    let name = spec.id.as_str().to_owned();
    let sandbox = ground.create(&spec);
    if ground.is_real() {
        let many = "setsid sleep 98761 & mkdir /root/many; cd /root/many; i=0; while [ $i -lt 300 ]; do : >$i; i=$((i+1)); done";
        ground.say(&sandbox, many);
        // A daemon mounts on the host.
        assert!(!ground.is_local() || mounts(&name).is_empty(), "no mount of a sandbox is seen on the host");
    }
    sandbox.finalize().expect("finalize");
    ground.engine.settle();
    assert!(mounts(&name).is_empty(), "{:?}", mounts(&name));
    ground.engine.leave(&spec.sweep);
    assert!(!spec.scratch.exists());
    assert_eq!(processes("98761"), [""; 0]);
    assert!(groups(&name).is_empty(), "{:?}", groups(&name));
    Came::Holds
}

pub(super) fn the_supervisors_death(ground: &Ground) -> Came {
    real!(ground);
    let (sandbox, neighbour) = (ground.sandbox(), ground.sandbox());
    let id = sandbox.exec(&sh("sleep 98764", &ground.path("out"))).expect("it starts");
    let Sandbox::Local(inner) = &sandbox else { return cannot_run(NO_KERNEL) };
    kill(inner.supervisor_pid().expect("its supervisor"));
    let error = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect_err("nobody knows how it ended");
    assert!(matches!(error, EngineError::Gone { .. }), "{error}");
    assert_eq!(error.cause(), Cause::SandboxGone);
    assert!(sandbox.exec(&sh("true", &ground.path("out"))).is_err());
    let evidence = sandbox.finalize().expect("what was seen is still told");
    assert!(evidence.notes.iter().any(|note| note.contains("supervisor")), "{evidence:?}");
    assert_eq!(processes("98764"), [""; 0]);
    assert_eq!(ground.say(&neighbour, "exit 4").0.record.stop, Stop::Exited { code: 4 }, "others go on");
    Came::Holds
}

pub(super) fn the_engines_death(ground: &Ground) -> Came {
    real!(ground);
    let Engine::Local(engine) = &ground.engine else {
        return cannot_run(
            "no launcher of ours; the daemon's death is tried with a daemon of the test's own",
        );
    };
    let sandbox = ground.sandbox();
    let id = sandbox.exec(&sh("sleep 98765", &ground.path("out"))).expect("it starts");
    kill(engine.launcher_pid());
    let error = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect_err("nobody knows how it ended");
    assert!(matches!(error, EngineError::Launcher { .. }), "{error}");
    assert_eq!(error.cause(), Cause::EngineError);
    for _ in 0..100 {
        if processes("98765").is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(processes("98765"), [""; 0]);
    sandbox.finalize().expect("what was seen is still told");
    assert_eq!(ground.say(&ground.sandbox(), "exit 4").0.record.stop, Stop::Exited { code: 4 });
    Came::Holds
}
