//! The machine: what kind it is, what it has left, and how it fared while a trial went on.
//!
//! Deliberately absent: host names, addresses and raw machine ids. Whatever could tell who somebody is, is hashed or not read.

mod capacity;
mod fingerprint;
pub(crate) mod fnv;
mod monitor;
mod reading;
mod settings;

pub use capacity::{HostCapacity, capacity};
pub use fingerprint::fingerprint;
pub use monitor::{HostMoment, Monitor};
