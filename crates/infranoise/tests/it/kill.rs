//! kill -9 at awkward moments: resume completes, nothing is counted twice, nothing is left behind.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::program::{POLICY, Place, TASK, TEST, can_sweep, write_task};

/// A policy that takes a while, so that trials are in flight when the axe falls.
const SLOW: &str = "[strategies.only]\nsteps = ['sleep 0.2; echo 1 > /tmp/answer']\n";

#[test]
fn a_killed_sweep_goes_on_and_leaves_nothing() {
    // Each process is killed once the journal has grown by so many bytes: in start, in flight, at an end.
    kill_and_go_on("killed", 6, &[1, 700, 1500, 2500, 4000, 6000, 9000, 300, 1100, 5000]);
}

/// A hundred kills, at moments that follow from a seed.
#[test]
#[ignore = "takes some minutes; `cargo test -p infranoise --test it -- --ignored a_hundred_kills`"]
fn a_hundred_kills() {
    let mut state = 20_260_205_u64;
    let growths: Vec<u64> = (0..100)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            1 + state % 9_000
        })
        .collect();
    kill_and_go_on("hundred", 120, &growths);
}

/// Begins a sweep, kills it as often as is said, lets it end, and looks for what was lost or left.
fn kill_and_go_on(name: &str, repeats: u32, growths: &[u64]) {
    if !can_sweep("kill -9") {
        return;
    }
    let place = Place::new();
    for (name, policy) in [("slow-a", SLOW), ("slow-b", SLOW), ("quick", POLICY)] {
        write_task(&place.path().join("tasks").join(name), TASK, TEST, policy);
    }
    let repeats_text = repeats.to_string();
    let args = [
        "sweep",
        "-p",
        "tasks",
        "-a",
        "script",
        "--ceilings",
        "1x,2x",
        "-k",
        &repeats_text,
        "--name",
        name,
        "-n",
        "2",
    ];
    let sweep = place.path().join("runs").join(name);
    let journal = sweep.join("journal.jsonl");
    let mut kills = 0;
    for growth in growths {
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
        assert!(wait_until(|| processes(name).is_empty()), "left running: {:?}", processes(name));
    }
    assert!(kills * 2 >= growths.len(), "only {kills} kills came in time");
    println!("{kills} kills");
    place.run(&args).ok();
    let records = place.records(&sweep);
    let keys: BTreeSet<String> = records.iter().map(|record| record.facts.key.to_string()).collect();
    let planned = usize::try_from(repeats * 6).expect("a number");
    assert_eq!((records.len(), keys.len()), (planned, planned), "every trial once");
    place.run(&["gc"]).ok();
    assert_eq!(groups(name), Vec::<String>::new(), "no control group is left");
    assert_eq!(processes(name), Vec::<String>::new(), "no process is left");
    let scratch = place.path().join("state/scratch");
    let left = std::fs::read_dir(&scratch).map(|entries| entries.count()).unwrap_or(0);
    assert_eq!(left, 0, "no writable layer is left in {}", scratch.display());
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    assert!(!mounts.contains(&*place.path().to_string_lossy()), "no mount is left");
    let again = place.run(&args).ok();
    assert!(again.err().contains("recorded already"), "{}", again.err());
}

pub fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map(|found| found.len()).unwrap_or(0)
}

/// Waits for something to become true, up to a minute.
pub fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
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

/// The launcher of a sweep's engine.
fn launcher(engine: u32) -> Option<u32> {
    let all = std::fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_its = |pid: &u32| {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default();
        read("status").contains(&format!("\nPPid:\t{engine}\n"))
            && read("cmdline").contains("__infranoise-launcher")
    };
    pids.into_iter().find(is_its)
}

#[test]
fn a_sweep_whose_launcher_is_stopped_or_killed_comes_to_its_end() {
    if !can_sweep("the launcher") {
        return;
    }
    let place = Place::new();
    write_task(&place.path().join("tasks/slow"), TASK, TEST, SLOW);
    let journal = place.path().join("runs/launcher/journal.jsonl");
    let args = [
        "sweep",
        "-p",
        "tasks",
        "-a",
        "script",
        "--ceilings",
        "1x,2x",
        "-k",
        "8",
        "--name",
        "launcher",
        "-n",
        "2",
    ];
    let mut child = place.start(&args);
    for (growth, name) in [(3_000, "STOP"), (3_000, "KILL"), (3_000, "STOP")] {
        let before = size(&journal);
        assert!(wait_until(|| size(&journal) >= before + growth), "the sweep makes progress");
        let Some(pid) = launcher(child.id()) else { continue };
        let sent = std::process::Command::new("kill").args(["-s", name, &pid.to_string()]).status();
        assert!(sent.is_ok(), "the signal is sent");
    }
    assert_eq!(child.wait().expect("waits").code(), Some(0));
    let records = place.records(&place.path().join("runs/launcher"));
    let faults = records
        .iter()
        .filter(|record| record.facts.outcome.phases.iter().any(|phase| !phase.stop.succeeded()));
    assert!(records.len() >= 16 && faults.count() <= 4, "at most what was in flight when it was killed");
}
