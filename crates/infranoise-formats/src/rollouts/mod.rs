//! Verdicts for rollouts as they come: one JSON line in, one JSON line out.
//!
//! A training loop asks whether a reward of 0 is the policy's. [`classify_line`] answers for one rollout, [`classify_stream`] for a stream
//! of them. A line is a small [`Rollout`] record, whole facts, or a whole record; the verdict comes from
//! [`infranoise_core::classify()`] alone. A line that cannot be read gives a line that says so, and the stream goes on.
//!
//! Deliberately absent: state. Each line is judged by itself, so that lines can be judged anywhere and in any order.

mod class;
mod events;
mod exception;
mod facts;
mod line;
mod phases;
mod record;
mod stream;
#[cfg(test)]
mod tests;
mod verdict;

pub use line::classify_line;
pub use record::{Raised, Rollout, Times};
pub use stream::{StreamSummary, classify_stream};
