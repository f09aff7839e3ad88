//! The system calls that std does not offer, each behind a safe function. The only `unsafe` of this crate.

#![expect(unsafe_code, reason = "std has no signalfd, waitpid(-1), recvmsg with descriptors or prctl")]

use std::ffi::{c_int, c_long, c_ulong, c_void};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

const SIGCHLD: c_int = 17;
const SIG_BLOCK: c_int = 0;
const SIG_SETMASK: c_int = 2;
/// The default of every signal.
const SIG_DFL: usize = 0;
/// The last signal that is not of the real-time kind, which C libraries keep for themselves.
const LAST_SIGNAL: c_int = 31;
const SFD_CLOEXEC: c_int = 0o2_000_000;
const SFD_NONBLOCK: c_int = 0o4_000;
const WNOHANG: c_int = 1;
const PR_SET_DUMPABLE: c_int = 4;
const F_SETFD: c_int = 2;
const FD_CLOEXEC: c_int = 1;
const POLLIN: i16 = 1;
const SOL_SOCKET: c_int = 1;
const SCM_RIGHTS: c_int = 1;
const MSG_PEEK: c_int = 0x2;
const MSG_TRUNC: c_int = 0x20;
const MSG_CTRUNC: c_int = 0x8;
const MSG_NOSIGNAL: c_int = 0x4000;
const MSG_CMSG_CLOEXEC: c_int = 0x4000_0000;
const AF_UNIX: u16 = 1;
const SOCK_SEQPACKET: c_int = 5;
const SOCK_CLOEXEC: c_int = 0o2_000_000;
/// The longest path of a socket, with the zero at its end.
const SOCKET_PATH_BYTES: usize = 108;

/// At most so many descriptors come with one message.
const MOST_DESCRIPTORS: usize = 32;
const CONTROL_WORDS: usize = 2 + MOST_DESCRIPTORS / 2;

#[repr(C)]
struct PollFd {
    fd: c_int,
    events: i16,
    revents: i16,
}

#[repr(C)]
struct IoVec {
    base: *mut c_void,
    length: usize,
}

#[repr(C)]
struct MsgHdr {
    name: *mut c_void,
    name_length: u32,
    iov: *mut IoVec,
    iov_length: usize,
    control: *mut c_void,
    control_length: usize,
    flags: c_int,
}

#[repr(C)]
struct SocketAddress {
    family: u16,
    path: [u8; SOCKET_PATH_BYTES],
}

#[repr(C, align(8))]
struct SigSet([u8; 128]);

unsafe extern "C" {
    fn sigemptyset(set: *mut SigSet) -> c_int;
    fn sigaddset(set: *mut SigSet, signal: c_int) -> c_int;
    fn sigprocmask(how: c_int, set: *const SigSet, old: *mut SigSet) -> c_int;
    fn signalfd(fd: c_int, set: *const SigSet, flags: c_int) -> c_int;
    fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn prctl(option: c_int, a: c_ulong, b: c_ulong, c: c_ulong, d: c_ulong) -> c_int;
    fn fcntl(fd: c_int, command: c_int, argument: c_int) -> c_int;
    fn poll(fds: *mut PollFd, count: c_ulong, timeout_ms: c_int) -> c_int;
    fn recv(fd: c_int, buffer: *mut c_void, length: usize, flags: c_int) -> isize;
    fn recvmsg(fd: c_int, message: *mut MsgHdr, flags: c_int) -> isize;
    fn send(fd: c_int, buffer: *const c_void, length: usize, flags: c_int) -> isize;
    fn setsid() -> c_int;
    fn socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int;
    fn connect(fd: c_int, address: *const SocketAddress, length: u32) -> c_int;
    fn signal(signal: c_int, handler: usize) -> usize;
}

fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Takes over a descriptor that this process was born with, and keeps its children from inheriting it.
pub(crate) fn adopt(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: plain system call on a number; a closed descriptor gives EBADF, which ends the start.
    check(unsafe { fcntl(fd, F_SETFD, FD_CLOEXEC) }.into())?;
    // SAFETY: the descriptor is open (fcntl succeeded), and main calls this once for each number.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Calls the engine at a socket of the file system.
pub(crate) fn call(path: &[u8]) -> io::Result<OwnedFd> {
    let mut address = SocketAddress { family: AF_UNIX, path: [0; SOCKET_PATH_BYTES] };
    // The last byte stays zero.
    if path.len() >= SOCKET_PATH_BYTES {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    address.path[..path.len()].copy_from_slice(path);
    // SAFETY: plain system call on numbers; the new descriptor is owned here alone.
    let socket = unsafe {
        let fd = check(socket(AF_UNIX.into(), SOCK_SEQPACKET | SOCK_CLOEXEC, 0).into())?;
        OwnedFd::from_raw_fd(c_int::try_from(fd).unwrap_or(-1))
    };
    let length = u32::try_from(size_of::<SocketAddress>()).unwrap_or(u32::MAX);
    // SAFETY: the address outlives the call and its length is given.
    check(unsafe { connect(socket.as_raw_fd(), &raw const address, length) }.into())?;
    Ok(socket)
}

/// Nobody inside may look into this process's memory or descriptors, not even root (without CAP_SYS_PTRACE).
pub(crate) fn hide_from_tracers() -> io::Result<()> {
    // SAFETY: this prctl takes numbers only.
    check(unsafe { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) }.into()).map(drop)
}

/// Blocks SIGCHLD and gives a descriptor that is readable when a child has died. As pid 1 this process gets no signal from inside
/// that it neither handles nor blocks, so nothing else needs to be blocked.
pub(crate) fn child_signals() -> io::Result<OwnedFd> {
    let mut set = SigSet([0; 128]);
    // SAFETY: the set is large enough for any libc's sigset_t and lives across the calls; the new descriptor is owned here alone.
    unsafe {
        check(sigemptyset(&raw mut set).into())?;
        check(sigaddset(&raw mut set, SIGCHLD).into())?;
        check(sigprocmask(SIG_BLOCK, &raw const set, std::ptr::null_mut()).into())?;
        let fd = check(signalfd(-1, &raw const set, SFD_CLOEXEC | SFD_NONBLOCK).into())?;
        Ok(OwnedFd::from_raw_fd(c_int::try_from(fd).unwrap_or(-1)))
    }
}

/// One dead child, if there is one: its process id and its raw wait status.
pub(crate) fn reap() -> Option<(u32, i32)> {
    let mut status: c_int = 0;
    // SAFETY: `status` outlives the call.
    let pid = unsafe { waitpid(-1, &raw mut status, WNOHANG) };
    u32::try_from(pid).ok().filter(|pid| *pid > 0).map(|pid| (pid, status))
}

/// Waits until one of the two descriptors is readable or the time is over.
pub(crate) fn wait_readable(fds: [BorrowedFd<'_>; 2], timeout_ms: i32) -> [bool; 2] {
    let mut polled = fds.map(|fd| PollFd { fd: fd.as_raw_fd(), events: POLLIN, revents: 0 });
    // SAFETY: the array outlives the call and its length is given. An interrupted call leaves `revents` at zero.
    unsafe { poll(polled.as_mut_ptr(), 2, timeout_ms) };
    polled.map(|fd| fd.revents != 0)
}

/// Sends one datagram.
pub(crate) fn send_message(socket: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: pointer and length describe `bytes`, which outlives the call.
    let sent = unsafe { send(socket.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), MSG_NOSIGNAL) };
    check(sent as c_long).map(drop)
}

/// Receives one datagram with the descriptors that came along; `None` when the other end is gone.
pub(crate) fn receive(socket: BorrowedFd<'_>) -> io::Result<Option<(Vec<u8>, Vec<OwnedFd>)>> {
    let fd = socket.as_raw_fd();
    // SAFETY: a peek of length zero writes nothing; with MSG_TRUNC it gives the datagram's true length.
    let length = check(unsafe { recv(fd, std::ptr::null_mut(), 0, MSG_PEEK | MSG_TRUNC) } as c_long)?;
    let mut bytes = vec![0_u8; usize::try_from(length).unwrap_or(0)];
    let mut control = [0_u64; CONTROL_WORDS];
    let mut iov = IoVec { base: bytes.as_mut_ptr().cast(), length: bytes.len() };
    let mut message = MsgHdr {
        name: std::ptr::null_mut(),
        name_length: 0,
        iov: &raw mut iov,
        iov_length: 1,
        control: control.as_mut_ptr().cast(),
        control_length: size_of_val(&control),
        flags: 0,
    };
    // SAFETY: every pointer in `message` describes a buffer that outlives the call, with its true length.
    let got = check(unsafe { recvmsg(fd, &raw mut message, MSG_CMSG_CLOEXEC) } as c_long)?;
    let descriptors = take_descriptors(&control, message.control_length);
    if got == 0 {
        return Ok(None);
    }
    if message.flags & (MSG_TRUNC | MSG_CTRUNC) != 0 {
        return Err(io::Error::from(io::ErrorKind::InvalidData));
    }
    bytes.truncate(usize::try_from(got).unwrap_or(0));
    Ok(Some((bytes, descriptors)))
}

/// Reads the descriptors out of a control buffer that holds at most one SCM_RIGHTS message.
fn take_descriptors(control: &[u64; CONTROL_WORDS], filled: usize) -> Vec<OwnedFd> {
    const HEADER: usize = 16;
    let bytes: Vec<u8> = control.iter().flat_map(|word| word.to_ne_bytes()).take(filled).collect();
    let (Some(length), Some(kind)) = (bytes.first_chunk::<8>(), bytes.get(8..HEADER)) else {
        return Vec::new();
    };
    let expected = [SOL_SOCKET.to_ne_bytes(), SCM_RIGHTS.to_ne_bytes()].concat();
    if kind != expected {
        return Vec::new();
    }
    let end = usize::from_ne_bytes(*length).min(bytes.len());
    let numbers = bytes.get(HEADER..end).unwrap_or_default();
    let take = |number: &[u8; 4]| {
        // SAFETY: the kernel has just put this descriptor into our table for this message; nobody else knows it.
        unsafe { OwnedFd::from_raw_fd(RawFd::from_ne_bytes(*number)) }
    };
    numbers.as_chunks::<4>().0.iter().map(take).collect()
}

/// Lets a command call `prepare` in the child before it becomes the program, as the leader of its own session.
pub(crate) fn in_own_session<F>(command: &mut Command, mut prepare: F)
where
    F: FnMut() -> io::Result<()> + Send + Sync + 'static,
{
    let before_exec = move || {
        // SAFETY: setsid takes nothing and touches no memory.
        check(unsafe { setsid() }.into())?;
        forget_signals()?;
        prepare()
    };
    // SAFETY: this process has one thread, so that the child may do whatever the parent could.
    unsafe { command.pre_exec(before_exec) };
}

/// Undoes what this process, and whoever started it, made of signals. A program that inherits a blocked SIGCHLD waits for ever for its
/// children, and whether the engine was started under nohup must not make trials differ.
fn forget_signals() -> io::Result<()> {
    let mut none = SigSet([0; 128]);
    // SAFETY: the set is large enough for any libc's sigset_t and lives across the calls.
    unsafe {
        check(sigemptyset(&raw mut none).into())?;
        check(sigprocmask(SIG_SETMASK, &raw const none, std::ptr::null_mut()).into())?;
    }
    for number in 1..=LAST_SIGNAL {
        // SAFETY: the default is no function of ours. KILL and STOP are refused, and are never anything else.
        unsafe { signal(number, SIG_DFL) };
    }
    Ok(())
}
