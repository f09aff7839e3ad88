//! What a task may try, and what comes of it: tables of attempts, each of which must fail while the host, the other trials and the record
//! stay as they were.

mod bombs;
mod calls;
mod garbage;
mod supervisor;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use infranoise_core::Stop;
use infranoise_sandbox::contract::{DeadlineKill, Overlay, OverlayKind};

use crate::place::{Place, SOON, command, say, sh};

/// Scripts that must print nothing but `refused`; each tries one way out or one secret.
const ATTEMPTS: [(&str, &str); 25] = [
    ("mount", "mount -t tmpfs none /mnt 2>/dev/null || echo refused"),
    ("umount a mask", "umount /proc/sys 2>/dev/null || echo refused"),
    ("remount proc", "mount -o remount,rw /proc/sys 2>/dev/null || echo refused"),
    ("unshare users", "unshare -U true 2>/dev/null || echo refused"),
    ("unshare mounts", "unshare -m true 2>/dev/null || echo refused"),
    ("core pattern", "(echo '|/bin/sh' >/proc/sys/kernel/core_pattern) 2>/dev/null || echo refused"),
    ("sysrq", "(echo b >/proc/sysrq-trigger) 2>/dev/null || echo refused"),
    ("host name", "hostname other 2>/dev/null || echo refused"),
    ("device nodes", "mknod /root/sda b 8 0 2>/dev/null || echo refused"),
    ("kernel memory", "head -c 1 /proc/kcore 2>/dev/null | grep -q . || echo refused"),
    ("pid 1's memory", "head -c 1 /proc/1/mem 2>/dev/null || echo refused"),
    ("pid 1's environment", "cat /proc/1/environ 2>/dev/null || echo refused"),
    ("pid 1's records", "ls /proc/1/fd/4/ 2>/dev/null || echo refused"),
    ("pid 1's socket", "readlink /proc/1/fd/3 2>/dev/null || echo refused"),
    ("pid 1's root", "ls /proc/1/root/ 2>/dev/null || echo refused"),
    ("pid 1's folder", "ls /proc/1/cwd/ 2>/dev/null || echo refused"),
    ("pid 1's program", "cat /proc/1/exe 2>/dev/null | grep -q . || echo refused"),
    ("kill pid 1", "kill -9 1; sleep 0.2; kill -0 1 && echo refused"),
    ("stop pid 1", "kill -STOP 1; sleep 0.2; grep -q 'T (stopped)' /proc/1/status || echo refused"),
    (
        "the trial's own limits",
        "(echo -1 >/sys/fs/cgroup/memory/memory.limit_in_bytes || echo max >/sys/fs/cgroup/memory.max) 2>/dev/null || echo refused",
    ),
    (
        "leave the group",
        "(echo $$ >/sys/fs/cgroup/memory/cgroup.procs || echo $$ >/sys/fs/cgroup/cgroup.procs) 2>/dev/null || echo refused",
    ),
    ("host homes", "ls -A /home /root /srv /mnt /opt | grep -v : | grep . || echo refused"),
    ("host passwords", "grep -v '^root:\\*\\|^nobody:\\*' /etc/shadow || echo refused"),
    (
        "other users",
        "cut -d: -f1 /etc/passwd | grep -v '^root$\\|^daemon$\\|^www-data$\\|^nobody$' || echo refused",
    ),
    (
        "chroot out",
        "mkdir -p /x && chroot /x /bin/true 2>/dev/null; ls /proc/1/root 2>/dev/null || echo refused",
    ),
];

#[test]
fn attempts_are_refused() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    for (what, script) in ATTEMPTS {
        let (_, output) = say(&place, &sandbox, script);
        assert_eq!(output, "refused\n", "{what}");
    }
    sandbox.finalize().expect("finalize");
}

