//! Integration tests of the stats crate, one binary.

#[cfg(feature = "eval")]
mod vectors;
