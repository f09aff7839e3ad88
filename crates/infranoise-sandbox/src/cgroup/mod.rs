//! Control groups: version 1, version 2 and mixtures of both, under one set of names.
//!
//! [`Hierarchy`] says what a host has, [`Cgroups`] makes our place in it, [`TrialGroup`] holds one trial's bands and [`Leaf`] one
//! command. One file knows one controller of one version. Deliberately absent: starting processes (they join by writing to
//! [`Leaf::join_files`]), disk space, and any verdict beyond whose memory limit it was ([`oom`]).

mod blkio_v1;
#[cfg(test)]
pub(crate) mod captured;
#[cfg(feature = "docker")]
mod container;
mod core_v2;
mod counters;
mod cpu_quota;
mod cpu_v1;
mod cpu_v2;
mod create;
mod disk_rate;
mod error;
mod freezer_v1;
mod group;
mod hierarchy;
mod io_v2;
mod kill;
mod knob;
mod leaf;
mod memory_v1;
mod memory_v2;
mod mounts;
pub mod oom;
mod oom_watch;
pub(crate) mod patience;
mod pids;
mod place;
#[cfg(feature = "docker")]
mod read_back;
mod reap;
mod strays;
mod trial;
mod waiting;

/// What other modules here read in the same files.
pub(crate) mod parse {
    pub(crate) use super::blkio_v1::{FILE as BLKIO, bytes as blkio_bytes};
    pub(crate) use super::io_v2::{FILE as IO, bytes as io_bytes};
    pub(crate) use super::knob::{keyed, kilobytes, number};
}

#[cfg(feature = "docker")]
pub(crate) use container::Container;
pub use counters::{LeafCounters, TrialCounters};
#[cfg(feature = "docker")]
pub(crate) use cpu_quota::quota_us;
pub(crate) use disk_rate::disk_under;
pub use error::CgroupError;
pub use hierarchy::{Controller, Hierarchy, Version};
pub use leaf::Leaf;
pub use oom_watch::{OomState, OomWatch};
pub use place::Cgroups;
pub use reap::Reaped;
pub use trial::TrialGroup;
pub use waiting::WaitingTask;

#[cfg(test)]
mod tests;
