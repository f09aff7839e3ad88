//! Hosts that will not play along: a full disk, read-only control groups, no root. One clear error, a documented code, nothing lost.

use std::process::Command;

use crate::program::{Done, POLICY, Place, TASK, TEST, can_sweep, write_task};

/// Runs a shell script in a mount namespace of its own, with the program's path as `$0`.
fn in_own_mounts(place: &Place, script: &str) -> Done {
    let output = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-c", script, env!("CARGO_BIN_EXE_infranoise")])
        .current_dir(place.path())
        .env("INFRANOISE_STATE", place.path().join("state"))
        .env("NO_COLOR", "1")
        .output()
        .expect("unshare starts");
    Done(output)
}

fn place() -> Place {
    let place = Place::new();
    write_task(&place.path().join("tasks/good"), TASK, TEST, POLICY);
    place
}

#[test]
fn a_full_disk_stops_the_sweep_and_loses_nothing() {
    if !can_sweep("full disk") {
        return;
    }
    let place = place();
    let sweep = "sweep -p tasks -a script --ceilings 1x,2x -k 40 --name full -o runs";
    let script = format!(
        "mkdir -p runs && mount -t tmpfs -o size=400k tmpfs runs && \"$0\" {sweep}; code=$?; \
         mount -o remount,size=40m runs && \"$0\" {sweep} > again.txt 2>&1; echo \"again: $?\" >&2; exit $code"
    );
    let done = in_own_mounts(&place, &script);
    let error = done.err();
    assert_eq!(done.code(), 10, "{error}");
    assert!(error.contains("No space left on device"), "{error}");
    assert!(error.contains("hint:"), "{error}");
    let again = std::fs::read_to_string(place.path().join("again.txt")).expect("the second pass ran");
    assert!(error.contains("again: 0"), "with room it goes on: {error}\n{again}");
    assert!(again.contains("going on with `full`"), "{again}");
    assert!(again.contains("80 trials planned, 80 recorded"), "{again}");
}

#[test]
fn read_only_control_groups_are_one_clear_error() {
    if !can_sweep("read-only control groups") {
        return;
    }
    let place = place();
    let script = "for m in $(awk '$9 ~ /^cgroup/ || $8 ~ /^cgroup/ {print $5}' /proc/self/mountinfo; \
                  awk '/ - cgroup2? /{print $5}' /proc/self/mountinfo); do mount -o remount,bind,ro $m 2>/dev/null; done; \
                  \"$0\" sweep -p tasks -a script --ceilings 1x -k 1 --name ro";
    let done = in_own_mounts(&place, script);
    let error = done.err();
    assert_eq!(done.code(), 8, "{error}");
    assert!(error.contains("ead-only"), "{error}");
    assert!(error.contains("doctor"), "{error}");
    assert!(!error.contains("panicked"), "{error}");
}

#[test]
fn without_root_it_says_so_in_one_error() {
    if !can_sweep("without root") {
        return;
    }
    let place = place();
    let open: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(place.path(), open).expect("opens the folder");
    let copy = place.path().join("infranoise-copy");
    std::fs::copy(env!("CARGO_BIN_EXE_infranoise"), &copy).expect("copies");
    let script = format!(
        "exec setpriv --reuid=65534 --regid=65534 --clear-groups {} sweep -p tasks -a script --ceilings 1x -k 1 --name user",
        copy.display()
    );
    let done = in_own_mounts(&place, &script);
    let error = done.err();
    assert_eq!(done.code(), 8, "{error}");
    assert!(error.contains("error:") && error.contains("hint:"), "{error}");
    assert!(!error.contains("panicked"), "{error}");
}

#[test]
fn stdout_on_a_full_disk_is_an_error_and_a_reader_that_left_is_none() {
    let place = Place::new();
    let cases = [
        ("\"$0\" explain >/dev/full", 10, "No space left on device"),
        ("\"$0\" schema trial >/dev/full", 10, "stdout"),
        ("\"$0\" --help >/dev/full", 10, "stdout"),
        ("\"$0\" classify --stream </dev/null >/dev/full", 0, ""),
        ("set -o pipefail 2>/dev/null; \"$0\" schema trial | head -c 1 >/dev/null", 0, ""),
    ];
    for (script, code, named) in cases {
        let done = Done(
            Command::new("bash")
                .args(["-c", script, env!("CARGO_BIN_EXE_infranoise")])
                .current_dir(place.path())
                .output()
                .expect("bash starts"),
        );
        let error = done.err();
        assert_eq!(done.code(), code, "{script}: {error}");
        assert!(error.contains(named) && !error.contains("panicked"), "{script}: {error}");
    }
}

#[test]
fn a_sweep_of_which_nothing_starts_does_not_end_as_if_it_had() {
    if !can_sweep("nothing starts") {
        return;
    }
    let place = place();
    let root = place.path().join("root");
    std::fs::create_dir_all(root.join("bin")).expect("a folder");
    for name in ["bin/sh", "proc"] {
        std::fs::write(root.join(name), "neither a shell nor a folder").expect("writes");
    }
    let args = [
        "sweep",
        "-p",
        "tasks",
        "-a",
        "script",
        "--ceilings",
        "1x",
        "-k",
        "2",
        "--name",
        "none",
        "--rootfs",
        "root",
    ];
    for _ in 0..2 {
        let done = place.run(&args);
        let error = done.err();
        assert_eq!(done.code(), 8, "{error}");
        assert!(error.contains("none of the") && error.contains("/proc"), "{error}");
        assert!(error.contains("report.html"), "what there is to say is in the report: {error}");
    }
}

/// Address space for the program and little else: whatever it cannot have then, the next process with room completes the sweep.
#[test]
fn without_memory_of_its_own_the_sweep_stops_or_goes_on_and_resume_completes() {
    if !can_sweep("no memory") {
        return;
    }
    let place = place();
    let sweep = "\"$0\" sweep -p tasks -a script --ceilings 1x,2x -k 4 --name starved -n 2";
    for kilobytes in [30_000, 60_000, 90_000, 120_000] {
        let done = in_own_mounts(&place, &format!("ulimit -v {kilobytes}; exec {sweep}"));
        assert_ne!(done.code(), 2, "{}", done.err());
    }
    // Where the starved processes got as far as trials, these may all be on record as not started.
    let done = in_own_mounts(&place, &format!("exec {sweep}"));
    let error = done.err();
    assert!(matches!(done.code(), 0 | 8), "{error}");
    assert!(error.contains("report.html") && !error.contains("panicked"), "{error}");
    place.run(&["gc"]).ok();
}
