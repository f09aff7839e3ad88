//! The system calls that a sandbox may not make.
//!
//! A deny list, as container engines have it: what reaches the kernel itself, other namespaces, keys, handles or large unproven
//! interfaces. Denied calls fail with `EPERM`; `clone3` fails with `ENOSYS`, since its flags cannot be seen by a filter and C libraries
//! then fall back to `clone`. Sockets are the other way round: a list of the families that are allowed, and the rest fails as on a
//! kernel that was built without them. Whatever would change pid 1, the supervisor, is refused: it belongs to the same user as the
//! sandbox's root, which to most of these calls is permission enough.

mod calls;
mod program;
#[cfg(test)]
mod tests;

use std::io;

use seccompiler::{BpfProgram, apply_filter};

use calls::{DENIED, DENIED_HERE, FAMILIES, NOT_FOR_PID_1, PRIORITIES, SUPERVISOR};
use program::{Assembler, Jump};

/// The filter as a program.
pub(super) struct Filter(BpfProgram);

impl Filter {
    /// Puts the program together: one comparison for each call, then those that look at arguments.
    pub(super) fn new() -> Self {
        let mut program = Assembler::new();
        program.refuse(Jump::AtLeast(program::SECOND_TABLE), libc::ENOSYS);
        program.refuse(Jump::Equal(number(libc::SYS_clone3)), libc::ENOSYS);
        for call in DENIED.iter().chain(DENIED_HERE) {
            program.refuse(Jump::Equal(number(*call)), libc::EPERM);
        }
        for call in [libc::SYS_unshare, libc::SYS_clone] {
            program.on(number(call), |program| {
                program.load_argument(0);
                program.refuse(Jump::AnyBit(libc::CLONE_NEWUSER.cast_unsigned()), libc::EPERM);
            });
        }
        for call in [libc::SYS_socket, libc::SYS_socketpair] {
            program.on(number(call), |program| {
                program.load_argument(0);
                program.allow_any(FAMILIES);
                program.refuse_all(libc::EAFNOSUPPORT);
            });
        }
        for call in NOT_FOR_PID_1 {
            program.on(number(*call), |program| {
                program.load_argument(0);
                program.refuse(Jump::Equal(SUPERVISOR), libc::EPERM);
            });
        }
        for (call, processes) in PRIORITIES {
            program.on(number(*call), |program| {
                program.load_argument(0);
                // Those of a whole group or of a user: pid 1 is among them.
                program.refuse(Jump::AtLeast(processes + 1), libc::EPERM);
                program.load_argument(1);
                program.refuse(Jump::Equal(SUPERVISOR), libc::EPERM);
            });
        }
        Self(program.finish())
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
