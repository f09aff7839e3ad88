//! Filter programs, instruction by instruction, as the kernel takes them.

use seccompiler::{BpfProgram, sock_filter};

/// What the kernel calls this processor; calls by any other convention end the process.
#[cfg(target_arch = "x86_64")]
pub(super) const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
pub(super) const ARCH: u32 = 0xc000_00b7;

/// From here on numbers belong to the second table of x86-64 (x32), in which everything has another number.
pub(super) const SECOND_TABLE: u32 = 0x4000_0000;

/// Where the kernel puts the call's number, the architecture and the low half of each argument: all that are looked at are `int`s.
pub(super) const NUMBER_AT: u32 = 0;
pub(super) const ARCH_AT: u32 = 4;
pub(super) const ARGUMENTS_AT: u32 = 16;
pub(super) const ARGUMENT_BYTES: u32 = 8;

pub(super) const LOAD: u16 = 0x20;
pub(super) const RETURN: u16 = 0x06;
pub(super) const JUMP_IF_EQUAL: u16 = 0x15;
pub(super) const JUMP_IF_AT_LEAST: u16 = 0x35;
pub(super) const JUMP_IF_ANY_BIT: u16 = 0x45;

pub(super) const ALLOW: u32 = 0x7fff_0000;
pub(super) const REFUSE: u32 = 0x0005_0000;
pub(super) const END_PROCESS: u32 = 0x8000_0000;

/// A condition on what was loaded last.
#[derive(Clone, Copy)]
pub(super) enum Jump {
    Equal(u32),
    AtLeast(u32),
    AnyBit(u32),
}

/// A program in the making. The number of the call is loaded whenever a method of this type begins.
pub(super) struct Assembler(BpfProgram);

impl Assembler {
    /// Begins with what every filter begins with: the right architecture, then the number of the call.
    pub(super) fn new() -> Self {
        Self(vec![
            statement(LOAD, ARCH_AT),
            jump(JUMP_IF_EQUAL, ARCH, 1, 0),
            statement(RETURN, END_PROCESS),
            statement(LOAD, NUMBER_AT),
        ])
    }

    /// Refuses if the condition holds, and else goes on.
    pub(super) fn refuse(&mut self, condition: Jump, errno: libc::c_int) {
        let (code, value) = match condition {
            Jump::Equal(value) => (JUMP_IF_EQUAL, value),
            Jump::AtLeast(value) => (JUMP_IF_AT_LEAST, value),
            Jump::AnyBit(value) => (JUMP_IF_ANY_BIT, value),
        };
        self.0.push(jump(code, value, 0, 1));
        self.refuse_all(errno);
    }

    /// Refuses.
    pub(super) fn refuse_all(&mut self, errno: libc::c_int) {
        self.0.push(statement(RETURN, REFUSE | errno.cast_unsigned()));
    }

    /// Allows if what was loaded is one of these values, and else goes on.
    pub(super) fn allow_any(&mut self, values: &[libc::c_int]) {
        for value in values {
            self.0.push(jump(JUMP_IF_EQUAL, value.cast_unsigned(), 0, 1));
            self.0.push(statement(RETURN, ALLOW));
        }
    }

    /// Loads one of the call's arguments.
    pub(super) fn load_argument(&mut self, number: u32) {
        self.0.push(statement(LOAD, ARGUMENTS_AT + number * ARGUMENT_BYTES));
    }

    /// What is to be done for one call; what is not refused there is allowed.
    pub(super) fn on(&mut self, call: u32, body: impl FnOnce(&mut Self)) {
        let mut inner = Self(Vec::new());
        body(&mut inner);
        inner.0.push(statement(RETURN, ALLOW));
        // Bodies are a few instructions long; a jump reaches 255.
        let length = u8::try_from(inner.0.len()).unwrap_or(u8::MAX);
        self.0.push(jump(JUMP_IF_EQUAL, call, 0, length));
        self.0.append(&mut inner.0);
    }

    /// Allows what is left.
    pub(super) fn finish(mut self) -> BpfProgram {
        self.0.push(statement(RETURN, ALLOW));
        self.0
    }
}

fn statement(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

/// Skips so many instructions if the condition holds, and so many if not.
fn jump(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}
