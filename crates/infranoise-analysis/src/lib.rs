//! What do the trials say?
//!
//! Plan and records in, one [`Analysis`] document out. Pure: no files, no clock, no randomness but from the plan's seed.

pub mod doc;

pub use doc::Analysis;
