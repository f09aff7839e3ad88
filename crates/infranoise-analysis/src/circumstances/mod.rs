//! Rows for figures about circumstances: when, beside how many, at what cost, with how much memory, throttled how far.
//!
//! Each file answers one question from plan and records. What a record does not hold is absent, never 0.

mod clocks;
mod costs;
mod demand;
mod durations;
mod groups;
mod monitor;
mod needs;
mod settings;
mod spreads;
#[cfg(test)]
mod tests;
mod verifiers;

pub(crate) use clocks::clocks;
pub(crate) use costs::costs;
pub(crate) use demand::demand;
pub(crate) use durations::durations;
pub(crate) use groups::{concurrency, hours};
pub(crate) use monitor::monitor;
pub(crate) use needs::needs;
pub(crate) use settings::settings;
pub(crate) use spreads::{received, sent, throttling};
pub(crate) use verifiers::{verified, verifiers};
