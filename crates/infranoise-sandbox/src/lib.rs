//! Where does a trial run? Engines, enforcement and telemetry.

pub mod contract;
pub mod cgroup;
pub mod kmsg;