#[test]
fn only_its_own_processes_and_network_are_seen() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let (_, output) = say(
        &place,
        &sandbox,
        "ls -d /proc/[0-9]* | wc -l; grep -c : /proc/net/dev; grep -c lo: /proc/net/dev",
    );
    assert_eq!(output.lines().collect::<Vec<_>>()[1..], ["1", "1"], "{output}");
    let seen: u32 = output.lines().next().and_then(|count| count.parse().ok()).expect("a number");
    assert!(seen <= 5, "{output}");
}

#[test]
fn privileges_are_gone_and_stay_gone() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let (_, output) =
        say(&place, &sandbox, "grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status | tr -d ' \\t'");
    let lines: Vec<&str> = output.lines().collect();
    // chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, sys_chroot, setfcap
    assert_eq!(lines, ["CapEff:00000000800405fb", "CapBnd:00000000800405fb", "NoNewPrivs:1", "Seccomp:2"]);
}

#[test]
fn links_and_dots_lead_nowhere_on_the_host() {
    let Some(place) = Place::new() else { return };
    let secret = place.path("secret");
    fs::write(&secret, "secret").expect("write");
    let sandbox = place.sandbox();
    let path = secret.display();
    let plant = format!(
        "mkdir -p /out /{0}; ln -s {path} /out/link; ln -s / /out/root; ln -s /proc/self/root{path} /out/magic;
         mkfifo /out/fifo; ln -s ../../../../../../{path} /out/dots; ln -s /proc/1/environ /out/environ; echo fine >/out/file",
        "nothing"
    );
    say(&place, &sandbox, &plant);
    for name in ["link", "magic", "dots", "environ", "fifo", "root"] {
        let read = sandbox.read_small(&Path::new("/out").join(name), 100);
        assert!(matches!(&read, Ok(None) | Err(_)), "{name}: {read:?}");
    }
    for outside in ["../../../../../../../../../../etc/hostname", "/out/root/../../etc/hostname"] {
        let read = sandbox.read_small(Path::new(outside), 100).expect("read");
        assert_eq!(read.as_deref(), Some(&b"localhost\n"[..]), "it is the sandbox's own file");
    }
    let to = place.path("got");
    let fetched = sandbox.get(Path::new("/out"), &to).expect("get");
    assert_eq!((fetched.files, fetched.left_out.len()), (1, 6), "{fetched:?}");
    assert_eq!(fs::read_to_string(to.join("file")).expect("read"), "fine\n");
    assert!(!to.join("link").exists());
}

#[test]
fn puts_through_planted_links_stay_inside() {
    let Some(place) = Place::new() else { return };
    let target = place.path("target");
    fs::write(&target, "untouched").expect("write");
    let sandbox = place.sandbox();
    say(&place, &sandbox, &format!("ln -s {} /file; ln -s / /up", target.display()));
    let source = place.path("source");
    fs::write(&source, "put").expect("write");
    sandbox.put(&source, Path::new("/file")).expect("put");
    sandbox.put(&source, Path::new("/up/../../../tmp/escaped")).expect("put");
    assert_eq!(fs::read_to_string(&target).expect("read"), "untouched");
    assert!(!Path::new("/tmp/escaped").exists());
    assert_eq!(
        sandbox.read_small(Path::new("/tmp/escaped"), 10).expect("read").as_deref(),
        Some(&b"put"[..])
    );
}

#[test]
fn links_in_a_task_lead_to_nothing_of_the_host() {
    let Some(place) = Place::new() else { return };
    let secret = place.path("secret");
    fs::write(&secret, "of the host").expect("write");
    let task = place.path("task");
    fs::create_dir(&task).expect("a folder");
    for link in [task.join("loot"), place.path("link")] {
        std::os::unix::fs::symlink(&secret, link).expect("a link");
    }
    std::os::unix::fs::symlink("/mark", task.join("inside")).expect("a link");
    let sandbox = place.sandbox();
    sandbox.put(&place.path("link"), Path::new("/loot")).expect_err("a link by itself is refused");
    sandbox.put(&task, Path::new("/task")).expect("put");
    let (end, output) = say(
        &place,
        &sandbox,
        "echo own >/mark; cat /task/inside; cat /task/loot 2>/dev/null || echo nothing",
    );
    assert_eq!((end.record.stop, output.as_str()), (Stop::Exited { code: 0 }, "own\nnothing\n"));
}

