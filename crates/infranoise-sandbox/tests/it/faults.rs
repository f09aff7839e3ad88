//! Faults of our own: no descriptors left, a full or read-only disk, a launcher that is stopped. Each is an error that names what could
//! not be done, leaves nothing behind, and is over when its reason is.

use std::path::Path;
use std::process::Command;

use infranoise_core::{Cause, Stop};
use infranoise_sandbox::contract::DeadlineKill;
use infranoise_sandbox::contract::EngineError;
use infranoise_sandbox::local::LocalEngine;
use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process, setrlimit};

use crate::leftovers::groups;
use crate::place::{Place, SOON, can_sandbox, config, say, sh, spec};

fn launcher(place: &Place) -> Pid {
    Pid::from_raw(i32::try_from(place.engine.launcher_pid()).expect("a pid")).expect("a pid")
}

#[test]
fn a_stopped_launcher_is_told_to_go_on_and_the_record_says_so() {
    let Some(place) = Place::new() else { return };
    let before = place.sandbox();
    kill_process(launcher(&place), Signal::STOP).expect("stop the launcher");
    let (_, output) = say(&place, &before, "echo those that run are not concerned");
    assert_eq!(output, "those that run are not concerned\n");
    let late = place.sandbox();
    let gaps = &late.enforcement().gaps;
    assert!(gaps.iter().any(|gap| gap.contains("the launcher had been stopped")), "{gaps:?}");
    let (_, output) = say(&place, &late, "echo late");
    assert_eq!(output, "late\n");
    let next = place.sandbox();
    assert!(!next.enforcement().gaps.iter().any(|gap| gap.contains("stopped")), "only those that waited");
    kill_process(launcher(&place), Signal::STOP).expect("stop the launcher");
    for sandbox in [before, late, next] {
        sandbox.finalize().expect("a stopped launcher keeps nothing from ending");
    }
}

/// Not tests: processes with limits of their own, in which the next tests take place.
#[test]
#[ignore = "a helper process of another test"]
fn helper_without_descriptors() {
    let Some(folder) = std::env::var_os("INFRANOISE_TEST_FOLDER") else { return };
    let folder = Path::new(&folder);
    let engine = LocalEngine::start(&config(folder)).expect("the engine starts");
    let before = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, rustix::process::Rlimit { current: Some(60), ..before }).expect("a limit");
    let mut living = Vec::new();
    let error = loop {
        match engine.create(&spec(folder)) {
            Ok(sandbox) => living.push(sandbox),
            Err(error) => break error,
        }
        assert!(living.len() < 60, "no limit was met");
    };
    assert!(matches!(error, EngineError::Start { .. } | EngineError::Host { .. }), "{error}");
    assert!(error.to_string().contains("Too many open files"), "{error}");
    assert_eq!(error.cause(), Cause::StartFailed);
    drop(living);
    let sandbox = engine.create(&spec(folder)).expect("with descriptors free it starts again");
    let end =
        sandbox.run(&sh("true", &folder.join("out")), SOON, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    sandbox.finalize().expect("finalize");
    engine.settle();
    assert!(groups(&format!("t{}-", std::process::id())).is_empty(), "nothing is left");
}

/// The scratch folder is on a file system with room for the supervisor's records of very few.
#[test]
#[ignore = "a helper process of another test"]
fn helper_on_a_full_disk() {
    let Some(folder) = std::env::var_os("INFRANOISE_TEST_FOLDER") else { return };
    let folder = Path::new(&folder);
    let engine = LocalEngine::start(&config(folder)).expect("the engine starts");
    let filler = folder.join("scratch/filler");
    let fill = || {
        // Until not even an inode is left.
        (0..)
            .map_while(|number| std::fs::File::create(folder.join(format!("scratch/i{number}"))).ok())
            .count()
    };
    std::fs::write(&filler, vec![0; 16 << 20]).expect_err("the disk fills");
    let inodes = fill();
    let error = engine.create(&spec(folder)).expect_err("there is no room for a sandbox");
    assert_eq!(error.cause(), Cause::DiskFull, "{error}");
    assert!(error.to_string().contains("No space left"), "{error}");
    engine.settle();
    std::fs::remove_file(&filler).expect("remove");
    for number in 0..inodes {
        std::fs::remove_file(folder.join(format!("scratch/i{number}"))).expect("remove");
    }
    let sandbox = engine.create(&spec(folder)).expect("with room it starts");
    sandbox.finalize().expect("finalize");
    engine.settle();
    let read_only = rustix::mount::MountFlags::RDONLY;
    rustix::mount::mount_remount(folder.join("scratch"), read_only, c"").expect("read-only");
    let error = engine.create(&spec(folder)).expect_err("nothing can be made");
    assert!(error.to_string().contains("Read-only file system"), "{error}");
    assert_eq!(error.cause(), Cause::StartFailed);
    engine.settle();
    assert!(groups(&format!("t{}-", std::process::id())).is_empty(), "nothing is left");
}

/// Runs a helper in namespaces of its own, after a preparation by the shell.
fn helper(name: &str, prepare: &str) {
    if !can_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("set -e; {prepare}; exec \"$0\" --exact faults::{name} --ignored --nocapture");
    let output = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-c", &script])
        .arg(std::env::current_exe().expect("this program"))
        .env("INFRANOISE_TEST_FOLDER", folder.path())
        .output()
        .expect("unshare starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("1 passed"), "{out}\n{err}");
}

#[test]
fn without_descriptors_a_start_fails_by_name_and_the_next_does_not() {
    helper("helper_without_descriptors", "true");
}

#[test]
fn a_full_and_a_read_only_disk_have_their_causes() {
    let mount = "mkdir \"$INFRANOISE_TEST_FOLDER/scratch\"; mount -t tmpfs -o size=1m,nr_inodes=200 tmpfs \"$INFRANOISE_TEST_FOLDER/scratch\"";
    helper("helper_on_a_full_disk", mount);
}

/// The host's clock jumps by an hour and back: what is measured counts on another.
#[test]
#[ignore = "sets the clock: in a virtual machine alone"]
fn only_in_a_machine_a_jump_of_the_clock_changes_no_duration() {
    use rustix::time::{ClockId, Timespec, clock_gettime, clock_settime};
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let now = clock_gettime(ClockId::Realtime);
    let id = sandbox.exec(&sh("sleep 1", &place.path("out"))).expect("it starts");
    for hours in [1, -1] {
        clock_settime(ClockId::Realtime, Timespec { tv_sec: now.tv_sec + hours * 3600, ..now })
            .expect("the clock is set");
    }
    let end = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect("waited for");
    clock_settime(ClockId::Realtime, now).expect("the clock is set");
    let took_ms = end.record.ended_ms - end.record.started_ms;
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
    assert!((1_000..60_000).contains(&took_ms), "{took_ms}");
}
