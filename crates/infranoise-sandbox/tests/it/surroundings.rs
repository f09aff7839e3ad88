//! What a sandboxed program finds: its limits, its devices, its network, its records' black box.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use infranoise_core::{Band, Bytes, Ceiling, MilliCpu, Stop, Visible};

use infranoise_sandbox::contract::{Overlay, OverlayKind, RootSource};

use crate::place::{Place, allocation, one_id, say};

#[test]
fn programs_find_their_limits_devices_and_loopback() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation = allocation(Ceiling::At(Bytes(256 << 20)));
    spec.env = vec![("GREETING".to_owned(), "hello there".to_owned())];
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let expected = [
        (
            "cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max",
            "268435456\n",
        ),
        ("echo $GREETING", "hello there\n"),
        ("echo gone >/dev/null; head -c 3 /dev/zero | wc -c; head -c 1 /dev/urandom | wc -c", "3\n1\n"),
        ("echo x >/dev/shm/file && cat /dev/shm/file", "x\n"),
        ("cat /sys/class/net/lo/flags 2>/dev/null || awk '/lo:/{print \"lo\"}' /proc/net/dev", "lo\n"),
        ("stat -c %a /tmp /var/tmp /root", "1777\n1777\n700\n"),
        ("cat /proc/self/oom_score_adj", "500\n"),
        ("umask", "0022\n"),
        (
            "grep SigBlk /proc/self/status; (yes; echo $? >/tmp/code) | head -n 1; cat /tmp/code",
            "SigBlk:\t0000000000000000\ny\n141\n",
        ),
        ("ulimit -c", "0\n"),
        ("test -t 0 || cat", ""),
        ("getent passwd root | cut -d: -f6", "/root\n"),
        ("ls /proc/self/fd | wc -l", "4\n"),
        ("cut -d: -f3 /proc/1/cgroup | sort -u", "/\n"),
        ("cat /proc/self/cgroup /proc/1/cgroup /proc/self/mountinfo | grep -c infranoise", "0\n"),
    ];
    for (script, output) in expected {
        assert_eq!(say(&place, &sandbox, script).1, output, "{script}");
    }
}

#[test]
fn limits_are_shown_as_the_machines_size_if_asked() {
    let Some(place) = Place::new() else { return };
    let mut spec = place.spec();
    spec.allocation = allocation(Ceiling::At(Bytes(256 << 20)));
    spec.allocation.cpu = Band::try_new(MilliCpu(0), Ceiling::At(MilliCpu(500))).expect("a band");
    spec.visible = Visible::Limits;
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    let script = "grep MemTotal /proc/meminfo | tr -s ' '; getconf _NPROCESSORS_ONLN; grep -c ^processor /proc/cpuinfo";
    assert_eq!(say(&place, &sandbox, script).1, "MemTotal: 262144 kB\n1\n1\n");
    let host = place.sandbox();
    let cpus = std::thread::available_parallelism().expect("processors");
    let total = fs::read_to_string("/proc/meminfo").expect("meminfo");
    let total = total.lines().next().expect("a line").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(say(&place, &host, script).1, format!("{total}\n{cpus}\n{cpus}\n"));
}

#[test]
fn packages_could_be_installed() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    if one_id() {
        return println!(
            "SKIPPED: in a user namespace with one id no owner can be changed, and packages change owners"
        );
    }
    let script = "touch /usr/bin/new-tool && chown 33:33 /usr/bin/new-tool && chmod 4755 /usr/bin/new-tool
        rm /usr/bin/env && ! test -e /usr/bin/env && mkdir -p /var/lib/dpkg /opt/x && cd /usr/share && mv \"$(ls | head -n 1)\" moved
        su -s /bin/sh nobody -c 'id -u' 2>/dev/null || echo 65534";
    let (end, output) = say(&place, &sandbox, script);
    assert_eq!((end.record.stop, output.as_str()), (Stop::Exited { code: 0 }, "65534\n"));
    assert!(
        std::path::Path::new("/usr/bin/env").exists() && !std::path::Path::new("/usr/bin/new-tool").exists()
    );
}

