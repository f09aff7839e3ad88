//! The socket at which a container's supervisor calls, once.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, accept_with, bind, listen, socket_with, sockopt,
};

/// How often it is asked whether waiting still makes sense.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// A socket in a folder that only one container sees.
pub(super) struct Door {
    listener: OwnedFd,
}

/// Who called.
pub(super) struct Caller {
    pub(super) control: OwnedFd,
    /// The caller's process id, on the host.
    pub(super) pid: i32,
}

impl Door {
    /// Listens at a name in a folder.
    pub(super) fn open(folder: &Path, name: &str) -> io::Result<Self> {
        let listener = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let held = open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        // Sockets have short names only; a descriptor's name is short however long the folder's is.
        let place = format!("/proc/self/fd/{}/{name}", held.as_raw_fd());
        bind(&listener, &SocketAddrUnix::new(place)?)?;
        listen(&listener, 1)?;
        Ok(Self { listener })
    }

    /// Waits for the first caller. `over` says why nobody will come any more.
    pub(super) fn answer(self, mut over: impl FnMut() -> Option<io::Error>) -> io::Result<Caller> {
        loop {
            let mut polled = [PollFd::new(&self.listener, PollFlags::IN)];
            match poll(&mut polled, Some(&LOOK)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {
                    if let Some(error) = over() {
                        return Err(error);
                    }
                }
                Ok(_) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let control = accept_with(&self.listener, SocketFlags::CLOEXEC)?;
        let peer = sockopt::socket_peercred(&control)?;
        let _ = sockopt::set_socket_send_buffer_size(&control, 1 << 20);
        Ok(Caller { control, pid: peer.pid.as_raw_nonzero().get() })
    }
}
