//! kill -9 at awkward moments: resume completes, nothing is counted twice, nothing is left behind.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::program::{POLICY, Place, TASK, TEST, can_sweep, write_task};

/// A policy that takes a while, so that trials are in flight when the axe falls.
const SLOW: &str = "[strategies.only]\nsteps = ['sleep 0.2; echo 1 > /tmp/answer']\n";

#[test]
fn a_killed_sweep_goes_on_and_leaves_nothing() {
    if !can_sweep("kill -9") {
        return;
    }
    let place = Place::new();
    for (name, policy) in [("slow-a", SLOW), ("slow-b", SLOW), ("quick", POLICY)] {
        write_task(&place.path().join("tasks").join(name), TASK, TEST, policy);
    }
    let args = [
        "sweep",
        "-p",
        "tasks",
        "-a",
        "script",
        "--ceilings",
        "1x,2x",
        "-k",
        "6",
        "--name",
        "killed",
        "-n",
        "2",
    ];
    let sweep = place.path().join("runs/killed");
    let journal = sweep.join("journal.jsonl");
    // Each process is killed once the journal has grown by so many bytes: in start, in flight, at an end.
    let mut kills = 0;
    for growth in [1, 700, 1500, 2500, 4000, 6000, 9000, 300, 1100, 5000] {
        let before = size(&journal);
        let mut child = place.start(&args);
        let ended =
            wait_until(|| size(&journal) >= before + growth || child.try_wait().is_ok_and(|e| e.is_some()));
        assert!(ended, "the sweep makes progress");
        if child.try_wait().expect("waits").is_some() {
            break;
        }
        child.kill().expect("kills");
        child.wait().expect("waits");
        kills += 1;
        assert!(wait_until(|| processes("killed").is_empty()), "left running: {:?}", processes("killed"));
    }
    assert!(kills >= 5, "only {kills} kills came in time");
    place.run(&args).ok();
    let records = place.records(&sweep);
    let keys: BTreeSet<String> = records.iter().map(|record| record.facts.key.to_string()).collect();
    assert_eq!((records.len(), keys.len()), (36, 36), "every trial once");
    place.run(&["gc"]).ok();
    assert_eq!(groups("killed"), Vec::<String>::new(), "no control group is left");
    assert_eq!(processes("killed"), Vec::<String>::new(), "no process is left");
    let scratch = place.path().join("state/scratch");
    let left = std::fs::read_dir(&scratch).map(|entries| entries.count()).unwrap_or(0);
    assert_eq!(left, 0, "no writable layer is left in {}", scratch.display());
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    assert!(!mounts.contains(&*place.path().to_string_lossy()), "no mount is left");
    let again = place.run(&args).ok();
    assert!(again.err().contains("recorded already"), "{}", again.err());
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map(|found| found.len()).unwrap_or(0)
}

/// Waits for something to become true, up to a minute.
fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
    for _ in 0..6_000 {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Processes in control groups of a sweep; those that are dead and wait to be reaped by init do not run.
fn processes(sweep: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let groups = std::fs::read_to_string(entry.path().join("cgroup")).ok()?;
            let ours = groups.lines().any(|line| line.contains(&format!("infranoise/{sweep}")));
            let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
            let dead = status.lines().any(|line| line.starts_with("State:") && line.contains('Z'));
            (ours && !dead).then(|| entry.file_name().to_string_lossy().into_owned())
        })
        .collect()
}

/// Control groups of a sweep.
fn groups(sweep: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![std::path::PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if !path.is_dir() || path.is_symlink() {
                continue;
            }
            if path.to_string_lossy().contains(&format!("infranoise/{sweep}")) {
                found.push(path.to_string_lossy().into_owned());
            }
            open.push(path);
        }
    }
    found
}

/// Sends a signal to a process that we started.
fn signal(child: &std::process::Child, name: &str) {
    let sent = std::process::Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
}

#[test]
fn one_interrupt_drains_two_stop_and_the_same_command_goes_on() {
    if !can_sweep("interrupts") {
        return;
    }
    let place = Place::new();
    let slow = "[strategies.only]\nsteps = ['sleep 3; echo 1 > /tmp/answer']\n";
    write_task(&place.path().join("tasks/slow"), TASK, TEST, slow);
    let args = [
        "sweep",
        "-p",
        "tasks",
        "-a",
        "script",
        "--ceilings",
        "1x",
        "-k",
        "4",
        "--name",
        "stopped",
        "-n",
        "1",
    ];
    let journal = place.path().join("runs/stopped/journal.jsonl");
    let in_agent_phase = |times: usize| {
        let text = std::fs::read_to_string(&journal).unwrap_or_default();
        text.matches("\"kind\":\"phase_started\"").count() > 0
            && text.matches("\"phase\":\"agent\"").count() >= times
    };

    let mut child = place.start(&args);
    assert!(wait_until(|| in_agent_phase(1)), "a trial is under way");
    signal(&child, "INT");
    assert_eq!(child.wait().expect("waits").code(), Some(130));
    let drained = place.records(&place.path().join("runs/stopped"));
    assert_eq!(drained.len(), 1, "the running trial was finished, no other begun");

    let mut child = place.start(&args);
    assert!(wait_until(|| in_agent_phase(4)), "another trial is under way");
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "INT");
    assert_eq!(child.wait().expect("waits").code(), Some(130));
    assert!(wait_until(|| processes("stopped").is_empty()), "nothing runs on");
    let stopped = place.records(&place.path().join("runs/stopped"));
    assert_eq!(stopped.len(), 1, "a trial that was given up is no result");

    place.run(&args).ok();
    assert_eq!(place.records(&place.path().join("runs/stopped")).len(), 4);
}
