//! Where does a trial run? Engines, enforcement and telemetry.
//!
//! [`contract`] says what every engine keeps; [`Engine`] is the closed list of them. [`local`] makes sandboxes on this host's kernel:
//! [`launcher`] clones them, `root` gives them files, [`cgroup`] holds their floors and ceilings, and `infranoise-supervisor` is
//! their pid 1. `docker` has Docker or Podman start the same supervisor, and goes on as the local engine does.
//!
//! Deliberately absent: tasks, agents, sweeps, and any judgement of whose fault something was.

mod bridge;
pub mod cgroup;
pub mod contract;
#[cfg(feature = "docker")]
pub mod docker;
pub mod doctor;
mod engine;
pub mod fake;
pub mod host;
pub mod kmsg;
pub mod launcher;
mod linux;
pub mod local;
mod root;
pub mod rootless;
mod storage;
pub mod telemetry;

pub use engine::{Engine, Interrupter, Sandbox};
pub use root::{UnfitRoot, fit_root};
