//! Killing, starving or outliving the supervisor; what becomes of set-user-id programs and of the host's own files.

use std::fs;

use infranoise_core::Stop;

use crate::leftovers::processes;
use crate::place::{Place, one_id, say};

/// Each is tried; afterwards a command must still be carried out as if nothing had been.
const ASSAULTS: [(&str, &str); 9] = [
    ("every signal", "for s in 1 2 3 6 9 11 13 15 17 18 19 20 31 34 64; do kill -$s 1 2>/dev/null; done"),
    ("every signal to all", "perl -e '$SIG{TERM} = q(IGNORE); kill($_, -1) for (1, 2, 13, 15)'"),
    ("its root and programs", "rm -rf /etc /root /home /opt /srv /mnt /var 2>/dev/null"),
    ("its memory files", "rm -rf /dev/* /dev/shm /sys /proc 2>/dev/null"),
    ("its terminal", "perl -e 'open(my $t, q(<), q(/dev/tty)); ioctl($t, 0x5412, q(x)) for 1..9'"),
    ("many orphans", "i=0; while [ $i -lt 300 ]; do (setsid true &) ; i=$((i+1)); done"),
    (
        "busy siblings",
        "i=0; while [ $i -lt 20 ]; do setsid perl -e '1 while 1' & i=$((i+1)); done; sleep 0.3; kill -9 -1",
    ),
    ("its descriptors", "ls /proc/1/fd /proc/1/map_files /proc/1/task/1/fd 2>/dev/null"),
    (
        "its last wish",
        "echo 1000 >/proc/1/oom_score_adj; echo 1 >/proc/1/clear_refs; echo 0 >/proc/1/coredump_filter",
    ),
];

#[test]
fn assaults_on_the_supervisor_change_nothing() {
    let Some(place) = Place::new() else { return };
    for (what, script) in ASSAULTS {
        let sandbox = place.sandbox();
        say(&place, &sandbox, script);
        let (end, output) = say(&place, &sandbox, "echo still here");
        assert_eq!((end.record.stop, output.as_str()), (Stop::Exited { code: 0 }, "still here\n"), "{what}");
        sandbox.finalize().expect(what);
    }
    assert!(fs::metadata("/etc/passwd").is_ok() && fs::metadata("/dev/null").is_ok(), "the host's are there");
}

#[test]
fn nothing_outlives_the_trial() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let script = "perl -e '$SIG{$_} = q(IGNORE) for keys %SIG; for (1..3) { if (!fork) { setpgrp; \
                  if (!fork) { exec q(setsid), q(nohup), q(sleep), q(98771) } exit } }' 2>/dev/null; sleep 0.2";
    say(&place, &sandbox, script);
    assert!(!processes("98771").is_empty(), "they live as long as the trial");
    sandbox.finalize().expect("finalize");
    assert_eq!(processes("98771"), [""; 0]);
}

#[test]
fn a_set_user_id_program_gives_nothing() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    if one_id() {
        return println!("SKIPPED: in this namespace there is no other user");
    }
    let (_, output) = say(
        &place,
        &sandbox,
        "cp /usr/bin/id /tmp/id; chmod 4755 /tmp/id; perl -e '$) = $( = 65534; $< = $> = 65534; exec q(/tmp/id), q(-u)'",
    );
    assert_eq!(output, "65534\n");
}

#[test]
fn programs_of_the_host_cannot_be_changed_through_the_layer() {
    let Some(place) = Place::new() else { return };
    let before = fs::read("/usr/bin/true").expect("read");
    let sandbox = place.sandbox();
    let (_, output) = say(
        &place,
        &sandbox,
        "exec 2>/dev/null; ln /usr/bin/true /root/linked && echo x >>/root/linked; echo x >>/usr/bin/true; chmod 4777 /usr/bin/true
         rm -f /usr/bin/true; ln -s /etc/shadow /usr/bin/true; echo done",
    );
    assert_eq!(output, "done\n");
    sandbox.finalize().expect("finalize");
    assert_eq!(fs::read("/usr/bin/true").expect("read"), before);
    assert!(!fs::symlink_metadata("/usr/bin/true").expect("metadata").is_symlink());
}
