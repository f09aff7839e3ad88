//! Control groups: what is set holds, what is counted is true, what is removed is gone.

use std::path::Path;

use infranoise_core::{Bytes, Ceiling, CgroupMode, Held, KillScope, MilliCpu, OomScope};
use infranoise_sandbox::cgroup::oom::{LogSays, OomFinding, OomQuestion, judge, judge_waiting};
use infranoise_sandbox::cgroup::{Leaf, OomState};
use infranoise_sandbox::kmsg::KernelLog;

use crate::support::{Trial, allocation, eventually, hog, host, memory_only, start};

#[test]
fn what_was_set_is_read_back() {
    let Some((cgroups, mode)) = host() else { return };
    let odd = allocation(Ceiling::At(Bytes((64 << 20) + 1)), Ceiling::At(MilliCpu(200)), Ceiling::At(32));
    let trial = Trial::new(&cgroups, "readback", &odd, KillScope::Process);
    let held = trial.group.enforcement();
    let value = |held: &Held| match held {
        Held::ByKernel { value, .. } | Held::BestEffort { value, .. } => value.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(value(&held.memory_ceiling), (64 << 20).to_string(), "rounded to a page");
    assert_eq!(value(&held.cpu_ceiling), "20000 of 100000");
    assert_eq!(value(&held.pids_ceiling), "32");
    assert!(held.memory_ceiling.by_kernel() && held.swap_closed.by_kernel(), "{held:?}");
    // A floor is worth no more than that of the groups above: below another's group it is best effort.
    let v2 = trial.group.supervisor().v2_dir().filter(|_| mode == CgroupMode::V2);
    let at_the_top = v2.is_some_and(|dir| dir.starts_with("/sys/fs/cgroup/infranoise"));
    assert_eq!(held.memory_floor.by_kernel(), at_the_top, "{:?}", held.memory_floor);
    assert!(matches!(held.cpu_floor, Held::BestEffort { .. }), "{:?}", held.cpu_floor);
    assert_eq!(held.storage_ceiling, Held::NotAsked);
}

#[test]
fn a_kill_is_counted_in_the_command_that_ran_over_and_nowhere_else() {
    let Some((cgroups, _)) = host() else { return };
    let trial = Trial::new(&cgroups, "oom", &memory_only(32), KillScope::Process);
    let (small, large) = (trial.leaf("e0"), trial.leaf("e1"));
    let before = trial.group.oom_reading(Some(&large));
    let mut log = KernelLog::open(Path::new("/dev/kmsg"))
        .inspect_err(|error| println!("SKIPPED (the kernel log): {error}"))
        .ok();
    assert!(start(&small, &hog(4)).wait().expect("an end").success());
    assert!(start(&large, &hog(200)).wait().expect("an end").success(), "the shell outlives its child");
    let reading = trial.group.oom_reading(Some(&large));
    let unread = LogSays::Unreadable("not asked");
    let question = |log| OomQuestion {
        who: "e1",
        trial_path: trial.group.path(),
        before: &before,
        after: &reading,
        ceiling: trial.group.memory_ceiling(),
        log,
    };
    let own = |found: Vec<OomFinding>| (found.len() == 1).then(|| (found[0].scope, found[0].kills));
    assert_eq!(own(judge(&question(unread))), Some((OomScope::Own, 1)));
    if let Some(log) = log.as_mut() {
        log.read_new().expect("is read");
        let lines = log.kills_in(large.path());
        assert_eq!(own(judge(&question(LogSays::Kills(&lines)))), Some((OomScope::Own, 1)), "{lines:?}");
        assert!(lines[0].rss.is_some_and(|rss| rss > Bytes::mib(16)), "{lines:?}");
    }
    let kills = |leaf: &Leaf| leaf.counters().oom_kill.value().copied();
    assert_eq!((kills(&small), kills(&large)), (Some(0), Some(1)));
    let peak = |leaf: &Leaf| leaf.counters().memory_peak.value().map_or(0, |bytes| bytes.0 >> 20);
    assert!((4..20).contains(&peak(&small)), "{} MiB", peak(&small));
    assert!((29..=32).contains(&peak(&large)), "{} MiB", peak(&large));
    let all = trial.group.counters();
    assert_eq!(all.all.oom_kill.value(), Some(&1));
    assert!(all.limit_hits.value().is_some_and(|hits| *hits > 0), "{:?}", all.limit_hits);
}

#[test]
fn throttling_and_cpu_time_are_seen() {
    let Some((cgroups, _)) = host() else { return };
    let slow = allocation(Ceiling::Uncapped, Ceiling::At(MilliCpu(200)), Ceiling::Uncapped);
    let trial = Trial::new(&cgroups, "cpu", &slow, KillScope::Process);
    let leaf = trial.leaf("e0");
    let mut busy = start(&leaf, "while :; do :; done");
    let throttled = || trial.group.counters().throttled_us.value().copied().unwrap_or(0);
    eventually("throttled for 0.2 s", || throttled() > 200_000);
    trial.group.kill_work().expect("dies");
    busy.wait().expect("an end");
    assert!(leaf.counters().cpu_us.value().is_some_and(|us| *us > 20_000), "{:?}", leaf.counters().cpu_us);
}

#[test]
fn refused_forks_are_counted() {
    let Some((cgroups, _)) = host() else { return };
    let few = allocation(Ceiling::Uncapped, Ceiling::Uncapped, Ceiling::At(8));
    let trial = Trial::new(&cgroups, "pids", &few, KillScope::Process);
    let leaf = trial.leaf("e0");
    let mut shell = start(&leaf, "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 60 & done; wait");
    let refused = || leaf.counters().pids_refused.value().copied().unwrap_or(0);
    eventually("a fork is refused", || refused() > 0);
    assert!(trial.group.counters().all.pids_refused.value().is_some_and(|count| *count > 0));
    trial.group.kill_leaf(&leaf).expect("dies");
    shell.wait().expect("an end");
    let peak = leaf.counters().pids_peak.value().copied();
    assert!(matches!(peak, Some(8 | 9)), "the refused fork may be counted in: {peak:?}");
}

#[test]
fn frozen_work_stands_still_and_the_supervisor_goes_on() {
    let Some((cgroups, _)) = host() else { return };
    let trial = Trial::new(&cgroups, "freeze", &memory_only(64), KillScope::Process);
    let leaf = trial.leaf("e0");
    let mut work = start(&leaf, "while :; do :; done");
    let mut supervisor = start(trial.group.supervisor(), "while :; do sleep 0.01; done");
    eventually("both live", || trial.group.pids().is_ok_and(|pids| pids.len() >= 2));
    trial.group.freeze().expect("freezes");
    eventually("all work stands", || trial.group.frozen().expect("is read"));
    let cpu = |leaf: &Leaf| leaf.counters().cpu_us.value().copied().unwrap_or(0);
    // On version 1 the supervisor has no group of its own that could be asked.
    let path = format!("/proc/{}/schedstat", supervisor.id());
    let ran = || {
        let text = std::fs::read_to_string(&path).expect("schedstat");
        text.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).expect("a number")
    };
    // What a processor has not yet handed in is counted a moment later; work that is not frozen never stops counting.
    let mut before = cpu(&leaf);
    eventually("the work's time stands still while the supervisor's goes on", || {
        let above = ran();
        eventually("the supervisor goes on", || ran() > above);
        let now = cpu(&leaf);
        std::mem::replace(&mut before, now) == now
    });
    trial.group.kill_work().expect("frozen processes die");
    work.wait().expect("an end");
    assert!(supervisor.try_wait().expect("is asked").is_none(), "the supervisor lives");
    trial.group.kill_all().expect("all die");
    supervisor.wait().expect("an end");
}

