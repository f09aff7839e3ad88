//! Loop devices: a file as a block device; and shutting down the file system on it.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::PathBuf;

const CONTROL: &str = "/dev/loop-control";
/// From `linux/loop.h`.
const GET_FREE: libc::Ioctl = 0x4c82;
const CONFIGURE: libc::Ioctl = 0x4c0a;
const CLEAR: libc::Ioctl = 0x4c01;
const AUTOCLEAR: u32 = 4;
const DIRECT_IO: u32 = 16;
/// `EXT4_IOC_SHUTDOWN`, and that nothing is written back before.
const SHUTDOWN: libc::Ioctl = 0x8004_587d_u32 as libc::Ioctl;
const WRITE_NOTHING: u32 = 2;

/// How often somebody else may be faster in taking the free device.
const TRIES: u32 = 64;

/// `struct loop_info64`.
#[repr(C)]
struct Info {
    device: u64,
    inode: u64,
    rdevice: u64,
    offset: u64,
    size_limit: u64,
    number: u32,
    encrypt_type: u32,
    encrypt_key_size: u32,
    flags: u32,
    file_name: [u8; 64],
    crypt_name: [u8; 64],
    encrypt_key: [u8; 32],
    init: [u64; 2],
}

/// `struct loop_config`.
#[repr(C)]
struct Config {
    fd: u32,
    block_size: u32,
    info: Info,
    reserved: [u64; 8],
}

/// A file that is a block device, until the last that uses it has gone: the kernel then takes the file off by itself, also when this
/// process is killed.
#[derive(Debug)]
pub(crate) struct LoopDevice {
    device: File,
    path: PathBuf,
}

impl LoopDevice {
    /// Puts a file onto a free device. The label is what `losetup` shows, shortened to 63 bytes.
    pub(crate) fn attach(file: &File, label: &str) -> io::Result<Self> {
        let control = File::options().read(true).write(true).open(CONTROL)?;
        for _ in 0..TRIES {
            // SAFETY: takes a number and gives one.
            let number = unsafe { libc::ioctl(control.as_raw_fd(), GET_FREE) };
            if number < 0 {
                return Err(io::Error::last_os_error());
            }
            let path = PathBuf::from(format!("/dev/loop{number}"));
            let device = File::options().read(true).write(true).open(&path)?;
            // Not through the page cache a second time, where the file system beneath can do that.
            let taken = configure(&device, file, label, AUTOCLEAR | DIRECT_IO).or_else(|error| {
                match error.raw_os_error() {
                    Some(libc::EINVAL) => configure(&device, file, label, AUTOCLEAR),
                    _ => Err(error),
                }
            });
            match taken {
                Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(Self { device, path }),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// The device's name.
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// The device's number, major and minor.
    pub(crate) fn number(&self) -> io::Result<(u32, u32)> {
        let device = rustix::fs::fstat(self.device.as_fd())?.st_rdev;
        Ok((rustix::fs::major(device), rustix::fs::minor(device)))
    }
}

fn configure(device: &File, file: &File, label: &str, flags: u32) -> io::Result<()> {
    // SAFETY: all-zero is a valid value: both structures hold plain numbers.
    let mut config: Config = unsafe { std::mem::zeroed() };
    config.fd = file.as_raw_fd().cast_unsigned();
    config.info.flags = flags;
    let label = &label.as_bytes()[..label.len().min(63)];
    config.info.file_name[..label.len()].copy_from_slice(label);
    // SAFETY: LOOP_CONFIGURE reads one `struct loop_config`, which outlives the call.
    let result = unsafe { libc::ioctl(device.as_raw_fd(), CONFIGURE, &raw const config) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Takes the file off a device; one that is mounted goes when it is not mounted any more.
pub(crate) fn detach(device: &std::path::Path) -> io::Result<()> {
    let device = File::options().read(true).open(device)?;
    // SAFETY: takes nothing.
    let result = unsafe { libc::ioctl(device.as_raw_fd(), CLEAR) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Shuts the ext4 file system that an open file lies on down at once: nothing is written back, everything after this fails there.
pub(crate) fn shut_down(file: BorrowedFd<'_>) -> io::Result<()> {
    let how = WRITE_NOTHING;
    // SAFETY: EXT4_IOC_SHUTDOWN reads one number, which outlives the call.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), SHUTDOWN, &raw const how) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
