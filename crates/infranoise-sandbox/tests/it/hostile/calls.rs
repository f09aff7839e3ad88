//! Attempts by bare system call, for which no program of a usual root has a word: numbers of x86-64, spoken by Perl.

use crate::place::{Place, say};

/// What refuses, as the kernel numbers it.
const EPERM: i32 = 1;
const ECONNREFUSED: i32 = 111;
const EAFNOSUPPORT: i32 = 97;

/// What is tried, the arguments of Perl's `syscall`, and the error that must come back.
const CALLS: [(&str, &str, i32); 38] = [
    ("vsock", "41, 40, 1, 0", EAFNOSUPPORT),
    ("a pair of vsock", "53, 40, 1, 0, $space", EAFNOSUPPORT),
    ("the kernel's ciphers", "41, 38, 5, 0", EAFNOSUPPORT),
    ("packets", "41, 17, 3, 768", EAFNOSUPPORT),
    ("bluetooth", "41, 31, 3, 0", EAFNOSUPPORT),
    ("add a key", "248, $user, $user, $user, 1, -3", EPERM),
    ("ask for a key", "249, $user, $user, 0, 0", EPERM),
    ("keyctl", "250, 0, -3, 1", EPERM),
    ("io_uring", "425, 8, $space", EPERM),
    ("enter io_uring", "426, 0, 0, 0, 0, 0", EPERM),
    ("register io_uring", "427, 0, 0, 0, 0", EPERM),
    ("bpf", "321, 0, $space, 64", EPERM),
    ("performance counters", "298, $space, 0, -1, -1, 0", EPERM),
    ("faults of others", "323, 0", EPERM),
    ("files by handle", "304, 3, $space, 0", EPERM),
    ("another kernel", "246, 0, 0, 0, 0", EPERM),
    ("a module", "175, $space, 1, $user", EPERM),
    ("reboot", "169, 0xfee1dead, 672274793, 0, 0", EPERM),
    ("swap", "167, $user, 0", EPERM),
    ("the kernel's log", "103, 3, $space, 64", EPERM),
    ("the clock", "227, 0, $space", EPERM),
    ("a new mount", "430, $user, 0", EPERM),
    ("a moved mount", "429, -100, $user, -100, $user, 0", EPERM),
    ("a changed mount", "442, -100, $user, 0, $space, 32", EPERM),
    ("a cloned mount", "428, -100, $user, 1", EPERM),
    ("users", "272, 0x10000000", EPERM),
    ("a child with its own users", "56, 0x10000011, 0, 0, 0, 0", EPERM),
    ("mounts", "272, 0x20000", EPERM),
    ("processes", "272, 0x20000000", EPERM),
    ("a network", "272, 0x40000000", EPERM),
    ("trace pid 1", "101, 16, 1, 0, 0", EPERM),
    ("seize pid 1", "101, 0x4206, 1, 0, 0", EPERM),
    ("limits of pid 1", "302, 1, 7, $space, 0", EPERM),
    ("processors of pid 1", "203, 1, 8, $space", EPERM),
    ("scheduling of pid 1", "144, 1, 5, $space", EPERM),
    ("priority of pid 1", "141, 0, 1, 19", EPERM),
    ("priority of everybody", "141, 2, 0, 19", EPERM),
    ("disk priority of pid 1", "251, 1, 1, 0x6007", EPERM),
];

#[test]
fn bare_calls_are_refused() {
    if !cfg!(target_arch = "x86_64") {
        return println!("SKIPPED: the numbers are those of x86-64");
    }
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let tries: String = CALLS
        .iter()
        .map(|(_, arguments, _)| {
            format!("$! = 0; $got = syscall({arguments}); print $got == -1 ? $! + 0 : 'allowed', qq(\\n);\n")
        })
        .collect();
    let script = format!(
        "perl -e 'my $space = qq(\\0) x 256; my $user = qq(user\\0); my $got;\n{}'",
        tries.replace('\'', "\"")
    );
    let (_, output) = say(&place, &sandbox, &script);
    let got: Vec<&str> = output.lines().collect();
    assert_eq!(got.len(), CALLS.len(), "{output}");
    for ((what, _, errno), got) in CALLS.iter().zip(got) {
        assert_eq!(got, errno.to_string(), "{what}");
    }
    let (_, output) = say(&place, &sandbox, "echo the supervisor lives");
    assert_eq!(output, "the supervisor lives\n");
    sandbox.finalize().expect("finalize");
}

/// Every limit, one after the other: what is closed for pid 1 stays open for a command's own.
#[test]
fn a_command_may_limit_itself_and_not_the_supervisor() {
    let Some(place) = Place::new() else { return };
    let sandbox = place.sandbox();
    let (_, output) = say(
        &place,
        &sandbox,
        "ulimit -n 100; ulimit -n; nice -n 5 true && echo nice; perl -e 'my $none = qq(\\0) x 16; for my $i (0..15) { syscall(302, 1, $i, $none, 0) }'
         taskset -p $$ >/dev/null 2>&1; echo done",
    );
    assert_eq!(output, "100\nnice\ndone\n");
    for _ in 0..3 {
        let (_, output) = say(&place, &sandbox, "echo fine");
        assert_eq!(output, "fine\n");
    }
    sandbox.finalize().expect("finalize");
}

#[test]
fn sockets_of_the_host_are_not_reached() {
    use std::os::linux::net::SocketAddrExt;
    let Some(place) = Place::new() else { return };
    let name = format!("infranoise-test-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).expect("a name");
    let _abstract = std::os::unix::net::UnixListener::bind_addr(&address).expect("a socket");
    let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = tcp.local_addr().expect("an address").port();
    let sandbox = place.sandbox();
    let script = format!(
        "perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die; my $a = pack(q(Sa*), 1, qq(\\0{name}));
           print connect($s, $a) ? q(reached) : $! + 0, qq(\\n);
           socket(my $t, PF_INET, SOCK_STREAM, 0) or die;
           print connect($t, sockaddr_in({port}, inet_aton(q(127.0.0.1)))) ? q(reached) : $! + 0, qq(\\n);'"
    );
    let (_, output) = say(&place, &sandbox, &script);
    assert_eq!(output, format!("{ECONNREFUSED}\n{ECONNREFUSED}\n"));
}
