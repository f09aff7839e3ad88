//! What do we know the truth of?
//!
//! Small original tasks in Harbor's format whose verdict in every arm is designed: [`BUNDLED`], of which some make up the
//! demonstration, and [`SPECIMENS`], one for each cause of failure. They need no network, no image and no Python, only `/bin/sh` and
//! the probe program, which this crate carries ([`PROBE_PROGRAM`]) and which is to be mounted read-only at [`PROBE_PATH`].
//!
//! The mix of the demonstration is composed, so that it shows in a minute what an experiment with a real agent shows in days: most of
//! what a tight ceiling kills would have failed anyway, and success rises only where agents can make use of the headroom
//! ([`designed`]). It is a check of the instrument, not a finding.
//!
//! Deliberately absent: sandboxes and agents; reading task folders (`infranoise-formats` does that).

mod bundled;
mod designed;
mod specimen;
mod truth;

pub use bundled::{BundledTask, materialise, write_program};
pub use designed::{Designed, demo, designed};
pub use specimen::Specimen;
pub use truth::Expected;

/// The static probe program.
pub const PROBE_PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/probe"));

/// Where tasks expect the probe program inside a sandbox.
pub const PROBE_PATH: &str = "/opt/infranoise/probe";

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
