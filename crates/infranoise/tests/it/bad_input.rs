//! Bad input: one clear error that names file, line or field and what to do, and a documented exit code.

use crate::program::{POLICY, Place, TASK, TEST, write_task};

/// Arguments, what the error must name, the exit code.
type Case = (&'static [&'static str], &'static [&'static str], i32);

#[test]
fn wrong_commands_say_what_to_do() {
    let place = Place::new();
    write_task(&place.path().join("tasks/good"), TASK, TEST, POLICY);
    write_task(&place.path().join("broken/torn"), "[agent\ntimeout_sec = 5", TEST, POLICY);
    write_task(&place.path().join("silent/quiet"), "version = \"1.0\"\n", TEST, POLICY);
    write_task(&place.path().join("testless/none"), TASK, TEST, POLICY);
    std::fs::remove_dir_all(place.path().join("testless/none/tests")).expect("removes");
    write_task(
        &place.path().join("huge/big"),
        &TASK.replace("memory_mb = 64", "memory_mb = 99000000"),
        TEST,
        POLICY,
    );
    write_task(
        &place.path().join("steps/multi"),
        &format!("{TASK}\n[[steps]]\nname = \"a\"\n"),
        TEST,
        POLICY,
    );
    std::fs::write(place.path().join("typo.toml"), "[sweep]\nrepeat = 5\n").expect("writes");
    std::fs::write(
        place.path().join("upside-down.toml"),
        "[sweep]\ntasks = \"tasks\"\nagent = \"nop\"\n[[arm]]\nname = \"a\"\nmemory = { floor = \"3x\", ceiling = \"1x\" }\n",
    )
    .expect("writes");
    let cases: &[Case] = &[
        (&["sweep"], &["no tasks are named", "-p TASKS"], 2),
        (&["sweep", "-p", "nowhere", "-a", "nop"], &["nowhere"], 2),
        (&["sweep", "-p", "tasks", "-a", "wizard"], &["wizard", "oracle, nop, script"], 2),
        (&["sweep", "-p", "tasks", "-a", "command"], &["needs a program", "--"], 2),
        (&["sweep", "-p", "broken", "-a", "nop"], &["task.toml:1"], 2),
        (&["sweep", "-p", "testless", "-a", "nop"], &["tests"], 2),
        (&["sweep", "-p", "steps", "-a", "nop"], &["steps", "not supported yet"], 2),
        (&["sweep", "-p", "silent", "-a", "nop"], &["--assume-spec"], 2),
        (&["sweep", "-p", "huge", "-a", "nop"], &["above what this host can promise"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "-k", "4000000000"], &["4000000000 repeats", "at most"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--margin", "nan"], &["between 0 and 100 points"], 2),
        (&["gate", "tasks", "tasks", "--margin=-3"], &["between 0 and 100 points"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--ceilings", "1x,1x"], &["give each its own name"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--ceilings", "900000x,none"], &["same effective limits"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--ceilings", "much"], &["much", "`1.5x`"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "-i", "nothing*"], &["nothing"], 5),
        (&["sweep", "-p", "tasks", "-a", "nop", "--reference", "7x"], &["7x", "1x, 1.5x"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "-e", "moon"], &["moon", "local"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--abort-infra", "some"], &["20%/50"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--rootfs", "/etc"], &["/etc", "no /bin/sh", "--rootfs"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "--rootfs", "typo.toml"], &["typo.toml", "--rootfs"], 2),
        (&["sweep", "-p", "tasks", "-a", "nop", "-k", "0"], &["no repeat"], 5),
        (&["sweep", "-c", "typo.toml"], &["typo.toml", "line 2", "repeat"], 2),
        (&["sweep", "-c", "upside-down.toml"], &["arm `a`", "memory", "above the ceiling"], 2),
        (&["run", "-p", "tasks", "-a", "nop", "--band", "3x..1x"], &["above the ceiling"], 2),
        (&["run", "-p", "tasks", "-a", "nop", "--band", "lots"], &["lots", "`1x..3x`"], 2),
        (&["trial", "list", "nowhere"], &["nowhere", "no plan.json"], 5),
        (&["report", "tasks"], &["tasks", "holds no results that are known here"], 5),
        (&["compare", "tasks", "tasks"], &["holds no results"], 5),
        (&["gap", "72", "169", "--tasks", "89", "--repeats", "5"], &["score", "1.69"], 2),
        (&["leaderboard", "typo.toml"], &["typo.toml:1", "no column `name`"], 2),
        (&["explain", "sunshine"], &["sunshine"], 5),
        (&["stats", "eval", "typo.toml"], &["typo.toml"], 2),
    ];
    for (args, named, code) in cases {
        let done = place.run(args);
        let error = done.err();
        assert_eq!(done.code(), *code, "{args:?}: {error}");
        for word in *named {
            assert!(error.contains(word), "{args:?} should name `{word}`: {error}");
        }
        assert!(!error.contains("panicked"), "{args:?}: {error}");
        assert_eq!(done.out(), "", "{args:?}: errors are not data");
    }
    assert!(!place.path().join("runs").exists(), "nothing was begun");
}

#[test]
fn a_dry_run_needs_no_rights_and_does_nothing() {
    let place = Place::new();
    write_task(&place.path().join("tasks/good"), TASK, TEST, POLICY);
    write_task(&place.path().join("tasks/better"), TASK, TEST, POLICY);
    let done = place.run(&["sweep", "-p", "tasks", "-a", "script", "--dry-run", "--json"]).ok();
    let document: serde_json::Value = serde_json::from_str(&done.out()).expect("JSON");
    assert_eq!(document["outlook"]["trials"], 60);
    assert!(done.err().contains("detects no difference at all: too few tasks"), "{}", done.err());
    assert!(!place.path().join("runs").exists());
}

#[test]
fn another_plan_under_the_same_name_is_refused_with_the_difference() {
    if !crate::program::can_sweep("same name") {
        return;
    }
    let place = Place::new();
    write_task(&place.path().join("tasks/good"), TASK, TEST, POLICY);
    let args = ["sweep", "-p", "tasks", "-a", "script", "--ceilings", "1x", "-k", "1", "--name", "mine"];
    place.run(&args).ok();
    let done = place.run(&[&args[..], &["--seed", "7"]].concat());
    assert_eq!(done.code(), 2);
    assert!(done.err().contains("`seed` is 20260205 there and 7 here"), "{}", done.err());
    let plan = place.path().join("runs/mine/plan.json");
    let text = std::fs::read_to_string(&plan).expect("reads");
    std::fs::write(&plan, text.replace("\"margin_pp\": 3.0", "\"margin_pp\": 4.0")).expect("writes");
    let tampered = place.run(&["analyze", "runs/mine"]);
    assert_eq!(tampered.code(), 2);
    assert!(tampered.err().contains("was changed after the sweep began"), "{}", tampered.err());
}
