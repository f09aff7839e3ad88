//! What is on others' disks? Tasks and results of other harnesses.

pub mod exports;
pub mod results;
pub mod rollouts;
pub mod tasks;
