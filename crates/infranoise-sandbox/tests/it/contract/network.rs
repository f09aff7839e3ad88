//! What a sandbox reaches, and who reaches it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

use infranoise_core::Stop;

use super::Came;
use super::ground::{Ground, real};

pub(super) fn none_is_none(ground: &Ground) -> Came {
    real!(ground);
    let sandbox = ground.sandbox();
    let (_, printed) = ground
        .say(&sandbox, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; tail -n +2 /proc/net/route");
    assert_eq!(printed, "lo\n");
    Came::Holds
}

/// Gives back what each of so many callers sends, in capitals.
pub(super) fn serve(listener: TcpListener, callers: usize) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for caller in listener.incoming().take(callers) {
            let mut caller = caller.expect("a caller");
            let mut said = Vec::new();
            caller.read_to_end(&mut said).expect("what it says");
            said.make_ascii_uppercase();
            caller.write_all(&said).expect("an answer");
        }
    })
}

/// Sends a file to a port and prints what comes back. Bash alone opens connections without another program.
pub(super) fn call(address: &str, port: u16, file: &str) -> String {
    format!(
        "exec bash -c 'exec 3<>/dev/tcp/{address}/{port} && cat {file} >&3 && perl -e \"open(S,q(>&=3)); shutdown(S,1)\" && cat <&3'"
    )
}

pub(super) fn the_host_serves_a_listener_inside(ground: &Ground) -> Came {
    real!(ground);
    let (one, other) = (ground.sandbox(), ground.sandbox());
    let listener = one.listen(0).expect("a listener");
    let port = listener.local_addr().expect("an address").port();
    // The same port again, in another network; and in the same one, where it is taken.
    let others = other.listen(port).expect("a listener of its own");
    assert!(one.listen(port).is_err());
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "the host itself does not reach it");
    let (first, second) = (serve(listener, 2), serve(others, 1));
    ground.say(&one, "echo hello one >/root/said; yes 0123456789abcde | head -c 3000000 >/root/much");
    ground.say(&other, "echo hello other >/root/said");
    let (end, printed) = ground.say(&one, &call("127.0.0.1", port, "/root/said"));
    assert_eq!((end.record.stop, printed.as_str()), (Stop::Exited { code: 0 }, "HELLO ONE\n"));
    assert_eq!(ground.say(&other, &call("127.0.0.1", port, "/root/said")).1, "HELLO OTHER\n");
    let (_, printed) = ground.say(
        &one,
        &format!(
            "{} | md5sum; tr a-e A-E </root/much | md5sum",
            call("127.0.0.1", port, "/root/much").trim_start_matches("exec ")
        ),
    );
    let sums: Vec<&str> = printed.lines().collect();
    assert!(sums.len() == 2 && sums[0] == sums[1], "{printed}");
    first.join().expect("the first server ends");
    second.join().expect("the second server ends");
    Came::Holds
}

pub(super) fn host_is_the_hosts(ground: &Ground) -> Came {
    real!(ground);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener on the host");
    let port = listener.local_addr().expect("an address").port();
    let mut spec = ground.spec();
    spec.network = infranoise_sandbox::contract::Network::Host;
    let (on_host, alone) = (ground.create(&spec), ground.sandbox());
    let inside = on_host.listen(0).expect("a listener");
    let other = inside.local_addr().expect("an address").port();
    drop(
        TcpStream::connect(("127.0.0.1", other))
            .map(|stream| stream.shutdown(Shutdown::Both))
            .expect("one network"),
    );
    let server = serve(listener, 1);
    ground.say(&on_host, "echo hello >/root/said");
    assert_eq!(ground.say(&on_host, &call("127.0.0.1", port, "/root/said")).1, "HELLO\n");
    let (end, printed) = ground.say(&alone, &call("127.0.0.1", port, "/dev/null"));
    assert!(!end.record.stop.succeeded() && printed.contains("refused"), "{printed}");
    server.join().expect("the server ends");
    Came::Holds
}
