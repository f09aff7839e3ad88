//! Deadlines and interruptions: what ends and what lives on.

use std::time::Duration;

use infranoise_core::{Ceiling, Stop};
use infranoise_sandbox::Sandbox;
use infranoise_sandbox::contract::DeadlineKill;

use super::Came;
use super::ground::{Ground, real};
use crate::place::{SOON, sh};

const SHORT: Ceiling<Duration> = Ceiling::At(Duration::from_millis(300));
/// A command with a daemon (611), a stubborn child, a child in a session of its own, and one that it waits for.
const TREE: &str = "setsid sh -c 'setsid sleep 611 & exit' & wait
    (trap '' TERM INT HUP; sleep 612) & setsid sleep 613 & sleep 614";

/// Which of the sleeping programs of the tree live.
fn living(ground: &Ground, sandbox: &Sandbox) -> Vec<u32> {
    let list = "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline; echo; done 2>/dev/null";
    let (_, printed) = ground.say(sandbox, list);
    let sleeps = printed.lines().filter_map(|line| line.trim().strip_prefix("sleep ")?.parse().ok());
    let mut all: Vec<u32> = sleeps.filter(|seconds| (611..615).contains(seconds)).collect();
    all.sort_unstable();
    all
}

/// Starts the tree, waits until all of it is there, and for its end at a deadline that has passed by then.
fn end_tree(ground: &Ground, sandbox: &Sandbox, kill: DeadlineKill) {
    let id = sandbox.exec(&sh(TREE, &ground.path("tree"))).expect("it starts");
    let there = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        living(ground, sandbox) == [611, 612, 613, 614] && sandbox.elapsed() > Duration::from_secs(1)
    });
    assert!(there, "only {:?} live", living(ground, sandbox));
    let end = sandbox.wait(id, SHORT, kill).expect("waited for");
    assert_eq!(end.record.stop, Stop::Deadline { limit_ms: 300 });
    assert!(end.sandbox_alive);
}

pub(super) fn ends_the_command(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let end = sandbox.run(&sh("sleep 600", &ground.path("out")), SHORT, DeadlineKill::Foreground);
    let end = end.expect("waited for");
    assert_eq!(end.record.stop, Stop::Deadline { limit_ms: 300 });
    assert!(end.sandbox_alive);
    assert!(end.record.ended_ms - end.record.started_ms >= 300);
    assert_eq!(ground.say(&sandbox, "exit 0").0.record.stop, Stop::Exited { code: 0 }, "the sandbox goes on");
    Came::Holds
}

pub(super) fn spares_daemons(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    end_tree(ground, &sandbox, DeadlineKill::Foreground);
    assert_eq!(living(ground, &sandbox), [611]);
    sandbox.quiesce().expect("quiesce");
    assert_eq!(living(ground, &sandbox), [0; 0]);
    Came::Holds
}

pub(super) fn ends_everything(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    end_tree(ground, &sandbox, DeadlineKill::Everything);
    assert_eq!(living(ground, &sandbox), [0; 0]);
    Came::Holds
}

pub(super) fn an_end_leaves_daemons(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let (end, _) = ground.say(&sandbox, "sleep 612 &");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    assert_eq!(living(ground, &sandbox), [612]);
    Came::Holds
}

pub(super) fn an_interruption_ends_a_command(ground: &Ground) -> Came {
    let sandbox = ground.sandbox();
    let interrupter = sandbox.interrupter();
    let id = sandbox.exec(&sh("sleep 600", &ground.path("out"))).expect("it starts");
    interrupter.interrupt();
    let end = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(end.record.stop, Stop::Interrupted);
    Came::Holds
}
