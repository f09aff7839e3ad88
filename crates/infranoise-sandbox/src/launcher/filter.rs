//! The system calls that a sandbox may not make.
//!
//! A deny list, as container engines have it: what reaches the kernel itself, other namespaces, keys, handles or large unproven
//! interfaces. Denied calls fail with `EPERM`; `clone3` fails with `ENOSYS`, since its flags cannot be seen by a filter and C libraries
//! then fall back to `clone`.

use std::io;

use seccompiler::{BpfProgram, apply_filter, sock_filter};

/// Denied whatever the arguments.
const DENIED: &[libc::c_long] = &[
    // mounts and roots
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    // keys
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // the kernel itself
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_vhangup,
    // the host's clock
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    // memory of other nodes and processes
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
];

#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[libc::c_long] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_uselib];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[libc::c_long] = &[];

/// What the kernel calls this processor; calls by any other convention end the process.
#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;

/// From here on numbers belong to the second table of x86-64 (x32), in which everything has another number.
const SECOND_TABLE: u32 = 0x4000_0000;

/// Where the kernel puts the call's number, the architecture and the low half of the first argument.
const NUMBER_AT: u32 = 0;
const ARCH_AT: u32 = 4;
const FIRST_ARGUMENT_AT: u32 = 16;

const LOAD: u16 = 0x20;
const RETURN: u16 = 0x06;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const JUMP_IF_ANY_BIT: u16 = 0x45;

const ALLOW: u32 = 0x7fff_0000;
const REFUSE: u32 = 0x0005_0000;
const END_PROCESS: u32 = 0x8000_0000;

/// The filter as a program.
pub(super) struct Filter(BpfProgram);

impl Filter {
    /// Puts the program together: one comparison for each call, then one for a flag.
    pub(super) fn new() -> Self {
        let mut program = vec![
            statement(LOAD, ARCH_AT),
            jump(JUMP_IF_EQUAL, ARCH, 1, 0),
            statement(RETURN, END_PROCESS),
            statement(LOAD, NUMBER_AT),
        ];
        let mut refuse = |condition: u16, value: u32, errno: libc::c_int| {
            program.push(jump(condition, value, 0, 1));
            program.push(statement(RETURN, REFUSE | errno.cast_unsigned()));
        };
        refuse(JUMP_IF_AT_LEAST, SECOND_TABLE, libc::ENOSYS);
        refuse(JUMP_IF_EQUAL, number(libc::SYS_clone3), libc::ENOSYS);
        for call in DENIED.iter().chain(DENIED_HERE) {
            refuse(JUMP_IF_EQUAL, number(*call), libc::EPERM);
        }
        program.extend([
            jump(JUMP_IF_EQUAL, number(libc::SYS_unshare), 2, 0),
            jump(JUMP_IF_EQUAL, number(libc::SYS_clone), 1, 0),
            statement(RETURN, ALLOW),
            statement(LOAD, FIRST_ARGUMENT_AT),
            jump(JUMP_IF_ANY_BIT, libc::CLONE_NEWUSER.cast_unsigned(), 0, 1),
            statement(RETURN, REFUSE | libc::EPERM.cast_unsigned()),
            statement(RETURN, ALLOW),
        ]);
        Self(program)
    }

    /// Applies it to this process and all that it becomes.
    pub(super) fn apply(&self) -> io::Result<()> {
        apply_filter(&self.0).map_err(io::Error::other)
    }
}

/// Numbers of system calls are small.
fn number(call: libc::c_long) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

fn statement(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

/// Skips so many instructions if the condition holds, and so many if not.
fn jump(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the program as the kernel would.
    fn verdict(call: libc::c_long, first_argument: u32) -> u32 {
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
                        FIRST_ARGUMENT_AT => first_argument,
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

    #[test]
    fn calls_are_allowed_denied_or_unknown() {
        let eperm = REFUSE | libc::EPERM as u32;
        let enosys = REFUSE | libc::ENOSYS as u32;
        let new_user = libc::CLONE_NEWUSER as u32;
        let cases = [
            (libc::SYS_read, 0, ALLOW),
            (libc::SYS_execve, 0, ALLOW),
            (libc::SYS_ptrace, 0, ALLOW),
            (libc::SYS_clone, libc::SIGCHLD as u32, ALLOW),
            (libc::SYS_clone, new_user | libc::SIGCHLD as u32, eperm),
            (libc::SYS_unshare, libc::CLONE_FS as u32, ALLOW),
            (libc::SYS_unshare, new_user, eperm),
            (libc::SYS_clone3, 0, enosys),
            (libc::SYS_mount | 0x4000_0000, 0, enosys),
        ];
        for (call, argument, expected) in cases {
            assert_eq!(verdict(call, argument), expected, "{call} {argument:#x}");
        }
        for call in DENIED.iter().chain(DENIED_HERE) {
            assert_eq!(verdict(*call, 0), eperm, "{call}");
        }
    }
}
