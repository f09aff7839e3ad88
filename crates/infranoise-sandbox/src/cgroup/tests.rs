//! On captured trees of every kind: what is found, what is set, what is read, what is refused.

use std::fs;
use std::io;
use std::path::Path;

use infranoise_core::{
    Allocation, Band, Bytes, Ceiling, CgroupMode, Enforcement, Held, KillScope, MilliCpu, Observed,
    SandboxId, SweepId, TimeLimits,
};

use super::captured::{Kind, host, make, make_old};
use super::{CgroupError, Cgroups, Controller, Hierarchy, TrialGroup, Version};

const KINDS: [Kind; 3] = [Kind::V1, Kind::Hybrid, Kind::V2];

fn bands() -> Allocation {
    Allocation {
        memory: Band::try_new(Bytes::mib(32), Ceiling::At(Bytes::mib(64))).expect("a band"),
        cpu: Band::try_new(MilliCpu(500), Ceiling::At(MilliCpu(1500))).expect("a band"),
        pids: Ceiling::At(100),
        storage: Ceiling::At(Bytes::gib(1)),
        disk_rate: Default::default(),
        time: TimeLimits {
            start_ms: Ceiling::Uncapped,
            agent_ms: Ceiling::Uncapped,
            verifier_ms: Ceiling::Uncapped,
        },
    }
}

fn trial(
    root: &Path,
    scope: KillScope,
    make: fn(&Path) -> io::Result<()>,
) -> Result<TrialGroup, CgroupError> {
    let cgroups = Cgroups::open_with(&Hierarchy::detect(root)?, make)?;
    let (sweep, sandbox) = (SweepId::try_new("s"), SandboxId::try_new("b"));
    cgroups.create_trial(&sweep.expect("a name"), &sandbox.expect("a name"), &bands(), scope)
}

fn file(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join("sys/fs/cgroup").join(name))
        .unwrap_or_else(|error| format!("{name}: {error}"))
}

#[test]
fn every_controller_is_found_in_its_tree() {
    use Version::{V1, V2};
    let cases = [
        (Kind::V1, CgroupMode::V1, [V1, V1, V1, V1, V1, V1]),
        (Kind::Hybrid, CgroupMode::Hybrid, [V1, V1, V1, V1, V2, V2]),
        (Kind::V2, CgroupMode::V2, [V2, V2, V2, V2, V2, V2]),
    ];
    for (kind, mode, versions) in cases {
        let folder = host(kind, 0);
        let found = Hierarchy::detect(folder.path()).expect("control groups");
        assert_eq!(found.mode(), mode);
        let got = Controller::ALL.map(|controller| found.located(controller).map(|(version, _)| version));
        assert_eq!(got, versions.map(Some), "{kind:?}");
    }
}

#[test]
fn a_host_without_control_groups_is_one_clear_error() {
    let folder = host(Kind::V2, 0);
    fs::write(folder.path().join("proc/self/mountinfo"), "22 1 0:20 / /proc rw - proc proc rw\n")
        .expect("is written");
    let error = Hierarchy::detect(folder.path()).expect_err("none").to_string();
    assert!(
        error.starts_with("no control groups are mounted") && error.contains("mount -t cgroup2"),
        "{error}"
    );
}

#[test]
fn bands_are_written_where_each_version_has_them() {
    let limits = |tree: &str, sub: &str| format!("{tree}infranoise/s/b/{sub}");
    let v1 = [
        ("memory/", "work/memory.limit_in_bytes", "67108864"),
        ("memory/", "work/memory.memsw.limit_in_bytes", "9223372036854771712"),
        ("cpu/", "work/cpu.cfs_quota_us", "150000"),
        ("cpu/", "work/cpu.cfs_period_us", "100000"),
        ("cpu/", "cpu.shares", "512"),
        ("pids/", "work/pids.max", "100"),
        ("memory/", "memory.limit_in_bytes", "9223372036854771712"),
    ];
    let v2 = [
        ("", "work/memory.max", "67108864"),
        ("", "work/memory.swap.max", "0"),
        ("", "work/memory.min", "33554432"),
        ("", "memory.min", "max"),
        ("", "work/cpu.max", "150000 100000"),
        ("", "cpu.weight", "50"),
        ("", "work/pids.max", "100"),
        ("", "work/memory.oom.group", "0"),
    ];
    for kind in KINDS {
        let folder = host(kind, 0);
        trial(folder.path(), KillScope::Process, make).expect("groups");
        let expected: &[(&str, &str, &str)] = if kind == Kind::V2 { &v2 } else { &v1 };
        for (tree, knob, value) in expected {
            assert_eq!(file(folder.path(), &limits(tree, knob)).trim(), *value, "{kind:?} {knob}");
        }
    }
}

