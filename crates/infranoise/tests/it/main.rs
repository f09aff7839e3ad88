//! The program as a whole process: real sweeps under real kernel limits, bad input, kill -9, generated files.

#![expect(clippy::print_stdout, reason = "a test says aloud what it skips and what it found")]

mod bad_input;
#[cfg(feature = "docker")]
mod containers;
mod demo;
mod dependencies;
mod examples;
mod fuzz_corpus;
mod gate;
mod generated;
mod hostile_host;
mod kill;
mod look;
mod program;
mod specimens;
mod structure;
