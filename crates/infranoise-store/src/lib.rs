//! What is on our disk?
//!
//! ```text
//! runs/<sweep>/
//!   plan.json       written once, hashed, never changed
//!   journal.jsonl   append-only events: the result; everything else is derived
//!   lock            who writes (one writer, any number of readers)
//!   trials/<task>__<arm>__<repeat>[.attempt-<n>]/
//!     result.json   the record, a superset of Harbor's
//!     telemetry.csv samples
//!     agent/ verifier/ artifacts/   logs and what the verifier left
//! ```
//!
//! Deliberately absent: what the bytes mean. This crate writes events and documents that it is given, and finds them again after a
//! crash. It knows no engine and no statistics.

mod error;
mod folder;
mod journal;
mod lock;
mod plan_file;

pub use error::StoreError;
pub use folder::{SweepFolder, sweeps_in};
pub use journal::{Damage, Entry, Journal, JournalReader, JournalWriter, read_journal};
pub use lock::{LockHolder, WriteLock};
pub use plan_file::PlanFile;