#[test]
fn swap_is_closed_only_where_there_is_some() {
    let memsw = "memory/infranoise/s/b/work/memory.memsw.limit_in_bytes";
    let with_swap = host(Kind::V1, 1024);
    let group = trial(with_swap.path(), KillScope::Process, make).expect("groups");
    assert_eq!(file(with_swap.path(), memsw), "67108864");
    assert!(
        matches!(&group.enforcement().swap_closed, Held::ByKernel { knob, .. } if knob.contains("memsw"))
    );
    let without = host(Kind::V1, 0);
    let group = trial(without.path(), KillScope::Process, make).expect("groups");
    assert!(
        matches!(&group.enforcement().swap_closed, Held::ByKernel { knob, .. } if knob.contains("SwapTotal"))
    );
}

#[test]
fn what_is_held_is_told_as_it_is() {
    let check = |kind, scope, make, expect: fn(&Enforcement) -> bool| {
        let folder = host(kind, 0);
        let group = trial(folder.path(), scope, make).expect("groups");
        assert!(expect(group.enforcement()), "{kind:?} {scope:?}: {:#?}", group.enforcement());
    };
    check(Kind::V2, KillScope::Trial, make, |held| {
        held.memory_floor.by_kernel()
            && held.kill_scope_held.by_kernel()
            && held.kill_scope == KillScope::Trial
    });
    check(Kind::V2, KillScope::Exec, make, |held| held.kill_scope == KillScope::Exec && held.gaps.is_empty());
    check(Kind::Hybrid, KillScope::Trial, make, |held| {
        matches!(held.memory_floor, Held::BestEffort { .. })
            && matches!(held.kill_scope_held, Held::BestEffort { .. })
            && held.kill_scope == KillScope::Trial
    });
    check(Kind::V1, KillScope::Process, make, |held| {
        held.kill_scope_held.by_kernel() && held.gaps.is_empty()
    });
    // An older kernel has no group kill: the scope that was asked for is not the one that is held, and that is said.
    check(Kind::V2, KillScope::Trial, make_old, |held| {
        held.kill_scope == KillScope::Process
            && held.gaps.iter().any(|gap| gap.contains("`trial` was asked for"))
    });
    check(Kind::V2, KillScope::Process, make, |held| held.storage_ceiling == Held::NotAsked);
}

#[test]
fn counters_are_read_in_every_version_and_what_is_missing_says_so() {
    for kind in KINDS {
        let folder = host(kind, 0);
        let group = trial(folder.path(), KillScope::Process, make).expect("groups");
        let leaf = group.leaf("e0").expect("a leaf").counters();
        assert!(leaf.memory_peak.value().is_some_and(|peak| peak.0 > 100_000), "{kind:?} {leaf:?}");
        assert_eq!(leaf.oom_kill, Observed::Observed(0), "{kind:?}");
        assert!(leaf.cpu_us.value().is_some_and(|us| *us > 1_000), "{kind:?} {:?}", leaf.cpu_us);
        assert_eq!(leaf.pids_refused, Observed::Observed(0), "{kind:?}");
        let v2 = kind == Kind::V2;
        assert_eq!(leaf.oom.value().is_some(), v2, "{kind:?}");
        assert_eq!(leaf.under_oom.value().is_some(), !v2, "{kind:?}");
        let all = group.counters();
        assert_eq!(all.floor_breaches.value().is_some(), v2);
        assert_eq!((all.throttled_us, all.disk_bytes), (Observed::Observed(0), Observed::Observed((0, 0))));
    }
    let old = host(Kind::V2, 0);
    let leaf = trial(old.path(), KillScope::Process, make_old)
        .expect("groups")
        .leaf("e0")
        .expect("a leaf")
        .counters();
    assert!(matches!(leaf.memory_peak, Observed::Unsupported(_)), "not zero: {:?}", leaf.memory_peak);
    assert_eq!(leaf.oom, Observed::Observed(0), "a leaf's own file says it on older kernels");
}

