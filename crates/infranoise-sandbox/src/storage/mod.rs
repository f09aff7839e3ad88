//! The space on disk that a trial may use: a ceiling that the kernel holds, and its use in constant time.

mod geometry;
mod image;
mod leftovers;
mod volume;
mod watch;

pub(crate) use leftovers::detach_all;
pub(crate) use volume::{Gauge, Volume, VolumeError};
pub(crate) use watch::{Fullness, Seen, SpaceWatch, Watched, Watching};
