//! What happens now?
//!
//! A sweep's folder is followed by reading alone: the journal as it grows, the samples of running trials, who writes. From that comes a
//! [`View`](view::View), and two ways to look at it: [`watch`] in a terminal, [`serve`] in a browser.
//!
//! ```text
//! journal.jsonl ──┐
//! telemetry.csv ──┼─ Follower ── Now ──┐
//! lock, /proc   ──┘                    ├─ View ──┬─ watch: frame, line
//!                  Thinker: analysis ──┘         └─ serve: parts ── page, events
//! ```
//!
//! Whoever looks on cannot change a sweep: nothing is opened for writing, no lock is taken, no process is spoken to. The analysis is made
//! anew as rarely as its cost demands. Deliberately absent: control buttons, and any clock but the one that is passed in.

pub mod curve;
mod error;
pub mod find;
pub mod follow;
pub mod now;
pub mod pressure;
pub mod serve;
mod tail;
mod think;
pub mod view;
pub mod watch;
pub mod writer;

pub use error::LiveError;
pub use think::Thinker;

/// A clock: milliseconds since 1970 (UTC).
pub type Clock = fn() -> u64;
