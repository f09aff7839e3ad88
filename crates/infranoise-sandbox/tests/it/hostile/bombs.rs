//! Bombs: of processes, memory, files, depth and output. The trial suffers, the host and its neighbours do not, and the record says so.

use std::time::Duration;

use infranoise_core::{Bytes, Ceiling, Held, ResourceEventKind, Stop};
use infranoise_sandbox::contract::{DeadlineKill, SandboxEvidence};

use crate::place::{Place, SOON, allocation, say, sh};

fn refused_forks(evidence: &SandboxEvidence) -> bool {
    evidence.events.iter().any(|event| matches!(event.kind, ResourceEventKind::PidsRefused { .. }))
}

#[test]
fn a_fork_bomb_ends_at_its_ceiling_and_with_its_sandbox() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation.pids = Ceiling::At(60);
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let neighbour = place.sandbox();
    let limit = Ceiling::At(Duration::from_secs(1));
    let bomb = sh("b() { b | b & }; b; sleep 600", &place.path("out"));
    let end = sandbox.run(&bomb, limit, DeadlineKill::Everything).expect("waited for");
    assert!(matches!(end.record.stop, Stop::Deadline { .. } | Stop::Exited { .. }), "{end:?}");
    for (who, other) in [("itself", &sandbox), ("its neighbour", &neighbour)] {
        let (next, output) = say(&place, other, "echo still here");
        assert_eq!((next.record.stop, output.as_str()), (Stop::Exited { code: 0 }, "still here\n"), "{who}");
    }
    let evidence = sandbox.finalize().expect("finalize");
    assert!(refused_forks(&evidence), "{evidence:?}");
    assert!(!refused_forks(&neighbour.finalize().expect("finalize")));
}

/// Without a ceiling of its own a bomb would take every process number of the host.
#[test]
fn without_a_ceiling_there_is_one_for_the_hosts_sake_and_the_record_says_whose() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let Held::ByKernel { knob, value } = sandbox.enforcement().pids_ceiling.clone() else {
        return println!("SKIPPED: this host has no pids controller");
    };
    assert!(knob == "pids.max" && value.contains("none was asked for"), "{value}");
    let most: u32 = value.split(' ').next().and_then(|number| number.parse().ok()).expect("a number");
    let host: u32 = std::fs::read_to_string("/proc/sys/kernel/pid_max")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .expect("a number");
    assert!((1_000..=16_384).contains(&most) && most < host / 2, "{most} of {host}");
    let (_, seen) =
        say(&place, &sandbox, "cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null");
    assert_eq!(seen.trim(), most.to_string(), "a command's group is below it");
}

/// Memory that is no process's own is the trial's all the same.
#[test]
fn files_in_memory_count_as_memory() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation = allocation(Ceiling::At(Bytes(32 << 20)));
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let (end, _) = say(&place, &sandbox, "head -c 100000000 /dev/zero >/dev/shm/x; echo over; sleep 1");
    let evidence = sandbox.finalize().expect("finalize");
    let killed = evidence.events.iter().any(|event| matches!(event.kind, ResourceEventKind::OomKill { .. }));
    assert!(killed, "{:?} {evidence:?}", end.record);
}

#[test]
fn depth_and_names_without_end_are_fetched_as_far_as_the_bounds_go() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let plant = "mkdir /out; cd /out; i=0; while [ $i -lt 120 ]; do mkdir d; cd d; i=$((i+1)); done; echo deep >file
                 cd /out; truncate -s 4T sparse; printf x >\"$(printf 'a\\nb')\"; printf x >\"$(printf '\\377')\"; printf x >-rf
                 n=$(printf '%0255d' 0); printf x >$n; mkfifo pipe; ln -s / root; echo fine >file";
    say(&place, &sandbox, plant);
    let to = place.path("got");
    let fetched = sandbox.get(std::path::Path::new("/out"), &to).expect("get");
    assert_eq!((fetched.files, fetched.left_out.len(), fetched.beyond.len()), (5, 2, 2), "{fetched:?}");
    assert!(!to.join("sparse").exists(), "no part of it");
    assert_eq!(std::fs::read_to_string(to.join("file")).expect("read"), "fine\n");
}

#[test]
fn output_without_end_is_bounded_and_blocks_nobody() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let mut exec = sh("head -c 30000000 /dev/zero; setsid yes & echo >&2; exit 5", &place.path("out"));
    exec.output_limit_bytes = 10_000;
    let end = sandbox.run(&exec, SOON, DeadlineKill::Foreground).expect("waited for");
    assert_eq!(end.record.stop, Stop::Exited { code: 5 });
    assert_eq!(std::fs::metadata(place.path("out")).expect("output").len(), 10_000);
    let evidence = sandbox.finalize().expect("finalize");
    assert!(
        evidence.notes.iter().any(|note| note.contains("bytes of the output of e0 were dropped")),
        "{evidence:?}"
    );
}

/// A layer of ten thousand files is removed behind the next trial's back: while it is, sandboxes start and end.
#[test]
fn a_large_layer_delays_nobody() {
    let Some(place) = Place::new() else { return };
    let spec = place.spec();
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let many = "mkdir /root/many; cd /root/many; perl -e 'for (1..10000) { open(my $f, q(>), $_) or die }'; ls | wc -l";
    let (_, output) = say(&place, &sandbox, many);
    assert_eq!(output, "10000\n");
    sandbox.finalize().expect("finalize");
    let next = place.sandbox();
    let (_, output) = say(&place, &next, "echo next");
    assert_eq!(output, "next\n");
    next.finalize().expect("finalize");
    place.engine.settle();
    assert!(!spec.scratch.exists(), "and in the end it is gone");
}

#[test]
fn sixty_four_start_side_by_side() {
    let Some(place) = Place::new() else { return };
    // A machine of a gigabyte whose processors are a program is not what this is about.
    let many = if std::env::var_os("INFRANOISE_IN_A_MACHINE").is_some() { 12 } else { 64 };
    std::thread::scope(|threads| {
        let starts: Vec<_> = (0..many)
            .map(|_| {
                threads.spawn(|| {
                    let sandbox = place.sandbox();
                    let (end, output) = say(&place, &sandbox, "echo one of many");
                    assert_eq!(
                        (end.record.stop, output.as_str()),
                        (Stop::Exited { code: 0 }, "one of many\n")
                    );
                    sandbox
                })
            })
            .collect();
        let all: Vec<_> = starts.into_iter().map(|start| start.join().expect("it starts")).collect();
        assert_eq!(all.len(), many);
    });
    place.engine.settle();
    assert_eq!(std::fs::read_dir(place.path("scratch")).expect("the folder").count(), 0);
}