#[test]
fn kills_are_added_up_over_a_trials_commands() {
    for (kind, tree) in [(Kind::Hybrid, "memory/"), (Kind::V2, "")] {
        let folder = host(kind, 0);
        let group = trial(folder.path(), KillScope::Process, make).expect("groups");
        group.leaf("e0").expect("a leaf");
        group.leaf("e1").expect("a leaf");
        for (name, kills) in [(".", 0), ("e0", 2), ("e1", 3)] {
            let at =
                |knob| folder.path().join(format!("sys/fs/cgroup/{tree}infranoise/s/b/work/{name}/{knob}"));
            let (knob, text) = match kind {
                Kind::V2 => ("memory.events.local", format!("oom 0\noom_kill {kills}\n")),
                Kind::V1 | Kind::Hybrid => ("memory.oom_control", format!("under_oom 0\noom_kill {kills}\n")),
            };
            fs::write(at(knob), text).expect("is written");
        }
        let all = group.counters().all.oom_kill;
        // Version 2 adds up by itself, in a file that is not written here.
        let expected = if kind == Kind::V2 { 0 } else { 5 };
        assert_eq!(all, Observed::Observed(expected), "{kind:?}");
    }
}

#[test]
fn every_group_has_one_file_to_join_in_each_tree() {
    for (kind, trees) in [(Kind::V1, 6), (Kind::Hybrid, 5), (Kind::V2, 1)] {
        let folder = host(kind, 0);
        let group = trial(folder.path(), KillScope::Process, make).expect("groups");
        let leaf = group.leaf("e0").expect("a leaf");
        for files in [leaf.join_files(), group.supervisor().join_files()] {
            assert_eq!(files.len(), trees, "{files:?}");
            assert!(files.iter().all(|file| file.exists()), "{files:?}");
        }
        assert_eq!(leaf.path(), "/infranoise/s/b/work/e0/");
        assert_eq!(leaf.v2_dir().is_some(), kind != Kind::V1);
    }
}

fn refuse_the_top(dir: &Path) -> io::Result<()> {
    if dir.ends_with("mine/infranoise") || !dir.ends_with("infranoise") {
        return make(dir);
    }
    Err(io::ErrorKind::PermissionDenied.into())
}

#[test]
fn without_permission_at_the_top_ours_is_below_our_own_group() {
    for kind in KINDS {
        let folder = host(kind, 0);
        let group = trial(folder.path(), KillScope::Process, refuse_the_top).expect("groups");
        let files = group.supervisor().join_files();
        assert!(
            files.iter().all(|file| file.to_string_lossy().contains("/mine/infranoise/s/b")),
            "{files:?}"
        );
    }
}

#[test]
fn a_read_only_mount_is_one_clear_error() {
    let folder = host(Kind::V2, 0);
    let read_only = |_: &Path| Err(io::ErrorKind::ReadOnlyFilesystem.into());
    let error = trial(folder.path(), KillScope::Process, read_only).expect_err("refused").to_string();
    assert!(error.contains("the mount is read-only: in a container"), "{error}");
}

fn fail_at_pids(dir: &Path) -> io::Result<()> {
    if dir.ends_with("pids/infranoise/s/b/work") {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    fs::create_dir(dir)
}

#[test]
fn a_creation_that_fails_leaves_no_group() {
    let folder = host(Kind::V1, 0);
    let error = trial(folder.path(), KillScope::Process, fail_at_pids).expect_err("fails");
    assert!(matches!(error, CgroupError::Make { .. }), "{error}");
    for tree in super::captured::V1_TREES {
        let left = folder.path().join("sys/fs/cgroup").join(tree).join("infranoise/s/b");
        assert!(!left.exists(), "{}", left.display());
    }
}
