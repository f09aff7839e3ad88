//! Datagrams with descriptors over a pair of sockets.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair, sockopt,
};

/// At most so many descriptors go with one message (the supervisor takes no more).
pub(crate) const MOST_DESCRIPTORS: usize = 32;

/// Room for one message: the kernel may grant less.
const BUFFER_BYTES: usize = 1 << 20;

/// Two connected ends that keep message borders and tell when the other end is gone.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    // A smaller buffer only means that longer commands are refused by name.
    for end in [&ours, &theirs] {
        let _ = sockopt::set_socket_send_buffer_size(end, BUFFER_BYTES);
    }
    Ok((ours, theirs))
}

/// Sends one datagram with descriptors.
pub(crate) fn send(socket: BorrowedFd<'_>, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let sent = sendmsg(socket, &[IoSlice::new(bytes)], &mut ancillary, SendFlags::NOSIGNAL)?;
    if sent == bytes.len() { Ok(()) } else { Err(io::Error::from(io::ErrorKind::WriteZero)) }
}

/// What came over a socket.
#[derive(Debug)]
pub(crate) enum Received {
    /// A datagram.
    Message {
        /// How many bytes of the buffer it takes.
        length: usize,
        /// The descriptors that came along.
        descriptors: Vec<OwnedFd>,
    },
    /// The other end is gone.
    Closed,
}

/// Receives one datagram into a buffer that can hold it.
pub(crate) fn receive(socket: impl AsFd, buffer: &mut [u8], flags: RecvFlags) -> io::Result<Received> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let flags = flags | RecvFlags::CMSG_CLOEXEC;
    let got = match recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut ancillary, flags) {
        Err(rustix::io::Errno::CONNRESET) => return Ok(Received::Closed),
        result => result?,
    };
    let mut descriptors = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    if got.flags.intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC) {
        return Err(io::Error::from(io::ErrorKind::InvalidData));
    }
    if got.bytes == 0 {
        return Ok(Received::Closed);
    }
    Ok(Received::Message { length: got.bytes, descriptors })
}
