//! Nothing is left: after the end of a sandbox, of the launcher, of the whole engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use infranoise_core::{Bytes, Ceiling, Stop, SweepId};
use infranoise_sandbox::contract::{DeadlineKill, EngineError};
use infranoise_sandbox::local::{LocalEngine, Reclaimed};
use rustix::process::{Pid, Signal, kill_process};

use crate::place::{Place, SOON, can_sandbox, config, sh, spec};

/// Every control group whose path has this in it.
pub(crate) fn groups(part: &str) -> Vec<PathBuf> {
    fn walk(dir: &Path, part: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let path = entry.path();
                if path.to_string_lossy().contains(part) {
                    found.push(path.clone());
                }
                walk(&path, part, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(Path::new("/sys/fs/cgroup"), part, &mut found);
    found
}

/// Every process on the host with this in its command line.
pub(crate) fn processes(part: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").expect("proc").flatten();
    let lines = all.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(part)).collect()
}

/// Files below a folder that are on loop devices.
pub(crate) fn loops(folder: &Path) -> Vec<String> {
    let blocks = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let files = blocks.filter_map(|block| fs::read_to_string(block.path().join("loop/backing_file")).ok());
    files.filter(|file| Path::new(file).starts_with(folder)).collect()
}

pub(crate) fn mounts(part: &str) -> Vec<String> {
    let all = fs::read_to_string("/proc/self/mountinfo").expect("mountinfo");
    all.lines().filter(|line| line.contains(part)).map(str::to_owned).collect()
}

fn eventually(what: &str, mut check: impl FnMut() -> bool) {
    for _ in 0..400 {
        if check() {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("{what}");
}

#[test]
fn the_end_of_a_sandbox_leaves_nothing() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.sweep = SweepId::try_new(format!("alone-{}", std::process::id())).expect("a name");
    spec.allocation.storage = Ceiling::At(Bytes(64 << 20));
    let name = spec.id.as_str().to_owned();
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let many = "setsid sleep 98761 & mkdir /root/many; cd /root/many; i=0; while [ $i -lt 300 ]; do >$i; i=$((i+1)); done";
    sandbox.run(&sh(many, &place.path("out")), SOON, DeadlineKill::Foreground).expect("waited for");
    assert!(!groups(&name).is_empty());
    assert!(mounts(&name).is_empty(), "no mount of a sandbox is seen on the host");
    sandbox.finalize().expect("finalize");
    place.engine.settle();
    assert!(groups(&name).is_empty(), "{:?}", groups(&name));
    assert_eq!(processes("98761"), [""; 0]);
    assert!(!spec.scratch.exists());
    eventually("no loop device is left", || loops(place.folder.path()).is_empty());
    let left = fs::read_dir(place.path("state/engines")).expect("engines").count();
    assert_eq!(left, 1);
    let Place { engine, folder } = place;
    drop(engine);
    assert_eq!(fs::read_dir(folder.path().join("state/engines")).expect("engines").count(), 0);
    assert!(groups(spec.sweep.as_str()).is_empty(), "{:?}", groups(spec.sweep.as_str()));
}

#[test]
fn a_sandbox_that_cannot_start_leaves_nothing() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    let name = spec.id.as_str().to_owned();
    let root = place.path("empty-root-that-is-a-file");
    fs::write(&root, "").expect("write");
    spec.root = infranoise_sandbox::contract::RootSource::Folder(root);
    let error = place.engine.create(&spec).expect_err("a file is no root");
    assert!(matches!(&error, EngineError::Start { step, .. } if step.contains("layer")), "{error}");
    place.engine.settle();
    assert!(groups(&name).is_empty(), "{:?}", groups(&name));
    assert!(!spec.scratch.exists());
    drop(place.sandbox());
}

#[test]
fn the_launchers_death_ends_its_sandboxes_and_the_next_one_starts() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let id = sandbox.exec(&sh("sleep 98762", &place.path("out"))).expect("it starts");
    eventually("the command runs", || !processes("98762").is_empty());
    let launcher = Pid::from_raw(i32::try_from(place.engine.launcher_pid()).expect("a pid")).expect("a pid");
    kill_process(launcher, Signal::KILL).expect("kill the launcher");
    let error = sandbox.wait(id, SOON, DeadlineKill::Foreground).expect_err("the sandbox is gone");
    assert!(matches!(error, EngineError::Launcher { .. }), "{error}");
    eventually("everything is dead", || processes("98762").is_empty());
    sandbox.finalize().expect("what was seen is still told");
    let next = place.sandbox();
    let end = next.run(&sh("true", &place.path("out")), SOON, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(end.record.stop, Stop::Exited { code: 0 });
}

/// Not a test: the process that the next test kills.
#[test]
#[ignore = "a helper process of another test"]
fn helper_engine() {
    let Some(folder) = std::env::var_os("INFRANOISE_TEST_FOLDER").map(PathBuf::from) else { return };
    let engine = LocalEngine::start(&config(&folder)).expect("the engine starts");
    let made = |number: u64| {
        let mut spec = spec(&folder);
        if number > 0 {
            spec.allocation.storage = Ceiling::At(Bytes(number << 24));
        }
        engine.create(&spec).expect("the sandbox starts")
    };
    let sandboxes: Vec<_> = (0..3).map(made).collect();
    for sandbox in &sandboxes {
        sandbox
            .exec(&sh(&format!("sleep 98763; : {}", folder.display()), &folder.join("out")))
            .expect("it starts");
    }
    fs::write(folder.join("ready"), std::process::id().to_string()).expect("write");
    std::thread::sleep(Duration::from_secs(120));
}

/// Starts the helper in a folder of its own.
fn helper(folder: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "leftovers::helper_engine", "--ignored"])
        .env("INFRANOISE_TEST_FOLDER", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the helper starts")
}