/// Ways to be in the way of the tests that come after the agent.
const OBSTACLES: [&str; 8] = [
    "ln -s /nowhere /tests",
    "ln -s /tests /tests",
    "touch /tests",
    "mkfifo /tests",
    "mkdir -p /tests/test.sh/deep",
    "mkdir /tests; ln -s /nowhere /tests/test.sh",
    "mkdir /tests; mkfifo /tests/test.sh",
    "mkdir /tests; echo exit 7 >/tests/test.sh; chmod 000 /tests/test.sh /tests",
];

#[test]
fn nothing_inside_keeps_the_tests_out() {
    let Some(place) = Place::new() else { return };
    let tests = place.path("tests");
    fs::create_dir(&tests).expect("a folder");
    fs::write(tests.join("test.sh"), "echo graded").expect("write");
    for obstacle in OBSTACLES {
        let sandbox = place.sandbox();
        say(&place, &sandbox, obstacle);
        sandbox.put(&tests, Path::new("/tests")).expect(obstacle);
        let (end, output) = say(&place, &sandbox, "sh /tests/test.sh");
        assert_eq!((end.record.stop, output.as_str()), (Stop::Exited { code: 0 }, "graded\n"), "{obstacle}");
    }
}

#[test]
fn a_working_folder_that_cannot_be_is_the_commands_failure() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    say(&place, &sandbox, "ln -s /proc/version /odd");
    let mut exec = sh("true", &place.path("out"));
    exec.cwd = "/odd/below".into();
    let end = sandbox.run(&exec, SOON, DeadlineKill::Foreground).expect("waited for");
    assert!(matches!(end.record.stop, Stop::Exited { .. }), "{end:?}");
}

#[test]
fn binds_are_what_they_say() {
    let Some(place) = Place::new() else { return };
    let (tests, logs) = (place.path("tests"), place.path("logs"));
    for folder in [&tests, &logs] {
        fs::create_dir(folder).expect("a folder");
    }
    fs::write(tests.join("test.sh"), "exit 0").expect("write");
    let program = place.path("program");
    fs::write(&program, "#!/bin/sh\necho ran\n").expect("write");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode");
    symlink("/etc", place.path("a-link")).expect("link");
    let mut spec = place.spec();
    let lay = |from: &Path, to: &str, how| Overlay { from: from.to_owned(), to: to.into(), how };
    spec.overlays = vec![
        lay(&tests, "/tests", OverlayKind::BindReadOnly),
        lay(&logs, "/logs/verifier", OverlayKind::BindWritable),
        lay(&program, "/usr/local/bin/probe", OverlayKind::BindReadOnly),
    ];
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let (_, output) = say(
        &place,
        &sandbox,
        "probe; (echo x >/tests/test.sh) 2>/dev/null || echo refused; rm -f /usr/local/bin/probe 2>/dev/null || echo refused
         echo 1 >/logs/verifier/reward.txt; mknod /logs/verifier/null c 1 3 2>/dev/null || echo refused",
    );
    assert_eq!(output, "ran\nrefused\nrefused\nrefused\n");
    assert_eq!(fs::read_to_string(logs.join("reward.txt")).expect("read"), "1\n");
    assert_eq!(
        sandbox.read_small(Path::new("/logs/verifier/reward.txt"), 10).expect("read").as_deref(),
        Some(&b"1\n"[..])
    );
}

#[test]
fn commands_that_are_not_there_end_as_in_a_shell() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    for (argv, code) in
        [(&["/nowhere"][..], 127), (&["no-such-program"], 127), (&["/etc/passwd"], 126), (&["/root"], 126)]
    {
        let end = sandbox
            .run(&command(argv, &place.path("out")), SOON, DeadlineKill::Foreground)
            .expect("waited for");
        assert_eq!(end.record.stop, Stop::Exited { code }, "{argv:?}");
    }
}
