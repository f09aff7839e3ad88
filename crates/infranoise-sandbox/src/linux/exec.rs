//! Becoming a program that is known by descriptor alone.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Replaces this process by the program behind a descriptor, with an empty environment. Returns only on failure.
pub(crate) fn exec_descriptor(program: BorrowedFd<'_>, name: &CStr) -> io::Error {
    let arguments = [name.as_ptr(), std::ptr::null()];
    let environment: [*const libc::c_char; 1] = [std::ptr::null()];
    // SAFETY: both arrays end with a null pointer, hold valid C strings and outlive the call.
    unsafe {
        libc::syscall(
            libc::SYS_execveat,
            program.as_raw_fd(),
            c"".as_ptr(),
            arguments.as_ptr(),
            environment.as_ptr(),
            libc::AT_EMPTY_PATH,
        );
    }
    io::Error::last_os_error()
}
