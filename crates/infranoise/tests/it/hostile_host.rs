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