#[test]
fn a_record_of_every_command_lies_on_the_host() {
    let Some(place) = Place::new() else { return };
    let spec = place.spec();
    let sandbox = place.engine.create(&spec).expect("the sandbox starts");
    say(&place, &sandbox, "exit 7");
    say(&place, &sandbox, "kill -9 $$");
    let records = fs::read_to_string(spec.scratch.join("records")).expect("the records");
    let (black_box, lines) = records.split_at(infranoise_supervisor::BLACK_BOX_BYTES);
    assert!(black_box.starts_with("{\"beats\":"), "{black_box}");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("{\"id\":0,\"code\":7,"), "{lines:?}");
    assert!(lines[1].starts_with("{\"id\":1,\"signal\":9,"), "{lines:?}");
}

#[test]
fn sandboxes_run_side_by_side() {
    let Some(place) = Place::new() else { return };
    std::thread::scope(|scope| {
        let place = &place;
        let work = |number: i32| {
            let sandbox = place.sandbox();
            for _ in 0..5 {
                let (end, output) = say(place, &sandbox, &format!("echo {number}; exit {number}"));
                assert_eq!((end.record.stop, output), (Stop::Exited { code: number }, format!("{number}\n")));
            }
            sandbox.finalize().expect("finalize");
        };
        let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || work(number))).collect();
        threads.into_iter().for_each(|thread| thread.join().expect("a thread"));
    });
}

/// A shell with its libraries, and links in places where the engine mounts something: they point at `outside` on the host.
fn small_root(at: &Path, outside: &Path) {
    let libraries = Command::new("ldd").arg("/bin/sh").output().expect("ldd");
    let libraries = String::from_utf8(libraries.stdout).expect("text");
    let words = libraries.split_whitespace().filter(|word| word.starts_with('/'));
    for file in words.chain(["/bin/sh"]) {
        let place = at.join(file.trim_start_matches('/'));
        fs::create_dir_all(place.parent().expect("a parent")).expect("a folder");
        fs::copy(file, place).expect("copy");
    }
    fs::create_dir_all(outside).expect("a folder");
    fs::create_dir_all(at.join(outside.strip_prefix("/").expect("absolute"))).expect("the same place inside");
    for link in ["proc", "dev", "logs"] {
        symlink(outside.join(link), at.join(link)).expect("link");
        fs::create_dir_all(at.join(outside.strip_prefix("/").expect("absolute")).join(link))
            .expect("a folder");
    }
}

#[test]
fn a_folder_or_a_tar_file_can_be_the_root_and_its_links_reach_nothing() {
    let Some(place) = Place::new() else { return };
    let (root, outside) = (place.path("root"), place.path("outside"));
    small_root(&root, &outside);
    let file = place.path("root.tar");
    let mut tar = tar::Builder::new(fs::File::create(&file).expect("create"));
    tar.follow_symlinks(false);
    tar.append_dir_all(".", &root).expect("append");
    tar.finish().expect("finish");
    let logs = place.path("logs");
    fs::create_dir(&logs).expect("a folder");
    for source in [RootSource::Folder(root.clone()), RootSource::Tar(file)] {
        let mut spec = place.spec();
        spec.root = source.clone();
        spec.overlays =
            vec![Overlay { from: logs.clone(), to: "/logs".into(), how: OverlayKind::BindWritable }];
        let sandbox = place.engine.create(&spec).expect("the sandbox starts");
        let script = "echo inside >/file; echo there >/logs/file; read -r pid rest </proc/self/stat && echo ran; echo *";
        let (end, output) = say(&place, &sandbox, script);
        assert_eq!(end.record.stop, Stop::Exited { code: 0 }, "{output}");
        assert!(output.starts_with("ran\n"), "{output}");
        assert!(!root.join("file").exists(), "the root itself is not written");
        assert_eq!(fs::read_to_string(logs.join("file")).expect("read"), "there\n");
        assert_eq!(fs::read_dir(&outside).expect("outside").count(), 0, "{source:?}");
    }
}
