//! The way out of a bridged sandbox, to servers in another network of this machine.

use std::net::TcpListener;
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::thread;

use infranoise_sandbox::contract::Network;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::thread::{ThreadNameSpaceType, move_into_thread_name_spaces};

use super::ground::{Ground, real};
use super::network::{call, serve};
use super::{Came, cannot_run};

const SERVER: &str = "10.214.77.2";
const METADATA: &str = "169.254.169.254";

/// Another network, linked to the host; it goes with its process.
struct Elsewhere(Child);

impl Elsewhere {
    fn make() -> Option<Self> {
        let sleep = ["-n", "sleep", "300"];
        let process = Command::new("unshare").args(sleep).stdout(Stdio::null()).spawn().ok()?;
        let this = Self(process);
        let pid = this.0.id();
        let link = format!("it{pid}");
        let script = format!(
            "PATH=$PATH:/usr/sbin:/sbin
            until [ \"$(readlink /proc/{pid}/ns/net)\" != \"$(readlink /proc/self/ns/net)\" ]; do sleep 0.05; done
            ip link add {link} type veth peer name eth0 netns {pid} &&
            ip addr add 10.214.77.1/24 dev {link} && ip link set {link} up &&
            ip route add {METADATA}/32 via {SERVER} dev {link} onlink &&
            nsenter -t {pid} -n sh -c 'ip link set lo up; ip addr add {SERVER}/24 dev eth0; ip addr add {METADATA}/32 dev lo; ip link set eth0 up; ip route add default via 10.214.77.1'"
        );
        let made = Command::new("sh").args(["-c", &script]).stderr(Stdio::null()).status().ok()?;
        made.success().then_some(this)
    }

    /// A listener at an address in there.
    fn listen(&self, address: &str) -> TcpListener {
        let pid = Pid::from_raw(i32::try_from(self.0.id()).expect("a pid")).expect("a pid");
        let process = pidfd_open(pid, PidfdFlags::empty()).expect("a pidfd");
        let bind = || {
            move_into_thread_name_spaces(process.as_fd(), ThreadNameSpaceType::NETWORK).expect("enter");
            TcpListener::bind((address, 0)).expect("bind")
        };
        thread::scope(|scope| scope.spawn(bind).join().expect("a thread"))
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().expect("an address").port()
}

pub(super) fn reaches_what_is_allowed(ground: &Ground) -> Came {
    real!(ground);
    if let Some(why) = ground.engine.lacks_network(&Network::Bridge(Vec::new())) {
        return cannot_run(why);
    }
    let Some(elsewhere) = Elsewhere::make() else {
        return cannot_run("no second network can be made with `ip`");
    };
    let (open, closed, metadata) =
        (elsewhere.listen(SERVER), elsewhere.listen(SERVER), elsewhere.listen(METADATA));
    let (to_open, to_closed, to_metadata) = (port(&open), port(&closed), port(&metadata));
    let on_host = TcpListener::bind("10.214.77.1:0").expect("a listener on the host");
    let to_host = port(&on_host);
    let sandbox = |allowed: &[String]| {
        let mut spec = ground.spec();
        spec.network = Network::Bridge(allowed.iter().map(|text| text.parse().expect("an entry")).collect());
        let sandbox = ground.create(&spec);
        ground.say(&sandbox, "echo hello >/root/said");
        (spec, sandbox)
    };
    let server = serve(open, 2);
    let (spec, narrow) = sandbox(&[format!("10.214.77.0/24:{to_open}")]);
    assert_eq!(ground.say(&narrow, &call(SERVER, to_open, "/root/said")).1, "HELLO\n");
    assert!(!ground.say(&narrow, &call(SERVER, to_closed, "/root/said")).0.record.stop.succeeded());
    let (_, wide) = sandbox(&["0.0.0.0/0".to_owned()]);
    assert_eq!(ground.say(&wide, &call(SERVER, to_open, "/root/said")).1, "HELLO\n");
    for (address, port) in [("10.214.77.1", to_host), (METADATA, to_metadata)] {
        let (end, printed) = ground.say(&wide, &call(address, port, "/root/said"));
        assert!(!end.record.stop.succeeded(), "{address}: {printed}");
    }
    let (_, named) = sandbox(&[METADATA.to_owned()]);
    let server_of_metadata = serve(metadata, 1);
    assert_eq!(ground.say(&named, &call(METADATA, to_metadata, "/root/said")).1, "HELLO\n");
    server.join().expect("the server ends");
    server_of_metadata.join().expect("the server of metadata ends");
    let evidence = narrow.finalize().expect("finalize");
    assert!(evidence.telemetry.network_sent_bytes.value().is_some_and(|bytes| *bytes > 0));
    ground.engine.settle();
    let rules = Command::new("/usr/sbin/nft").args(["list", "ruleset"]).output().expect("nft").stdout;
    let label = format!("infranoise:{}/{}", spec.sweep, spec.id);
    assert!(!String::from_utf8_lossy(&rules).contains(&label), "the rules are gone");
    Came::Holds
}
