//! Tests of engines against a real kernel, and of the contract against every engine.

#[cfg(feature = "docker")]
mod containers;
mod contract;
mod faults;
mod full_disk;
mod hostile;
mod leftovers;
mod memory;
mod place;
mod surroundings;
