//! Descriptors by number: what a process is born with and what it hands to the program that it becomes.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

/// Above every number that is handed over, so that none of them is overwritten on the way.
const OUT_OF_THE_WAY: RawFd = 64;

/// Closes every descriptor from this number on.
pub(crate) fn close_from(first: RawFd) -> io::Result<()> {
    close_range(first, 0)
}

fn close_range(first: RawFd, flags: libc::c_uint) -> io::Result<()> {
    // SAFETY: takes numbers only. Callers are a fresh launcher (which owns no descriptor yet) and a child about to exec.
    let result = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, flags) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Takes over standard input as a descriptor: the launcher's socket comes as descriptor 0.
pub(crate) fn standard_input() -> OwnedFd {
    // SAFETY: called once, at the very top of the launcher; nothing else in that process reads standard input.
    unsafe { OwnedFd::from_raw_fd(0) }
}

/// Gives the program that this process is about to become exactly these descriptors, numbered from 0. All others close on exec.
pub(crate) fn hand_over(descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let aside: Vec<OwnedFd> = descriptors
        .iter()
        .map(|fd| rustix::io::fcntl_dupfd_cloexec(fd, OUT_OF_THE_WAY))
        .collect::<Result<_, _>>()?;
    for (number, fd) in (0..).zip(&aside) {
        // SAFETY: dup2 on numbers. Whatever the low numbers stood for is not used again: the next step is exec or exit.
        if unsafe { libc::dup2(fd.as_raw_fd(), number) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    let first = RawFd::try_from(descriptors.len()).unwrap_or(RawFd::MAX);
    close_range(first, libc::CLOSE_RANGE_CLOEXEC)
}
