//! The kernel log: which process the out-of-memory killer ended, how large it was, and about whose limit it was.
//!
//! Only what the kernel itself says is believed; user programs can write to the same log, under another facility. Not readable is
//! said aloud, never taken for "nothing happened".

mod line;
mod log;

pub use line::{OomKill, OomLimit};
pub use log::KernelLog;