#[test]
fn a_fork_bomb_dies_whole() {
    let Some((cgroups, _)) = host() else { return };
    let some = allocation(Ceiling::Uncapped, Ceiling::At(MilliCpu(500)), Ceiling::At(64));
    let trial = Trial::new(&cgroups, "bomb", &some, KillScope::Process);
    if !trial.group.enforcement().pids_ceiling.by_kernel() {
        return println!("SKIPPED: a fork bomb without a pids ceiling ends the host");
    }
    let leaf = trial.leaf("e0");
    let mut bomb = start(&leaf, "bomb() { bomb | bomb & }; while :; do bomb; done 2>/dev/null");
    eventually("it grows", || leaf.counters().pids_peak.value().is_some_and(|most| *most > 20));
    trial.group.kill_all().expect("all die");
    bomb.wait().expect("an end");
    assert_eq!(trial.group.pids().expect("are read"), Vec::<i32>::new());
}

#[test]
fn at_trial_scope_a_command_that_runs_over_takes_the_others_along() {
    let Some((cgroups, mode)) = host() else { return };
    let trial = Trial::new(&cgroups, "scope", &memory_only(32), KillScope::Trial);
    let watch = trial.group.oom_watch().expect("a watch");
    let speaks = |seconds| {
        let mut fds = [rustix::event::PollFd::from_borrowed_fd(watch.fd(), watch.interest())];
        let limit = rustix::event::Timespec { tv_sec: seconds, tv_nsec: 0 };
        rustix::event::poll(&mut fds, Some(&limit)).expect("a poll") == 1
    };
    assert_eq!(watch.read_state().expect("a state"), OomState::default());
    assert!(!speaks(0), "nothing has happened yet");
    let (leaf, other) = (trial.leaf("e0"), trial.leaf("e1"));
    let mut bystander = start(&other, "sleep 60");
    let mut supervisor = start(trial.group.supervisor(), "sleep 60");
    let mut shell = start(&leaf, &hog(200));
    assert!(speaks(5), "memory runs over");
    if mode != CgroupMode::V2 {
        eventually("tasks wait", || watch.read_state().expect("a state").under_oom);
        assert!(!watch.read_state().expect("a state").ancestor_under_oom);
        assert_eq!(leaf.counters().oom_kill.value(), Some(&0), "nobody is killed by the kernel");
        let tasks = trial.group.waiting().expect("tasks");
        let found = judge_waiting(&watch.read_state().expect("a state"), &tasks, 1).expect("a finding");
        assert_eq!(found.scope, OomScope::Own);
        assert_eq!(found.evidence.source, "memory.oom_control (e0)", "{found:?}");
        trial.group.kill_work().expect("dies");
    }
    assert!(!shell.wait().expect("an end").success());
    assert!(!bystander.wait().expect("an end").success());
    assert!(supervisor.try_wait().expect("is asked").is_none(), "the supervisor lives");
    trial.group.kill_all().expect("all die");
    supervisor.wait().expect("an end");
}

