//! What is on others' disks? Tasks and results of other harnesses.

pub mod results;
pub mod tasks;
