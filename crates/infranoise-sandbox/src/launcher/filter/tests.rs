use seccompiler::sock_filter;

use super::program::{
    ALLOW, ARCH, ARCH_AT, ARGUMENT_BYTES, ARGUMENTS_AT, JUMP_IF_ANY_BIT, JUMP_IF_AT_LEAST, JUMP_IF_EQUAL,
    LOAD, NUMBER_AT, REFUSE, RETURN, SECOND_TABLE,
};
use super::*;

/// Runs the program as the kernel would.
fn verdict(call: libc::c_long, arguments: [libc::c_int; 2]) -> u32 {
    let program = Filter::new().0;
    let (mut at, mut accumulator) = (0, 0);
    loop {
        let sock_filter { code, jt, jf, k } = program[at];
        at += 1;
        let holds = match code {
            LOAD => {
                accumulator = match k {
                    NUMBER_AT => call as u32,
                    ARCH_AT => ARCH,
                    ARGUMENTS_AT.. => arguments[((k - ARGUMENTS_AT) / ARGUMENT_BYTES) as usize] as u32,
                    _ => panic!("loads from {k}"),
                };
                continue;
            }
            RETURN => return k,
            JUMP_IF_EQUAL => accumulator == k,
            JUMP_IF_AT_LEAST => accumulator >= k,
            JUMP_IF_ANY_BIT => accumulator & k != 0,
            _ => panic!("code {code}"),
        };
        at += usize::from(if holds { jt } else { jf });
    }
}

const fn refused(errno: libc::c_int) -> u32 {
    REFUSE | errno as u32
}

#[test]
fn calls_are_allowed_denied_or_unknown() {
    use libc::{CLONE_FS, CLONE_NEWUSER, SIGCHLD};
    let (eperm, enosys, family) = (refused(libc::EPERM), refused(libc::ENOSYS), refused(libc::EAFNOSUPPORT));
    let cases = [
        (libc::SYS_read, [0, 0], ALLOW),
        (libc::SYS_execve, [0, 0], ALLOW),
        (libc::SYS_ptrace, [0, 0], ALLOW),
        (libc::SYS_clone, [SIGCHLD, 0], ALLOW),
        (libc::SYS_clone, [CLONE_NEWUSER | SIGCHLD, 0], eperm),
        (libc::SYS_unshare, [CLONE_FS, 0], ALLOW),
        (libc::SYS_unshare, [CLONE_NEWUSER, 0], eperm),
        (libc::SYS_clone3, [0, 0], enosys),
        (libc::SYS_mount | libc::c_long::from(SECOND_TABLE), [0, 0], enosys),
        (libc::SYS_socket, [libc::AF_UNIX, 0], ALLOW),
        (libc::SYS_socket, [libc::AF_INET, 0], ALLOW),
        (libc::SYS_socket, [libc::AF_INET6, 0], ALLOW),
        (libc::SYS_socket, [libc::AF_NETLINK, 0], ALLOW),
        (libc::SYS_socket, [libc::AF_VSOCK, 0], family),
        (libc::SYS_socket, [libc::AF_ALG, 0], family),
        (libc::SYS_socket, [libc::AF_PACKET, 0], family),
        (libc::SYS_socket, [-1, 0], family),
        (libc::SYS_socketpair, [libc::AF_UNIX, 0], ALLOW),
        (libc::SYS_socketpair, [libc::AF_VSOCK, 0], family),
        (libc::SYS_prlimit64, [0, 0], ALLOW),
        (libc::SYS_prlimit64, [2, 0], ALLOW),
        (libc::SYS_prlimit64, [1, 0], eperm),
        (libc::SYS_sched_setaffinity, [1, 0], eperm),
        (libc::SYS_sched_setscheduler, [0, 0], ALLOW),
        (libc::SYS_setpriority, [0, 0], ALLOW),
        (libc::SYS_setpriority, [0, 7], ALLOW),
        (libc::SYS_setpriority, [0, 1], eperm),
        (libc::SYS_setpriority, [1, 7], eperm),
        (libc::SYS_setpriority, [2, 0], eperm),
        (libc::SYS_setpriority, [-1, 0], eperm),
        (libc::SYS_ioprio_set, [1, 0], ALLOW),
        (libc::SYS_ioprio_set, [1, 1], eperm),
        (libc::SYS_ioprio_set, [3, 0], eperm),
    ];
    for (call, arguments, expected) in cases {
        assert_eq!(verdict(call, arguments), expected, "{call} {arguments:?}");
    }
    for call in DENIED.iter().chain(DENIED_HERE) {
        assert_eq!(verdict(*call, [0, 0]), eperm, "{call}");
    }
}
