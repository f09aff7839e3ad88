//! The few requests to the kernel's network set-up that a link into a sandbox takes, each answered before the next.
//!
//! Numbers are those of `linux/if_link.h`, `linux/rtnetlink.h` and `linux/veth.h`, in the machine's own byte order.

use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, bind, recv, send, socket_with,
};

const NEW_LINK: u16 = 16;
const NEW_ADDRESS: u16 = 20;
const NEW_ROUTE: u16 = 24;
const REQUEST_AND_ACK: u16 = 1 | 4;
const CREATE_NEW: u16 = 0x400 | 0x200;
const ERROR: u16 = 2;
const UP: u32 = 1;

const NAME: u16 = 3;
const ALIAS: u16 = 20;
const LINK_INFO: u16 = 18;
const NAMESPACE_FD: u16 = 28;
const INFO_KIND: u16 = 1;
const INFO_DATA: u16 = 2;
const VETH_PEER: u16 = 1;

/// A socket to the set-up of the network (protocol 0 of netlink) that the calling thread is in.
pub(super) struct Netlink(OwnedFd);

impl Netlink {
    pub(super) fn open() -> io::Result<Self> {
        let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
        bind(&socket, &SocketAddrNetlink::new(0, 0))?;
        Ok(Self(socket))
    }

    /// Makes two linked interfaces: one here, by a name and a longer name, and one in another network.
    pub(super) fn add_pair(
        &self,
        here: &str,
        alias: &str,
        there: &str,
        network: BorrowedFd<'_>,
    ) -> io::Result<()> {
        let mut peer = link_header(0, 0, 0);
        text(&mut peer, NAME, there);
        attribute(&mut peer, NAMESPACE_FD, &network.as_raw_fd().to_ne_bytes());
        let mut data = Vec::new();
        attribute(&mut data, VETH_PEER, &peer);
        let mut info = Vec::new();
        text(&mut info, INFO_KIND, "veth");
        attribute(&mut info, INFO_DATA, &data);
        let mut body = link_header(0, 0, 0);
        text(&mut body, NAME, here);
        text(&mut body, ALIAS, alias);
        attribute(&mut body, LINK_INFO, &info);
        self.ask(NEW_LINK, CREATE_NEW, &body)
    }

    /// Gives an interface an address and switches it on.
    pub(super) fn address_and_up(&self, index: u32, address: Ipv4Addr, prefix: u8) -> io::Result<()> {
        let mut body = vec![2, prefix, 0, 0];
        body.extend_from_slice(&index.to_ne_bytes());
        // The local address, and the same as that of the interface.
        for kind in [2, 1] {
            attribute(&mut body, kind, &address.octets());
        }
        self.ask(NEW_ADDRESS, CREATE_NEW, &body)?;
        self.ask(NEW_LINK, 0, &link_header(index, UP, UP))
    }

    /// Sends everything else this way.
    pub(super) fn default_route(&self, through: Ipv4Addr) -> io::Result<()> {
        // IPv4, main table, made by an administrator, everywhere, unicast.
        let mut body = vec![2, 0, 0, 0, 254, 4, 0, 1, 0, 0, 0, 0];
        attribute(&mut body, 5, &through.octets());
        self.ask(NEW_ROUTE, CREATE_NEW, &body)
    }

    fn ask(&self, kind: u16, flags: u16, body: &[u8]) -> io::Result<()> {
        let length = u32::try_from(16 + body.len()).map_err(io::Error::other)?;
        let mut message = length.to_ne_bytes().to_vec();
        message.extend_from_slice(&kind.to_ne_bytes());
        message.extend_from_slice(&(REQUEST_AND_ACK | flags).to_ne_bytes());
        message.extend_from_slice(&[0; 8]);
        message.extend_from_slice(body);
        send(&self.0, &message, SendFlags::empty())?;
        let mut answer = [0_u8; 4096];
        let (got, _) = recv(&self.0, &mut answer[..], RecvFlags::empty())?;
        let number = |at: usize| {
            answer
                .get(at..at + 4)
                .filter(|_| at + 4 <= got)
                .and_then(|four| four.try_into().ok())
                .map(i32::from_ne_bytes)
        };
        let is_error = u16::from_ne_bytes([answer[4], answer[5]]) == ERROR;
        match number(16) {
            Some(0) if is_error => Ok(()),
            Some(errno) if is_error => Err(io::Error::from_raw_os_error(-errno)),
            _ => Err(io::Error::other("an unexpected answer from the network's set-up")),
        }
    }
}

/// `struct ifinfomsg`.
fn link_header(index: u32, flags: u32, change: u32) -> Vec<u8> {
    let mut header = vec![0; 4];
    for number in [index, flags, change] {
        header.extend_from_slice(&number.to_ne_bytes());
    }
    header
}

fn text(into: &mut Vec<u8>, kind: u16, text: &str) {
    attribute(into, kind, &[text.as_bytes(), &[0]].concat());
}

/// Length, kind, content, and what fills up to four bytes.
fn attribute(into: &mut Vec<u8>, kind: u16, content: &[u8]) {
    let length = u16::try_from(4 + content.len()).unwrap_or(u16::MAX);
    into.extend_from_slice(&length.to_ne_bytes());
    into.extend_from_slice(&kind.to_ne_bytes());
    into.extend_from_slice(content);
    into.resize(into.len().next_multiple_of(4), 0);
}
