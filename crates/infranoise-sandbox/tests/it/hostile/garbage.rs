//! Garbage in the files that are read back: each is refused by kind, size or place, and none hangs or fills anything.

use std::path::Path;

use crate::place::{Place, say};

/// What reading says: the content, or a part of the error.
type Says = Result<Option<&'static [u8]>, &'static str>;

/// What makes `/out/reward`, and what reading it says.
const REWARDS: [(&str, Says); 14] = [
    ("true", Ok(None)),
    ("printf 1 >reward", Ok(Some(b"1"))),
    ("printf '\\377\\376\\0' >reward", Ok(Some(b"\xff\xfe\0"))),
    ("printf '%65536s' x >reward", Err("larger")),
    ("truncate -s 8T reward", Err("larger")),
    ("mkdir reward", Err("not a regular file")),
    ("mkfifo reward", Err("not a regular file")),
    (
        "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un(q(reward)))'",
        Err("not a regular file"),
    ),
    ("ln -s reward reward", Err("loop of links")),
    ("ln -s /dev/zero reward", Err("not a regular file")),
    ("ln -s /proc/self/mem reward", Err("")),
    ("ln -s /proc/kmsg reward", Err("")),
    ("ln -s /sys/devices/system/cpu/online reward", Err("kernel's own")),
    ("ln -s /nowhere/at/all reward", Ok(None)),
];

#[test]
fn whatever_lies_in_a_rewards_place_is_read_or_refused() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    for (plant, expected) in REWARDS {
        say(&place, &sandbox, &format!("rm -rf /out; mkdir /out; cd /out; {plant}"));
        let read = sandbox.read_small(Path::new("/out/reward"), 60_000);
        match (&read, expected) {
            (Ok(got), Ok(wanted)) => assert_eq!(got.as_deref(), wanted, "{plant}"),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{plant}: {error}"),
            (Ok(None), Err("")) => {}
            _ => panic!("{plant}: {read:?}, expected {expected:?}"),
        }
    }
    sandbox.finalize().expect("finalize");
}

/// Files change while they are read: somebody swaps them between a file, a link and a folder as fast as it goes.
#[test]
fn what_is_swapped_while_it_is_read_leads_nowhere() {
    let Some(place) = Place::new() else { return };
    let secret = place.path("secret");
    std::fs::write(&secret, "secret of the host").expect("write");
    let sandbox = place.sandbox();
    let swap = format!(
        "mkdir /out; cd /out; setsid perl -e 'while (1) {{ symlink(q({0}), q(t)); rename(q(t), q(reward)); \
         open(my $f, q(>), q(t)); print $f q(own); close $f; rename(q(t), q(reward)); \
         mkdir q(d); rename(q(d), q(x)); symlink(q(/), q(d)); unlink q(d); rmdir q(x) }}' >/dev/null 2>&1 & sleep 0.2",
        secret.display()
    );
    say(&place, &sandbox, &swap);
    for number in 0..300 {
        if let Ok(Some(read)) = sandbox.read_small(Path::new("/out/reward"), 1000) {
            assert!(read.is_empty() || read == b"own", "{}", String::from_utf8_lossy(&read));
        }
        // Whether it can be had at this moment is a matter of luck; what is had must not be the host's.
        let to = place.path(&format!("got-{number}"));
        let _ = sandbox.get(Path::new("/out"), &to);
        let read = std::fs::read_to_string(to.join("reward")).unwrap_or_default();
        assert!(read.is_empty() || read == "own", "{read}");
    }
    sandbox.finalize().expect("finalize");
}