#[test]
fn leftovers_are_reaped_and_nothing_else() {
    let Some((cgroups, _)) = host() else { return };
    let trial = Trial::new(&cgroups, "reap", &memory_only(64), KillScope::Process);
    let kept = Trial::new(&cgroups, "kept", &memory_only(64), KillScope::Process);
    let leaf = trial.leaf("e0");
    let mut left = start(&leaf, "sleep 60");
    eventually("it has joined", || leaf.pids().is_ok_and(|pids| !pids.is_empty()));
    let sweep = trial.sweep.as_str().to_owned();
    let done = cgroups.reap(|of, _| of == sweep);
    left.wait().expect("an end");
    assert!(done.left.is_empty(), "{:?}", done.left);
    assert_eq!(done.removed.len(), 1);
    let mine: Vec<_> = cgroups.trials().into_iter().filter(|(_, name)| name.contains("-kept")).collect();
    assert!(mine.iter().any(|(of, _)| of == kept.sweep.as_str()));
    assert!(trial.group.leaf("e1").is_err(), "its groups are gone");
}

/// A kill that is not about the trial's own ceiling: the host runs out first.
#[test]
#[ignore = "takes all memory of the host: for virtual machines"]
fn only_in_a_machine_a_host_that_runs_out_of_memory_is_not_the_trials_ceiling() {
    let Some((cgroups, _)) = host() else { return };
    let trial = Trial::new(&cgroups, "host", &memory_only(64 << 10), KillScope::Process);
    let leaf = trial.leaf("e0");
    let before = trial.group.oom_reading(Some(&leaf));
    let mut log = KernelLog::open(Path::new("/dev/kmsg")).expect("the kernel log");
    assert!(start(&leaf, &hog(32 << 10)).wait().expect("an end").success());
    log.read_new().expect("is read");
    let lines = log.kills_in(leaf.path());
    let after = trial.group.oom_reading(Some(&leaf));
    for log in [LogSays::Unreadable("not asked"), LogSays::Kills(&lines)] {
        let found = judge(&OomQuestion {
            who: "e0",
            trial_path: trial.group.path(),
            before: &before,
            after: &after,
            ceiling: trial.group.memory_ceiling(),
            log,
        });
        assert_eq!(
            found.iter().map(|f| (f.scope, f.kills)).collect::<Vec<_>>(),
            [(OomScope::Host, 1)],
            "{found:?}"
        );
    }
}