/// Kills the helper, reaps, and looks for what is left.
fn kill_and_reap(mut helper: Child, folder: &Path) -> Reclaimed {
    helper.kill().expect("kill the helper");
    helper.wait().expect("it is dead");
    let name = format!("t{}-", helper.id());
    let state = folder.join("state");
    let done = LocalEngine::reap(&state, Path::new("/"), None).expect("reap");
    assert_eq!(done.left, [""; 0]);
    assert_eq!(done.living, 0);
    assert!(groups(&name).is_empty(), "{:?}", groups(&name));
    for place in [folder.join("scratch"), state.join("engines")] {
        assert_eq!(fs::read_dir(&place).map_or(0, Iterator::count), 0, "{}", place.display());
    }
    eventually("everything is dead", || processes(&folder.display().to_string()).is_empty());
    eventually("no loop device is left", || loops(folder).is_empty());
    done
}

#[test]
fn the_engines_death_leaves_nothing_after_reaping() {
    if !can_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let helper = helper(folder.path());
    eventually("the helper is ready", || folder.path().join("ready").exists());
    let command = folder.path().display().to_string();
    eventually("its commands run", || processes(&command).len() >= 3);
    let living = LocalEngine::reap(&folder.path().join("state"), Path::new("/"), None).expect("reap");
    assert_eq!((living.living, living.sandboxes.len()), (1, 0), "the living are left alone");
    let done = kill_and_reap(helper, folder.path());
    assert_eq!((done.sandboxes.len(), done.engines), (3, 1), "{done:?}");
}

#[test]
fn whenever_the_engine_is_killed_nothing_is_left_after_reaping() {
    if !can_sandbox() {
        return;
    }
    for moment_ms in [5, 20, 35, 50, 65, 80, 100, 120, 150, 200] {
        let folder = tempfile::tempdir().expect("a folder");
        let helper = helper(folder.path());
        std::thread::sleep(Duration::from_millis(moment_ms));
        kill_and_reap(helper, folder.path());
    }
}

#[test]
fn groups_whose_state_folder_is_gone_too_are_found() {
    if !can_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut helper = helper(folder.path());
    eventually("the helper is ready", || folder.path().join("ready").exists());
    let name = format!("t{}-", helper.id());
    let state = folder.path().join("state");
    let elsewhere = tempfile::tempdir().expect("a folder");
    // Its groups hold processes: another engine that knows nothing of them leaves them alone.
    let _ = LocalEngine::remove_strays(elsewhere.path(), Path::new("/"));
    assert!(!groups(&name).is_empty(), "a living engine's groups stay");
    helper.kill().expect("kill the helper");
    helper.wait().expect("it is dead");
    eventually("everything is dead", || processes(&folder.path().display().to_string()).is_empty());
    fs::remove_dir_all(&state).expect("lose the state folder");
    let strays = LocalEngine::remove_strays(elsewhere.path(), Path::new("/"));
    assert!(strays.iter().filter(|stray| stray.contains(&name)).count() >= 3, "{strays:?}");
    assert!(groups(&name).is_empty(), "{:?}", groups(&name));
}
