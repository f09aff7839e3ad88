//! A sandbox with a way out: a link of its own to the host, which lets through what is allowed and nothing else.
//!
//! One pair of linked interfaces for each sandbox (no switch: sandboxes do not see each other), one table of rules, both named after it. The pair goes
//! with the sandbox's network; the table is removed with the sandbox, or by `gc`. Closed, whatever network is allowed: the host itself, and the link-local
//! addresses (169.254.0.0/16) behind which clouds keep their metadata; an entry that names the one address opens it. IPv4 alone.

mod allow;
mod netlink;

use std::fs;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Command, Stdio};
use std::thread;

use infranoise_core::{SandboxId, SweepId};
use rustix::net::netdevice::name_to_index;
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::thread::{ThreadNameSpaceType, move_into_thread_name_spaces};

use crate::host::fnv;
use netlink::Netlink;

pub use allow::{Allowed, BadAllowed};

/// Inside, the interface has this name.
const INSIDE: &str = "eth0";
/// Links take their addresses from this network, four each.
const NETWORK: u32 = u32::from_be_bytes([10, 213, 0, 0]);
const LINKS: u32 = 1 << 14;
const PREFIX: u8 = 30;

/// The names of a sandbox's link and of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Names {
    link: String,
    table: String,
    label: String,
}

impl Names {
    fn of(sweep: &SweepId, sandbox: &SandboxId) -> Self {
        let label = format!("infranoise:{sweep}/{sandbox}");
        let hash = fnv::hash("link", &label);
        // An interface's name has 15 letters at most.
        Self { link: format!("inz{}", &hash[..12]), table: format!("infranoise-{hash}"), label }
    }
}

/// Whether this host can do it; what to do if not.
pub(crate) fn missing() -> Option<String> {
    if crate::rootless::in_user_namespace() {
        return Some("an ordinary user cannot link networks: become root".to_owned());
    }
    if Command::new(nft()).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return Some("the program `nft` is not here: install nftables".to_owned());
    }
    let forwards = fs::read_to_string("/proc/sys/net/ipv4/ip_forward").unwrap_or_default();
    (forwards.trim() != "1")
        .then(|| "the host does not forward packets: `sysctl -w net.ipv4.ip_forward=1`".to_owned())
}

/// Links the network of a process, known by its pidfd, to the host, and closes what is not allowed. The rules are there before the link is up.
pub(crate) fn connect(
    sweep: &SweepId,
    sandbox: &SandboxId,
    process: BorrowedFd<'_>,
    pid: i32,
    allowed: &[Allowed],
) -> io::Result<()> {
    if let Some(why) = missing() {
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let names = Names::of(sweep, sandbox);
    link(&names, process, pid, allowed).inspect_err(|_| drop(remove_table(&names)))
}

/// Takes the rules away; the link goes with the sandbox's network.
pub(crate) fn disconnect(sweep: &SweepId, sandbox: &SandboxId) -> io::Result<()> {
    remove_table(&Names::of(sweep, sandbox))
}

fn link(names: &Names, process: BorrowedFd<'_>, pid: i32, allowed: &[Allowed]) -> io::Result<()> {
    let host = Netlink::open()?;
    let network = fs::File::open(format!("/proc/{pid}/ns/net"))?;
    host.add_pair(&names.link, &names.label, INSIDE, network.as_fd())?;
    let index = index_of(&names.link)?;
    let base = NETWORK + index % LINKS * 4;
    let (ours, theirs) = (Ipv4Addr::from(base + 1), Ipv4Addr::from(base + 2));
    run_nft(&rules(names, theirs, allowed))?;
    // The rules are about IPv4: without this the host's own services could be reached by IPv6.
    match fs::write(format!("/proc/sys/net/ipv6/conf/{}/disable_ipv6", names.link), "1") {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    host.address_and_up(index, ours, PREFIX)?;
    let inside = || -> io::Result<()> {
        move_into_thread_name_spaces(process, ThreadNameSpaceType::NETWORK)?;
        let inside = Netlink::open()?;
        inside.address_and_up(index_of(INSIDE)?, theirs, PREFIX)?;
        inside.default_route(ours)
    };
    thread::scope(|scope| {
        let joined = thread::Builder::new().spawn_scoped(scope, inside)?.join();
        joined.unwrap_or_else(|_| Err(io::Error::other("the thread panicked")))
    })
}

/// The number of an interface in the network that the calling thread is in.
fn index_of(name: &str) -> io::Result<u32> {
    Ok(name_to_index(socket(AddressFamily::INET, SocketType::DGRAM, None)?, name)?)
}

/// The table of one sandbox.
fn rules(Names { link, table, label }: &Names, theirs: Ipv4Addr, allowed: &[Allowed]) -> String {
    let accept = |one_address: bool| -> String {
        let some = allowed.iter().filter(|allowed| allowed.is_one_address() == one_address);
        some.map(|allowed| format!("    {} accept\n", allowed.matches())).collect()
    };
    format!(
        "table ip {table} {{
  comment \"{label}\"
  chain out {{
    ct state established,related accept
{}    ip daddr 169.254.0.0/16 reject with icmp type admin-prohibited
{}    reject with icmp type admin-prohibited
  }}
  chain to_host {{
{}    reject with icmp type admin-prohibited
  }}
  chain through {{
    type filter hook forward priority -10; policy accept;
    iifname \"{link}\" jump out
    oifname \"{link}\" ct state established,related accept
    oifname \"{link}\" drop
  }}
  chain host {{
    type filter hook input priority -10; policy accept;
    iifname \"{link}\" jump to_host
  }}
  chain leave {{
    type nat hook postrouting priority 100; policy accept;
    ip saddr {theirs} masquerade
  }}
}}
",
        accept(true),
        accept(false),
        accept(true)
    )
}

fn remove_table(names: &Names) -> io::Result<()> {
    // Declared first, so that one which is not there is no error.
    run_nft(&format!("table ip {0}\ndelete table ip {0}\n", names.table))
}

/// Where the program is, for a process whose path has no folders for administrators.
fn nft() -> &'static str {
    ["/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft"]
        .into_iter()
        .find(|path| fs::metadata(path).is_ok())
        .unwrap_or("nft")
}

fn run_nft(rules: &str) -> io::Result<()> {
    let mut nft = Command::new(nft())
        .args(["-f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = nft.stdin.take() {
        input.write_all(rules.as_bytes())?;
    }
    let done = nft.wait_with_output()?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(io::Error::other(format!("nft: {}", said.lines().next().unwrap_or("no reason given"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_opens_what_a_network_does_not() {
        let names = Names {
            link: "inz0".to_owned(),
            table: "infranoise-0".to_owned(),
            label: "infranoise:s/b".to_owned(),
        };
        let allowed = ["0.0.0.0/0:443", "169.254.169.254:80"].map(|text| text.parse().expect("an entry"));
        let rules = rules(&names, Ipv4Addr::new(10, 213, 0, 2), &allowed);
        let place = |part: &str| rules.find(part).unwrap_or_else(|| panic!("{part} is not in {rules}"));
        let order = [
            "ip daddr 169.254.169.254/32 meta l4proto { tcp, udp } th dport 80-80 accept",
            "ip daddr 169.254.0.0/16 reject",
            "ip daddr 0.0.0.0/0 meta l4proto { tcp, udp } th dport 443-443 accept",
        ];
        assert!(order.map(place).is_sorted(), "{rules}");
        assert!(
            Names::of(&SweepId::try_new("s").expect("s"), &SandboxId::try_new("b").expect("b")).link.len()
                <= 15
        );
    }
}
